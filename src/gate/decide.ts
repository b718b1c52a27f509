import { identify } from '../checks/finding.ts';
import type { Finding, FindingDraft } from '../checks/finding.ts';
import { scopeFindings } from '../checks/scope/check.ts';
import { globMatcher } from '../config/globs.ts';
import { configDigest } from '../config/layers.ts';
import { effectiveMode } from '../config/mode.ts';
import type { Project } from '../domain/project.ts';
import { withAllowances } from './allowed.ts';
import { ledgerFindings } from './append-only.ts';
import { attributionFindings } from './attribution.ts';
import { baseRules } from './base-rules.ts';
import type { BaseRules } from './base-rules.ts';
import { relaxedText } from './caller.ts';
import { canonicalFacts, judgeableFiles } from './canonical-facts.ts';
import { judgeControlPlane } from './control-plane.ts';
import type { ControlVerdict } from './control-plane.ts';
import { demandedRun } from './demanded-run.ts';
import type { Facts } from './facts.ts';
import { governingRuns, MAX_RUNS } from './governing.ts';
import { headline } from './headline.ts';
import { CONSEQUENCES, outcomeOf } from './outcome.ts';
import type { Need } from './outcome.ts';
import { selfApprovers, utcDay } from './people.ts';
import { sealReport } from './report.ts';
import type { GateReport } from './report.ts';
import { judgeRun } from './run-verdict.ts';
import type { RunVerdict } from './run-verdict.ts';
import { declaredPaths } from './scope.ts';
import { secretsFindings } from './secrets.ts';
import { snapshotTree } from './snapshot-tree.ts';
import { trustFloor } from './trust.ts';

/**
 * Decides about a pull request. A pure function: the same facts give the same report, to the byte.
 * @param given everything that may be known; what is not in them does not count
 */
export function decide(given: Facts): GateReport {
  const { files, impossible } = judgeableFiles(given.files);
  const facts = canonicalFacts({ ...given, files });
  const rules = baseRules(facts);
  const head: Project = { tree: snapshotTree(facts.head), reading: 'strict' };
  // Of a range there are no reviews, runs of tests or decisions: what governs merging cannot be judged of it.
  const merges = facts.subject.kind !== 'range';
  const named = merges ? governingRuns(facts) : [];
  const runs = named.slice(0, MAX_RUNS).map((run) => judgeRun(facts, rules, head, run));
  const control = merges ? judgeControlPlane(facts, rules) : UNTOUCHED;
  const found = identify([
    ...(merges ? ledgerFindings(facts) : []),
    ...runs.flatMap((run) => run.findings),
    ...control.findings,
    ...scope(facts, rules, runs),
    ...attributionFindings(facts, rules.config),
    ...secretsFindings(facts, rules.config),
  ]);
  const findings = withAllowances(facts, rules.config, found);
  const demanded = runs.length === 0 && merges ? demandedRun(facts, rules) : undefined;
  const needs = distinct([
    ...unreadNeeds(given),
    ...impossible.map((path) => incomplete(`Changed file ${path} has a name that no checkout can hold.`)),
    ...(named.length > MAX_RUNS ? [incomplete(`Only ${MAX_RUNS} of ${named.length} governing runs were judged.`)] : []),
    ...rules.needs,
    ...runs.flatMap((run) => run.needs),
    ...(demanded === undefined ? [] : [demanded]),
    ...control.needs,
    ...findings.flatMap(findingNeed),
  ]);
  const outcome = outcomeOf(needs, runs.length > 0);
  const assertions = runs.flatMap((run) => run.assertions);
  const trust = trustFloor(
    assertions.filter((one) => one.required && one.standing === 'satisfied').map((one) => one.trust),
  );
  const selfApproved = selfApprovers(facts, rules.config);
  return sealReport({
    schema_version: 1,
    engine: facts.engine,
    profile: facts.profile,
    evaluated_at: facts.now,
    subject: subjectOf(facts),
    config_digest: configDigest(rules.config),
    mode: effectiveMode(rules.config, utcDay(facts.now)),
    outcome,
    word: CONSEQUENCES[outcome].word,
    headline: headline(outcome, needs, trust, [
      ...(assertions.some((one) => one.standing === 'waived') ? ['confirmed waivers'] : []),
      ...(selfApproved.length > 0 ? ['self-approval'] : []),
    ]),
    trust,
    needs,
    runs: runs.map(runData),
    findings: findings.map(plainFinding),
    control_plane: { situation: control.situation, approved_by: [...control.approvedBy] },
    notes: [
      ...rules.notes,
      ...present(relaxedText(facts)),
      ...selfApproved.map(
        (login) => `${login} had a hand in it and decides as an administrator; the config allows that.`,
      ),
    ],
  });
}

