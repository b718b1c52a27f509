import { checkExtraCapabilities } from '../capabilities/catalogue.ts';
import type { CapabilityId } from '../capabilities/catalogue.ts';
import type { Contract } from '../contracts/contract.ts';
import type { RunState } from '../contracts/state.ts';
import { evidenceSetDigest } from '../evidence/evidence-set.ts';
import type { EvidenceRecord } from '../evidence/record.ts';
import { coded, countAt, fault, listAt, objectAt, textAt, versionAt, wordAt } from '../fields.ts';
import { RULESET_DIGEST } from '../format-texts.ts';
import { checkRunId, isDigest } from '../identifiers.ts';
import { digestOf } from '../json/canonical.ts';
import type { JsonNode, JsonObject } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { ownDigestAt } from '../own-digest.ts';
import { readAssertion, VERDICTS, verdictOf } from './assertion.ts';
import type { Assertion, Verdict } from './assertion.ts';
import { assertionsOf } from './ruleset.ts';

/** What may be concluded from a run's evidence; fields in the order in which they are written. */
export interface Report {
  readonly schema_version: 1;
  readonly run_id: string;
  readonly contract_digest: string;
  readonly state_revision: number;
  readonly state_digest: string;
  readonly evidence_set_digest: string;
  readonly ruleset_version: 1;
  readonly ruleset_digest: string;
  readonly extra_capability_ids: readonly CapabilityId[];
  readonly assertions: readonly Assertion[];
  readonly verdict: Verdict;
  readonly report_digest: string;
}

/** Evaluates a state of a run with given records by rule set 1. A pure function of documents. */
export function evaluate(
  contract: Contract,
  state: RunState,
  records: readonly EvidenceRecord[],
  extra: readonly CapabilityId[],
): Report {
  const assertions = assertionsOf(contract, state, records, extra);
  const body = {
    schema_version: 1,
    run_id: contract.run_id,
    contract_digest: contract.contract_digest,
    state_revision: state.revision,
    state_digest: state.content_digest,
    evidence_set_digest: evidenceSetDigest(contract.run_id, records),
    ruleset_version: 1,
    ruleset_digest: RULESET_DIGEST,
    extra_capability_ids: extra,
    assertions,
    verdict: verdictOf(assertions),
  } as const;
  return { ...body, report_digest: digestOf(body) };
}

const REPORT_KEYS = [
  'schema_version',
  'run_id',
  'contract_digest',
  'state_revision',
  'state_digest',
  'evidence_set_digest',
  'ruleset_version',
  'ruleset_digest',
  'extra_capability_ids',
  'assertions',
  'verdict',
  'report_digest',
];

/**
 * Reads a report by its own rules; whether it follows from the run is `replayReport`'s.
 * @throws Refusal RAPID1221 (`place.code`), RAPID1222 for its digest
 */
export function readReport(node: JsonNode, place: JsonPlace): Report {
  const object = objectAt(node, 'the report', place, REPORT_KEYS);
  versionAt(object, place);
  if (object.get('ruleset_version') !== 1) throw fault(place, "'ruleset_version' must be the integer 1.");
  const assertions = listAt(object, 'assertions', place).map((item) => readAssertion(item, place));
  const ids = new Set<string>();
  for (const { id } of assertions) {
    if (ids.has(id)) throw fault(place, `assertion '${id}' stands there twice.`);
    ids.add(id);
  }
  if (!ids.has('run.lifecycle')) throw fault(place, "assertion 'run.lifecycle' is missing.");
  const verdict = wordAt(object, 'verdict', VERDICTS, place);
  const follows = verdictOf(assertions);
  if (verdict !== follows)
    throw fault(place, `'verdict' is '${verdict}', but '${follows}' follows from the assertions.`);
  const body = {
    schema_version: 1,
    run_id: checkRunId(textAt(object, 'run_id', place), place.code),
    contract_digest: digestField(object, 'contract_digest', place),
    state_revision: countAt(object, 'state_revision', 1, place),
    state_digest: digestField(object, 'state_digest', place),
    evidence_set_digest: digestField(object, 'evidence_set_digest', place),
    ruleset_version: 1,
    ruleset_digest: digestField(object, 'ruleset_digest', place),
    extra_capability_ids: extraAt(object, place),
    assertions,
    verdict,
  } as const;
  return { ...body, report_digest: ownDigestAt(object, 'report_digest', digestOf(body), coded(place, 'RAPID1222')) };
}

function digestField(object: JsonObject, key: string, place: JsonPlace): string {
  const digest = textAt(object, key, place);
  if (!isDigest(digest)) throw fault(place, `'${key}' must be 64 lower-case hex digits.`);
  return digest;
}

function extraAt(object: JsonObject, place: JsonPlace): CapabilityId[] {
  const ids = listAt(object, 'extra_capability_ids', place).map((item) => {
    if (typeof item !== 'string') throw fault(place, "'extra_capability_ids' must be a list of texts.");
    return item;
  });
  return checkExtraCapabilities(ids, 'RAPID1221');
}
