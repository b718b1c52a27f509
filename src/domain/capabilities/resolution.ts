import { REQUIREMENT_REASONS, RESOLUTION_TEXTS } from '../format-texts.ts';
import type { Contract } from '../contracts/contract.ts';
import { digestOf, without } from '../json/canonical.ts';
import { compareCodePoints } from '../text/order.ts';
import { checkExtraCapabilities } from './catalogue.ts';
import type { CapabilityId } from './catalogue.ts';
import { declarationOf } from './profile.ts';
import type { ActiveProfile } from './profile.ts';

/** A capability that a run needs, and which part of the contract says so. */
export interface Requirement {
  readonly capability_id: CapabilityId;
  readonly required: true;
  readonly source: string;
  readonly reason: string;
}

export type Compatibility = 'compatible' | 'incompatible' | 'unresolved';

/** The answer to "could this harness do it?"; declared, never observed. */
export interface Resolution {
  readonly schema_version: 1;
  readonly harness_id: string;
  readonly contract_digest: string;
  readonly profile_source: string;
  readonly profile_digest: string;
  readonly requirements: readonly Requirement[];
  readonly satisfied: readonly CapabilityId[];
  readonly missing: readonly CapabilityId[];
  readonly unknown: readonly CapabilityId[];
  readonly status: Compatibility;
  readonly reasons: readonly string[];
  readonly resolution_digest: string;
}

/**
 * What a contract requires of its harness, sorted by id.
 * @param extra further capability ids, already checked
 */
export function requirementsOf(contract: Contract, extra: readonly CapabilityId[] = []): Requirement[] {
  const requirements: Requirement[] = [
    requirement('context.consume', 'contract.context', REQUIREMENT_REASONS.context),
    requirement('repository.read', 'contract.repository', REQUIREMENT_REASONS.repository),
    contract.workspace === 'isolated_required'
      ? requirement('workspace.isolated', 'contract.workspace', REQUIREMENT_REASONS.workspaceIsolated)
      : requirement('workspace.current', 'contract.workspace', REQUIREMENT_REASONS.workspaceCurrent),
  ];
  if (contract.tasks.length > 0) {
    requirements.push(
      requirement('repository.write', 'contract.tasks', REQUIREMENT_REASONS.tasks(contract.tasks.length)),
    );
  }
  if (contract.gates.some((gate) => gate.required && gate.kind === 'implementation_tests')) {
    requirements.push(requirement('tests.execute', 'contract.gate.tests', REQUIREMENT_REASONS.tests));
  }
  for (const id of extra) {
    if (requirements.some((one) => one.capability_id === id)) continue;
    requirements.push(requirement(id, 'cli.require', REQUIREMENT_REASONS.extra(id)));
  }
  return requirements.sort((a, b) => compareCodePoints(a.capability_id, b.capability_id));
}

function requirement(capability_id: CapabilityId, source: string, reason: string): Requirement {
  return { capability_id, required: true, source, reason };
}

/**
 * Resolves a contract's requirements against a harness profile, live or locked.
 * @param extra further capability ids, as given by the caller
 * @throws Refusal RAPID1101 for an extra id that is none
 */
export function resolve(contract: Contract, active: ActiveProfile, extra: readonly string[] = []): Resolution {
  const requirements = requirementsOf(contract, checkExtraCapabilities(extra, 'RAPID1101'));
  const declared = requirements.map(({ capability_id }) => declarationOf(active.profile, capability_id));
  const idsOf = (support: string): CapabilityId[] =>
    declared.filter(({ status }) => status === support).map(({ capability_id }) => capability_id);
  const satisfied = idsOf('supported');
  const missing = idsOf('unsupported');
  const unknown = idsOf('unknown');
  const status: Compatibility = missing.length > 0 ? 'incompatible' : unknown.length > 0 ? 'unresolved' : 'compatible';
  const reasons = declared.flatMap(({ capability_id, status: support, reason }): string[] => {
    if (support === 'supported') return [];
    return [RESOLUTION_TEXTS[support === 'unknown' ? 'unknown' : 'unsupported'](capability_id, active.id, reason)];
  });
  const body = {
    schema_version: 1,
    harness_id: active.id,
    contract_digest: contract.contract_digest,
    profile_source: active.source,
    profile_digest: active.profile_digest,
    requirements,
    satisfied,
    missing,
    unknown,
    status,
    reasons: status === 'compatible' ? [RESOLUTION_TEXTS.compatible(requirements.length, active.id)] : reasons,
  } as const;
  return { ...body, resolution_digest: digestOf(without(body, 'schema_version')) };
}
