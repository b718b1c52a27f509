import type { ActivePolicy } from '../domain/contracts/policy.ts';
import type { Contract } from '../domain/contracts/contract.ts';
import { decideExecution } from '../domain/contracts/decision.ts';
import type { Decision, DecisionRequest } from '../domain/contracts/decision.ts';
import { CLASSIFICATIONS, isBelow, RISKS, WORKSPACES } from '../domain/contracts/risk.ts';
import type { SpecRevision } from '../domain/contracts/spec.ts';
import { sortedUnique } from '../domain/text/order.ts';

/** One way in which a contract is weaker than what its spec, the base's policy and the changed paths demand. */
export interface Weakness {
  readonly what: string;
}

/**
 * Recomputes what a run had to be and compares the contract with it. The contract stands in the head: it is a
 * claim like everything else there. A stronger contract is fine.
 * @param changedPaths the paths that really changed, claims left out
 */
export function contractWeaknesses(
  contract: Contract,
  spec: SpecRevision,
  policy: ActivePolicy,
  changedPaths: readonly string[],
): Weakness[] {
  const weaknesses: Weakness[] = [];
  const weak = (what: string): void => void weaknesses.push({ what });
  if (contract.spec_content_digest !== spec.content_digest) {
    weak(`it was made from another text of revision ${spec.revision} of spec '${spec.spec_id}'`);
  }
  if (contract.policy_digest !== policy.digest) weak("it is bound to another policy than the base's");
  const tasks = contract.tasks.map((task) => task.description);
  if (
    tasks.length !== spec.implementation_tasks.length ||
    tasks.some((task, index) => task !== spec.implementation_tasks[index])
  ) {
    weak(`its tasks are not those of the spec (${tasks.length} of ${spec.implementation_tasks.length})`);
  }
  const demanded = demandedDecision(contract.decision, spec, policy, changedPaths);
  return [...weaknesses, ...decisionWeaknesses(contract.decision, demanded)];
}

/**
 * The decision that the base's policy makes of a spec whose affected paths are the declared and the changed ones. Where
 * the contract asks for more care than that, it is held to what it asks for: a higher risk brings its gates along.
 */
function demandedDecision(
  given: Decision,
  spec: SpecRevision,
  { policy }: ActivePolicy,
  changedPaths: readonly string[],
): Decision {
  // Not made a revision of: that would refuse names which a file may well have.
  const changed = changedPaths.map((path) => path.replaceAll('\\', '/'));
  const widened = { ...spec, affected_paths: sortedUnique([...spec.affected_paths, ...changed]) };
  const least = decideExecution(widened, policy);
  const asked: DecisionRequest = isBelow(CLASSIFICATIONS, least.classification, given.classification)
    ? { classification: given.classification }
    : {};
  const classed = decideExecution(widened, policy, asked);
  if (!isBelow(RISKS, classed.risk, given.risk)) return classed;
  return decideExecution(widened, policy, { ...asked, risk: given.risk });
}

function decisionWeaknesses(given: Decision, demanded: Decision): Weakness[] {
  const weaknesses: Weakness[] = [];
  const because = demanded.risk_signals.map((signal) => signal.id).join(', ');
  const why = because === '' ? '' : ` (${because})`;
  if (isBelow(CLASSIFICATIONS, given.classification, demanded.classification)) {
    weaknesses.push({
      what: `its class is '${given.classification}', and '${demanded.classification}' is demanded${why}`,
    });
  }
  if (isBelow(RISKS, given.risk, demanded.risk)) {
    weaknesses.push({ what: `its risk is '${given.risk}', and '${demanded.risk}' is demanded${why}` });
  }
  if (isBelow(WORKSPACES, given.workspace, demanded.workspace)) {
    weaknesses.push({ what: 'it allows the current workspace, and an isolated one is demanded' });
  }
  for (const gate of demanded.gates) {
    const own = given.gates.find((one) => one.id === gate.id);
    if (own === undefined) weaknesses.push({ what: `it lacks ${gate.id}, which is demanded` });
    else if (!own.required && gate.required) weaknesses.push({ what: `${gate.id} is optional in it, and demanded` });
    else if (own.kind !== gate.kind || own.phase !== gate.phase)
      weaknesses.push({ what: `${gate.id} is of another kind in it` });
  }
  for (const gate of given.gates) {
    const demandedGate = demanded.gates.find((one) => one.id === gate.id);
    if (gate.waivable && demandedGate?.waivable !== true)
      weaknesses.push({ what: `${gate.id} is waivable in it, and must not be` });
  }
  return weaknesses;
}
