import type { Config } from '../config/schema.ts';
import type { Facts, FileChange, Job, WorkflowRun } from './facts.ts';
import { snapshotText } from './snapshot-tree.ts';
import { matchesWildcard } from '../config/globs.ts';
import { testInputOf } from '../config/test-inputs.ts';

/** What the platform shows of the tests at this head. */
export type TestObservation =
  | { readonly state: 'passed'; readonly records: readonly string[]; readonly why: string }
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
  return { ...worst, records: observations.flatMap((one) => one.records) };
}

const CONFIGURE = `Name the workflow and its jobs in .github/countersign.yml on the base branch:
    evidence:
      tests:
        workflows:
          - path: .github/workflows/ci.yml
            jobs: [test]`;

function observeWorkflow(facts: Facts, path: string, jobNames: readonly string[]): TestObservation {
  const runs = latestRuns(
    facts.workflow_runs.filter(
      (run) => run.path === path && run.head_sha === facts.subject.head.sha && TESTING_EVENTS.includes(run.event),
    ),
  );
  if (runs.length === 0) {
    return { state: 'running', records: [], why: `No run of ${path} at this head yet.` };
  }
  const jobs = runs.flatMap((run) =>
    run.jobs.map((job) => ({ run, job, record: `github:run:${run.id}/${run.attempt}/${job.name}` })),
  );
  const named = jobNames.length === 0 ? jobs : jobs.filter(({ job }) => jobNames.some((name) => isJob(job, name)));
  const records = named.map(({ record }) => record);
  const failed = named.find(
    ({ job }) =>
      job.status === 'completed' && ['failure', 'timed_out', 'startup_failure'].includes(job.conclusion ?? ''),
  );
  if (failed !== undefined)
    return {
      state: 'failed',
      records,
      why: `Job '${failed.job.name}' of ${path} ended with ${failed.job.conclusion ?? 'nothing'}.`,
    };
  const broken = runs.find(
    (run) =>
      run.status === 'completed' &&
      ['failure', 'timed_out', 'startup_failure'].includes(run.conclusion ?? '') &&
      named.length === 0,
  );
  if (broken !== undefined)
    return {
      state: 'failed',
      records,
      why: `Run ${broken.id} of ${path} ended with ${broken.conclusion ?? 'nothing'}.`,
    };
  const open = named.find(({ job }) => job.status !== 'completed');
  if (open !== undefined)
    return { state: 'running', records, why: `Job '${open.job.name}' of ${path} is ${open.job.status}.` };
  const other = named.find(({ job }) => job.conclusion !== 'success');
  if (other !== undefined) {
    return {
      state: 'missing',
      records,
      why: `Job '${other.job.name}' of ${path} was ${other.job.conclusion ?? 'not concluded'}: it shows nothing.`,
      how: 'Have the job run at this head.',
    };
  }
  const absent = jobNames.find((name) => !named.some(({ job }) => isJob(job, name)));
  const ended = runs.every((run) => run.status === 'completed');
  if (absent !== undefined || named.length === 0) {
    const what = absent === undefined ? `${path} ran no job` : `${path} has no job '${absent}'`;
    return ended
      ? {
          state: 'missing',
          records,
          why: `${what} at this head.`,
          how: 'Correct the job names in .github/countersign.yml on the base branch.',
        }
      : { state: 'running', records, why: `${what} at this head yet.` };
  }
  return { state: 'passed', records, why: `${named.length} job(s) of ${path} succeeded at this head.` };
}

/** The newest run of each event: an older one was replaced. */
function latestRuns(runs: readonly WorkflowRun[]): WorkflowRun[] {
  const newest = new Map<string, WorkflowRun>();
  for (const run of runs) {
    const before = newest.get(run.event);
    if (before === undefined || run.id > before.id || (run.id === before.id && run.attempt > before.attempt))
      newest.set(run.event, run);
  }
  return [...newest.values()];
}

function isJob(job: Job, pattern: string): boolean {
  return matchesWildcard(job.name, pattern);
}

const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|spec)\/|(?:^|[/._-])(?:test|tests|spec)\.[a-z0-9]{1,8}$|(?:^|\/)test_[^/]{1,200}\.py$|_test\.[a-z0-9]{1,8}$/i;

/**
 * Why a successful job proves less than it seems: the pull request changes what the job runs, or deletes tests.
 * Empty where it does not.
 */
export function testTampering(facts: Facts, config: Config): string[] {
  const workflows = config.evidence.tests.workflows.map((one) => one.path);
  const inputs = config.evidence.tests.inputs;
  return facts.files.flatMap((file) => {
    const names = file.old_path === undefined || file.status === 'copied' ? [file.path] : [file.old_path, file.path];
    if (names.some((name) => workflows.includes(name)))
      return [`${names.join(' → ')} is the workflow that runs the tests`];
    if (names.some((name) => steersTests(facts, file, name, inputs)))
      return [`${names.join(' → ')} steers how the tests run`];
    const gone = file.status === 'deleted' || (file.status === 'renamed' && !TEST_FILE.test(file.path));
    return gone && TEST_FILE.test(file.old_path ?? file.path)
      ? [`${file.old_path ?? file.path} is a test and is deleted`]
      : [];
  });
}

// Of a package.json only some keys steer the tests: a dependency bump is no tampering.
function steersTests(facts: Facts, file: FileChange, name: string, inputs: readonly string[]): boolean {
  const part = testInputOf(name, inputs);
  if (part === 'all') return true;
  if (part.length === 0) return false;
  if (file.status !== 'modified') return true;
  const [before, after] = [snapshotText(facts.base, name), snapshotText(facts.head, name)].map((text) =>
    keysOf(text, part),
  );
  return before === undefined || before !== after;
}

function keysOf(text: string | undefined, keys: readonly string[]): string | undefined {
  if (text === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest !== 'object' || manifest === null) return undefined;
    return JSON.stringify(
      keys.map((key) => (Object.hasOwn(manifest, key) ? Object.entries(manifest).find(([own]) => own === key) : null)),
    );
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined; // what cannot be compared counts as changed
    throw cause;
  }
}
