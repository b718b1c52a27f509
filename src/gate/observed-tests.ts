import type { Config } from '../config/schema.ts';
import { matchesWildcard } from '../config/globs.ts';
import type { Facts, Job, WorkflowRun } from './facts.ts';
import { secondOf } from './people.ts';

/** What the platform shows of the tests at this head. */
export type TestObservation =
  | {
      readonly state: 'passed';
      readonly records: readonly string[];
      readonly why: string;
      /** Why it is not certain that these runs are about this pull request. */
      readonly doubts: readonly string[];
    }
  | { readonly state: 'failed'; readonly records: readonly string[]; readonly why: string }
  | { readonly state: 'running'; readonly records: readonly string[]; readonly why: string }
  | { readonly state: 'missing'; readonly records: readonly string[]; readonly why: string; readonly how: string };

/** Events whose runs test what is proposed. A run that a person dispatches by hand, or one on the base, does not. */
const TESTING_EVENTS: readonly string[] = ['pull_request', 'push', 'merge_group'];

/**
 * Looks for successful jobs of the workflows that the base's config names: by path, event, this head and the
 * latest attempt. Skipped, neutral and cancelled jobs ran no tests.
 */
export function observeTests(facts: Facts, config: Config): TestObservation {
  const wanted = config.evidence.tests.workflows;
  if (wanted.length === 0) {
    return { state: 'missing', records: [], why: 'The config names no workflow that runs the tests.', how: CONFIGURE };
  }
  const observations = wanted.map((one) => observeWorkflow(facts, one.path, one.jobs));
  const by = (state: TestObservation['state']): TestObservation[] => observations.filter((one) => one.state === state);
  const worst = [by('failed'), by('missing'), by('running'), by('passed')].find((list) => list.length > 0)?.[0];
  if (worst === undefined) throw new TypeError('a list of workflows that is empty after all');
  const records = observations.flatMap((one) => one.records);
  if (worst.state !== 'passed') return { ...worst, records };
  const doubts = observations.flatMap((one) => (one.state === 'passed' ? one.doubts : []));
  return { ...worst, records, doubts: [...new Set(doubts)] };
}

const CONFIGURE = `Name the workflow and its jobs in .github/countersign.yml on the base branch:
    evidence:
      tests:
        workflows:
          - path: .github/workflows/ci.yml
            jobs: [test]`;

interface NamedJob {
  readonly run: WorkflowRun;
  readonly job: Job;
  readonly record: string;
}

function observeWorkflow(facts: Facts, path: string, jobNames: readonly string[]): TestObservation {
  const atHead = facts.workflow_runs.filter((run) => run.path === path && testsThis(facts, run));
  const all = atHead.filter((run) => !isOfOldBase(facts, run));
  const runs = latestRuns(all);
  if (runs.length === 0 && atHead.length > 0) {
    return {
      state: 'missing',
      records: [],
      why: `${path} ran at this head only before the pull request had its base: it ran what another base has.`,
      how: 'Have the tests run anew: close the pull request and open it again, or push. Running the old run again does not help.',
    };
  }
  if (runs.length === 0) return { state: 'running', records: [], why: `No run of ${path} at this head yet.` };
  const named = jobsOf(runs, jobNames);
  const records = named.map(({ record }) => record);
  // A failure is not outvoted by another run of the same event: that one may have been started to hide it.
  const why = failure(path, latestAttempts(all), jobNames);
  if (why !== undefined) return { state: 'failed', records, why };
  const idle = named.find(({ job }) => job.status === 'completed' && job.conclusion !== 'success');
  if (idle !== undefined) {
    return {
      state: 'missing',
      records,
      why: `Job '${idle.job.name}' of ${path} was ${idle.job.conclusion ?? 'not concluded'}: it shows nothing.`,
      how: 'Have the job run at this head.',
    };
  }
  const open = named.find(({ job }) => job.status !== 'completed');
  if (open !== undefined)
    return { state: 'running', records, why: `Job '${open.job.name}' of ${path} is ${open.job.status}.` };
  const unfinished = runs.find((run) => run.status !== 'completed');
  const absent = jobNames.find((name) => !named.some(({ job }) => isJob(job, name)));
  if (absent !== undefined || named.length === 0) {
    const what = absent === undefined ? `${path} ran no job` : `${path} has no job '${absent}'`;
    return unfinished === undefined
      ? {
          state: 'missing',
          records,
          why: `${what} at this head.`,
          how: 'Correct the job names in .github/countersign.yml on the base branch.',
        }
      : { state: 'running', records, why: `${what} at this head yet.` };
  }
  if (unfinished !== undefined && jobNames.some((name) => name.includes('*'))) {
    return { state: 'running', records, why: `Run ${unfinished.id} of ${path} may start more jobs.` };
  }
  const done = `${named.length} job(s) of ${path} succeeded at this head.`;
  return { state: 'passed', records, why: done, doubts: doubtsAbout(facts, runs, jobNames) };
}

