import { controlEdits, controlFindings } from '../checks/control-plane/check.ts';
import type { ControlEdit } from '../checks/control-plane/check.ts';
import type { FindingDraft } from '../checks/finding.ts';
import { globMatcher } from '../config/globs.ts';
import type { Config } from '../config/schema.ts';
import { LOCK } from '../domain/capabilities/lock.ts';
import type { BaseRules } from './base-rules.ts';
import { configPathOf } from './caller.ts';
import type { Facts } from './facts.ts';
import type { Need } from './outcome.ts';
import { approvingReviews, decisionsFor, demandsFor, notCounted, openDemand } from './people.ts';
import type { Standing } from './people.ts';
import type { GateReport } from './report.ts';

/** Paths that a message shows. */
const SHOWN = 5;

/** What became of the edits of files that govern the gate. */
export interface ControlVerdict {
  readonly situation: GateReport['control_plane']['situation'];
  /** Logins, sorted. */
  readonly approvedBy: readonly string[];
  readonly findings: readonly FindingDraft[];
  readonly needs: readonly Need[];
}

/** Judges the edits of the control plane: by the base's rules, and with the people that it names. */
export function judgeControlPlane(facts: Facts, rules: BaseRules): ControlVerdict {
  const edits = controlEdits(facts.files, configuredPaths(rules.config, configPathOf(facts)));
  if (edits.length === 0) return { situation: 'untouched', approvedBy: [], findings: [], needs: [] };
  const governed = rules.hasConfig || rules.lock !== undefined || rules.needs.length > 0;
  const situation = governed ? 'governed' : bringsGate(edits, configPathOf(facts)) ? 'bootstrap' : 'ungoverned';
  const findings = controlFindings(edits, situation);
  if (situation === 'ungoverned') return { situation, approvedBy: [], findings, needs: [] };
  const standings: Standing[] = [
    ...decisionsFor(facts, rules.config, 'approve', ({ subject }) => subject === ''),
    ...approvingReviews(facts, rules.config),
  ].map(({ standing }) => standing);
  const people = standings.flatMap((standing) => (standing.counts ? [standing.person] : []));
  const approvedBy = [...new Set(people.map(({ login }) => login))].sort();
  const open = openDemand(demandsFor(rules.config.control_plane.approvers), people);
  if (open === undefined) return { situation, approvedBy, findings, needs: [] };
  const ignored = notCounted(standings.flatMap((standing) => (standing.counts ? [] : [standing.why])));
  const what = situation === 'bootstrap' ? 'brings the gate in' : 'changes files that govern the gate';
  const need: Need = {
    outcome: 'pending',
    what: `The pull request ${what}: ${shownPaths(edits)}.${ignored}`,
    who: 'person',
    how: `These files have to be reviewed and approved at this head by ${open}: an approving review, or \`/countersign approve\``,
  };
  return { situation, approvedBy, findings, needs: [need] };
}

function shownPaths(edits: readonly ControlEdit[]): string {
  const paths = edits.map((edit) => edit.path);
  return paths.slice(0, SHOWN).join(', ') + (paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '');
}

// A protection errs towards matching: configured paths are compared in lower case too. The list of known findings is
// the gate's own wherever the config puts it, as is the config wherever the caller has it.
function configuredPaths({ control_plane, secrets }: Config, configPath: string): (path: string) => boolean {
  const patterns = [...control_plane.paths, secrets.baseline, configPath];
  const matches = globMatcher([...patterns, ...patterns.map((pattern) => pattern.toLowerCase())]);
  return (path) => matches(path) || matches(path.toLowerCase());
}

// There is nothing at the base that could be changed, so whatever touches these puts them there.
function bringsGate(edits: readonly ControlEdit[], configPath: string): boolean {
  return edits.some(({ path, status }) => (path === LOCK || path === configPath) && status !== 'deleted');
}