const UNTOUCHED: ControlVerdict = { situation: 'untouched', approvedBy: [], findings: [], needs: [] };

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function subjectOf({ subject }: Facts): GateReport['subject'] {
  return {
    kind: subject.kind,
    repository: subject.repository ?? null,
    number: subject.number ?? null,
    base_ref: subject.base.ref,
    base_sha: subject.base.sha,
    head_ref: subject.head.ref,
    head_sha: subject.head.sha,
    merge_base: subject.merge_base,
  };
}

function unreadNeeds(facts: Facts): Need[] {
  const { commit_count, file_count, kind, base, head } = facts.subject;
  const unbound = kind !== 'working-tree' && (base.sha === null || head.sha === null);
  const partial = (seen: number, all: number | undefined, what: string): Need[] =>
    all === undefined || seen >= all ? [] : [incomplete(`Only ${seen} of ${all} ${what} were seen.`)];
  return [
    ...facts.unread.map(({ what, why }) => incomplete(`${what} could not be read: ${why}`)),
    // A verdict speaks of one head under the rules of one base; without both it would speak of any.
    ...(unbound ? [incomplete('The facts name no commit of base and head.')] : []),
    ...partial(facts.commits.length, commit_count, 'commits'),
    ...partial(facts.files.length, file_count, 'changed files'),
    ...(facts.rerun?.ran === false
      ? [incomplete(`The tests could not be run again: ${facts.rerun.why}`, RERUN_REMEDY)]
      : []),
  ];
}

const JUDGE_AGAIN = 'Judge it again; if it stays, see docs/limitations.md for the limits.';
const RERUN_REMEDY =
  'Mend what the reason names, and judge it again. The command to run is `test_command` of .rapid-os/config.json on the base branch.';

function incomplete(what: string, how = JUDGE_AGAIN): Need {
  return { outcome: 'incomplete', what, who: 'operator', how };
}

function scope(facts: Facts, { config }: BaseRules, runs: readonly RunVerdict[]): FindingDraft[] {
  const severity = config.scope.enforce === 'off' ? undefined : config.scope.enforce;
  const isAllowed = globMatcher(config.scope.allow);
  const scopes = runs.flatMap(({ spec, named }) =>
    spec === undefined ? [] : [{ runId: named.runId, affectedPaths: spec.affected_paths }],
  );
  const files = facts.files.filter(
    (file) => !(isAllowed(file.path) && (file.old_path === undefined || isAllowed(file.old_path))),
  );
  return scopeFindings(files, scopes, declaredPaths, severity);
}

function findingNeed(finding: Finding): Need[] {
  if (finding.severity !== 'block') return [];
  const run = finding.place.at === 'run' ? { run: finding.place.runId } : {};
  return [{ outcome: 'failed', what: finding.message, who: 'agent', how: finding.remedy, ...run }];
}

function distinct(needs: readonly Need[]): Need[] {
  const seen = new Map<string, Need>();
  for (const need of needs) {
    const key = `${need.outcome}\0${need.run ?? ''}\0${need.what}`;
    if (!seen.has(key)) seen.set(key, need);
  }
  return [...seen.values()];
}

function plainFinding(finding: Finding): GateReport['findings'][number] {
  return { ...finding, place: { ...finding.place } };
}

function runData(run: RunVerdict): GateReport['runs'][number] {
  const { named, contract, resolution, report } = run;
  return {
    run_id: named.runId,
    named_by: [...named.namedBy],
    harness: contract?.harness ?? null,
    classification: contract?.classification ?? null,
    risk: contract?.risk ?? null,
    contract_digest: contract?.contract_digest ?? null,
    resolution: resolution === undefined ? null : { ...resolution },
    report: report === undefined ? null : { ...report },
    assertions: run.assertions.map((one) => ({ ...one, evidence: [...one.evidence] })),
    excuses: run.selfServices.map(({ kind, subject, reason, confirmedBy }) => ({
      kind,
      subject,
      reason,
      confirmed_by: confirmedBy ?? null,
    })),
  };
}