/** Events whose runs take the workflow file, and all else, from the merge of the head with the base. */
const isOfMerge = ({ event }: WorkflowRun): boolean => event.startsWith('pull_request');

// For which of two pull requests with one head a workflow ran the platform does not say; what it ran lies in the base.
function isOfOldBase({ subject }: Facts, run: WorkflowRun): boolean {
  if (!isOfMerge(run) || run.created_at === undefined) return false;
  const created = secondOf(run.created_at);
  return (
    (subject.opened_at !== undefined && created < secondOf(subject.opened_at)) ||
    (subject.base_changed_at !== undefined && created <= secondOf(subject.base_changed_at))
  );
}

function doubtsAbout({ subject }: Facts, runs: readonly WorkflowRun[], jobNames: readonly string[]): string[] {
  // Where a push ran all of them there is no doubt: it has everything from the commit itself.
  const hasAll = ({ jobs }: WorkflowRun): boolean => jobNames.every((name) => jobs.some((job) => isJob(job, name)));
  if (runs.some((run) => !isOfMerge(run) && run.jobs.length > 0 && hasAll(run))) return [];
  const others = (subject.elsewhere ?? []).filter(({ since }) =>
    runs.some((run) => isOfMerge(run) && (run.created_at === undefined || secondOf(run.created_at) >= secondOf(since))),
  );
  return others.map(
    ({ number, base }) => `they may have run for pull request ${number}, which proposes the same head into ${base}`,
  );
}

// A run that the platform says was started for other pull requests only may have used another base's workflow.
function testsThis({ subject }: Facts, run: WorkflowRun): boolean {
  if (run.head_sha !== subject.head.sha || !TESTING_EVENTS.includes(run.event)) return false;
  const { pull_requests = [] } = run;
  return pull_requests.length === 0 || subject.number === undefined || pull_requests.includes(subject.number);
}

function jobsOf(runs: readonly WorkflowRun[], jobNames: readonly string[]): NamedJob[] {
  return runs
    .flatMap((run) => run.jobs.map((job) => ({ run, job, record: `github:run:${run.id}/${run.attempt}/${job.name}` })))
    .filter(({ job }) => jobNames.length === 0 || jobNames.some((name) => isJob(job, name)));
}

const FAILURES: readonly string[] = ['failure', 'timed_out', 'startup_failure'];

function failure(path: string, runs: readonly WorkflowRun[], jobNames: readonly string[]): string | undefined {
  for (const run of runs) {
    const named = jobsOf([run], jobNames);
    const failed = named.find(({ job }) => job.status === 'completed' && FAILURES.includes(job.conclusion ?? ''));
    if (failed !== undefined) return `Job '${failed.job.name}' of ${path} ended with ${failed.job.conclusion ?? ''}.`;
    if (named.length === 0 && run.status === 'completed' && FAILURES.includes(run.conclusion ?? ''))
      return `Run ${run.id} of ${path} ended with ${run.conclusion ?? ''}.`;
  }
  return undefined;
}

/** Each run at its latest attempt. */
function latestAttempts(runs: readonly WorkflowRun[]): WorkflowRun[] {
  const latest = new Map<number, WorkflowRun>();
  for (const run of runs) {
    const before = latest.get(run.id);
    if (before === undefined || run.attempt > before.attempt) latest.set(run.id, run);
  }
  return [...latest.values()];
}

/** The newest run of each event: an older one that did not fail was replaced. */
function latestRuns(runs: readonly WorkflowRun[]): WorkflowRun[] {
  const newest = new Map<string, WorkflowRun>();
  for (const run of latestAttempts(runs)) {
    const before = newest.get(run.event);
    if (before === undefined || run.id > before.id) newest.set(run.event, run);
  }
  return [...newest.values()];
}

function isJob(job: Job, pattern: string): boolean {
  return matchesWildcard(job.name, pattern);
}
