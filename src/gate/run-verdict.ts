import type { Config } from '../config/schema.ts';
import type { FindingDraft } from '../checks/finding.ts';
import type { Resolution } from '../domain/capabilities/resolution.ts';
import type { Contract } from '../domain/contracts/contract.ts';
import { loadRevision, SPECS } from '../domain/contracts/spec-store.ts';
import type { SpecRevision } from '../domain/contracts/spec.ts';
import { isRefusal } from '../domain/errors.ts';
import { revisionName } from '../domain/identifiers.ts';
import type { Refusal } from '../domain/errors.ts';
import { evaluateRun, loadReports } from '../domain/evaluation/report-store.ts';
import type { VerifiedReports } from '../domain/evaluation/report-store.ts';
import type { Report } from '../domain/evaluation/report.ts';
import type { Project } from '../domain/project.ts';
import { judgeAssertions } from './assertions.ts';
import type { GateAssertion } from './observation.ts';
import type { BaseRules } from './base-rules.ts';
import { changedWork, isRewritten } from './changed-files.ts';
import { spentFinding } from './spent.ts';
import type { Facts } from './facts.ts';
import { fileClaimNeeds } from './file-claims.ts';
import type { NamedRun } from './governing.ts';
import { START_OVER } from './ledger-remedy.ts';
import type { Need } from './outcome.ts';
import { contractWeaknesses } from './recompute.ts';
import { resolveLocked } from './resolution.ts';
import { selfServices } from './self-service.ts';
import type { SelfService } from './self-service.ts';

/** What the gate makes of one governing run. */
export interface RunVerdict {
  readonly named: NamedRun;
  readonly contract: Contract | undefined;
  readonly spec: SpecRevision | undefined;
  readonly resolution: Resolution | undefined;
  /** Rule set 1 over the files alone, unchanged. */
  readonly report: Report | undefined;
  readonly assertions: readonly GateAssertion[];
  readonly selfServices: readonly SelfService[];
  readonly findings: readonly FindingDraft[];
  readonly needs: readonly Need[];
}

/** Judges a governing run: everything it says stands in the head and is a claim. */
export function judgeRun(facts: Facts, rules: BaseRules, head: Project, named: NamedRun): RunVerdict {
  const needs: Need[] = [];
  const { runId } = named;
  const attempt = <T>(body: () => T): T | undefined => {
    try {
      return body();
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      needs.push(refusalNeed(thrown, runId));
      return undefined;
    }
  };
  const nothing = {
    named,
    contract: undefined,
    spec: undefined,
    resolution: undefined,
    report: undefined,
    assertions: [],
    selfServices: [],
  };
  const spent = attempt(() => spentFinding(facts, rules.base, runId)) ?? [];
  const loaded = attempt(() => loadReports(head, runId));
  if (loaded === undefined) return { ...nothing, findings: spent, needs };
  const { contract } = loaded.run;
  const spec = attempt(() => loadRevision(head, contract.spec_id, contract.spec_revision));
  if (spec !== undefined && rules.policy !== undefined) {
    for (const { what } of contractWeaknesses(contract, spec, rules.policy, changedWork(facts))) {
      needs.push({
        outcome: 'failed',
        what: `The contract of run '${runId}' is not what it has to be: ${what}.`,
        who: 'agent',
        how: NEW_RUN,
        run: runId,
      });
    }
    needs.push(...rewrittenSpec(facts, contract));
  }
  const resolution = resolveLocked(rules, contract, needs);
  const judged = judgeLoaded(facts, rules.config, loaded, spec, needs);
  return { named, contract, spec, resolution, ...judged, findings: spent, needs };
}

const NEW_RUN = `A contract is never edited. ${START_OVER}`;

// A spec revision that the base holds was agreed on there; a run cannot be measured by another text of it.
function rewrittenSpec(facts: Facts, { run_id, spec_id, spec_revision }: Contract): Need[] {
  const folder = `${SPECS}/${spec_id}/revisions/${revisionName(spec_revision)}/`;
  if (!isRewritten(facts, folder)) return [];
  return [
    {
      outcome: 'failed',
      what: `Revision ${spec_revision} of spec '${spec_id}' is at the base, and the pull request changes it.`,
      who: 'agent',
      how: `Restore it, and write what is new as a revision of its own: countersign spec revise ${spec_id}`,
      run: run_id,
    },
  ];
}

function judgeLoaded(
  facts: Facts,
  config: Config,
  loaded: VerifiedReports,
  spec: SpecRevision | undefined,
  needs: Need[],
): Pick<RunVerdict, 'report' | 'assertions' | 'selfServices'> {
  const report = evaluateRun(loaded);
  const judged = judgeAssertions(facts, config, loaded.run.contract, report, loaded);
  const assertions = judged.map((one) => one.assertion);
  const services = selfServices(facts, config, loaded.run, spec, assertions);
  needs.push(...judged.flatMap((one) => one.need ?? []), ...services.flatMap((one) => one.need ?? []));
  needs.push(...fileClaimNeeds(facts, loaded));
  return { report, assertions, selfServices: services };
}

/** Codes that say that a document could not be looked at, rather than that it is wrong. */
const UNREADABLE: ReadonlySet<string> = new Set(['RAPID808', 'RAPID1008', 'RAPID1105', 'RAPID1204', 'RAPID1224']);
/** Codes that say that something is not there. */
const MISSING: ReadonlySet<string> = new Set(['RAPID807', 'RAPID802', 'RAPID1007']);

function refusalNeed(refusal: Refusal, run: string): Need {
  const strict = isUnread(refusal);
  const outcome = strict ? 'incomplete' : MISSING.has(refusal.code) ? 'unverified' : 'failed';
  return {
    outcome,
    what: `${refusal.code} ${refusal.message}`,
    who: 'agent',
    how:
      outcome === 'unverified'
        ? 'Commit what is missing, or name the right run.'
        : `Restore the document as the tool wrote it. Where that cannot be: ${START_OVER}`,
    run,
  };
}

/** Whether a document could not be looked at, or strict reading refused it; what rests on it says so with it as cause. */
function isUnread(refusal: Refusal): boolean {
  if (refusal.code.startsWith('CS') || UNREADABLE.has(refusal.code)) return true;
  if (isRefusal(refusal.cause)) return isUnread(refusal.cause);
  // An artifact that was altered and one that could not be read share a code; only the latter has a cause.
  return refusal.code === 'RAPID1205' && refusal.cause !== undefined;
}
