import type { CodeEntry } from './entry.ts';

/** The codes of Rapid OS 3.0.0 that its formats give to faults of a document or an operation. */
export const RAPID_CODES = {
  RAPID801: {
    title: 'Spec record or spec revision is malformed',
    remedy: 'Restore the spec from version control, or write a new revision with `countersign spec revise`.',
  },
  RAPID802: {
    title: "The spec's current revision is missing",
    remedy: 'Restore the revision folder from version control.',
  },
  RAPID803: { title: "A spec's manifest is malformed", remedy: 'Give what the message names, or restore spec.json.' },
  RAPID804: {
    title: 'Spec artifacts differ from their revision',
    remedy: 'Never edit a revision in place: restore it and use `countersign spec revise`.',
  },
  RAPID805: {
    title: 'Spec lifecycle does not allow this',
    remedy: 'Look at `countersign spec show` and set the status with `countersign spec status`.',
  },
  RAPID806: {
    title: 'Spec identity does not fit',
    remedy: 'Use an id of lower-case letters, digits and dashes (at most 63 characters) that is not taken.',
  },
  RAPID807: { title: 'No such spec', remedy: 'List the specs with `countersign spec list`.' },
  RAPID808: {
    title: 'Unsafe or unreadable spec path',
    remedy: 'Remove links that leave their folder, and make the files readable UTF-8.',
  },
  RAPID1001: {
    title: 'Run record is malformed',
    remedy: 'Restore run.json from version control; never edit it by hand.',
  },
  RAPID1002: {
    title: 'Execution contract is malformed or was changed',
    remedy: 'Contracts are immutable: restore contract.json, or create a new run.',
  },
  RAPID1003: {
    title: 'Run and spec do not fit',
    remedy: 'Make the spec ready and create the run from it with `countersign run create`.',
  },
  RAPID1004: {
    title: 'Context snapshot is missing or was changed',
    remedy: 'Restore context.md and context-manifest.json of the run.',
  },
  RAPID1005: {
    title: 'Execution policy is malformed, or a class, risk or kind is unknown',
    remedy: 'Correct the value; `countersign policy show` prints the policy in force.',
  },
  RAPID1006: {
    title: 'Execution policy would be loosened',
    remedy: 'Ask for at least what the policy demands; a policy may only tighten the built-in one.',
  },
  RAPID1007: { title: 'No such run or state', remedy: 'List the runs with `countersign run list`.' },
  RAPID1008: {
    title: 'Unsafe or unreadable run or policy path',
    remedy: 'Remove links that leave their folder, and make the files readable UTF-8.',
  },
  RAPID1009: {
    title: 'Run status cannot change like this',
    remedy: 'See the transitions in docs/reference/formats.md.',
  },
  RAPID1010: {
    title: 'Task cannot change like this',
    remedy: 'See the transitions in docs/reference/formats.md, and the tasks with `countersign run show`.',
  },
  RAPID1011: {
    title: 'A state of the run is missing',
    remedy: 'Restore the states folder of the run from version control.',
  },
  RAPID1012: { title: 'Run state is invalid', remedy: 'States are append-only: restore the states folder of the run.' },
  RAPID1013: {
    title: 'Gate cannot change like this',
    remedy: 'See the gates with `countersign run show`; only a waivable gate can be waived, and with a reason.',
  },
  RAPID1014: { title: 'A precondition does not hold', remedy: 'Address what the message names first.' },
  RAPID1101: { title: 'Unknown capability id', remedy: 'The eleven ids are listed by `countersign harness show`.' },
  RAPID1102: { title: 'Harness profile is malformed', remedy: 'Correct it; after an edit, delete its content_digest.' },
  RAPID1103: {
    title: 'No such harness',
    remedy: 'Write a profile with `countersign harness init <id>`, then `countersign harness lock`.',
  },
  RAPID1104: {
    title: 'Malformed harness id',
    remedy: 'Use lower-case letters, digits and dashes, at most 63 characters, starting with a letter or digit.',
  },
  RAPID1105: {
    title: 'Unsafe or unreadable profile or lock path',
    remedy: 'Remove links that leave their folder, and make the files readable UTF-8.',
  },
  RAPID1106: {
    title: 'Declaration in a harness profile is malformed',
    remedy: 'Each capability is declared once, as supported, unsupported or unknown, with a reason.',
  },
  RAPID1110: {
    title: 'Compatibility is required and not given',
    remedy:
      "Declare the missing capabilities in the harness's profile if they are true, or use a harness that has them.",
  },
  RAPID1111: {
    title: 'Capability lock is missing or malformed',
    remedy: 'Write it with `countersign harness lock` and commit it.',
  },
  RAPID1112: {
    title: 'Capability lock is stale',
    remedy: 'Write it anew with `countersign harness lock` and have the change reviewed.',
  },
  RAPID1201: {
    title: 'Malformed evidence id or record name',
    remedy: 'Ids are given by the tool; remove `id` from the authoring input.',
  },
  RAPID1202: {
    title: 'Evidence record or authoring input is malformed',
    remedy: 'Give what the message names (`countersign evidence add --help`); restore changed records.',
  },
  RAPID1203: {
    title: 'Evidence does not belong to this run, contract, state or harness',
    remedy: 'Evidence binds to one state of one run; add it anew for this run.',
  },
  RAPID1204: {
    title: 'Unsafe evidence path',
    remedy: 'Name artifacts by a relative path inside the project, without links that leave it.',
  },
  RAPID1205: {
    title: 'Artifact is missing or was changed',
    remedy: 'Name a file that exists; restore an artifact that was changed, since its bytes are bound by digest.',
  },
  RAPID1206: { title: 'Evidence payload or kind is malformed', remedy: 'See `countersign evidence add --help`.' },
  RAPID1207: {
    title: 'Evidence refers to something that does not exist',
    remedy: 'Refer to tasks and gates of the contract and to known capabilities.',
  },
  RAPID1208: { title: 'Evidence numbering has a gap', remedy: 'Records are append-only: restore the missing one.' },
  RAPID1211: {
    title: 'Evidence would be overwritten or is repeated',
    remedy: 'Remove the orphan artifact folder, or name each artifact once.',
  },
  RAPID1221: {
    title: 'Report is malformed',
    remedy: 'Restore the reports folder; reports are written by `countersign eval run --write`.',
  },
  RAPID1222: { title: 'Report digest is wrong', remedy: 'Restore the report; never edit it.' },
  RAPID1223: {
    title: 'Report does not follow from run and evidence',
    remedy: 'Restore the run, its evidence and its reports together.',
  },
  RAPID1224: { title: 'Unsafe or unreadable report path', remedy: 'Remove links, and make the files readable UTF-8.' },
  RAPID1225: {
    title: 'A pass is required and the verdict is unverified',
    remedy: 'Add the evidence that the report names as missing.',
  },
  RAPID1226: { title: 'A pass is required and the verdict is fail', remedy: 'Mend what the failing evidence shows.' },
  RAPID1227: {
    title: 'Report is older than the latest state or evidence',
    remedy: 'Write a new one with `countersign eval run --write`.',
  },
  RAPID1228: { title: 'No such report', remedy: 'List the reports with `countersign eval list`.' },
  RAPID1229: { title: 'Report would be overwritten', remedy: 'Leave the revision out; the next number is taken.' },
} as const satisfies Record<string, CodeEntry>;
