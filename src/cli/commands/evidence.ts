import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { evidenceSetDigest, verifyEvidence } from '../../domain/evidence/evidence-set.ts';
import { EVIDENCE_KINDS, PAYLOAD_FIELDS } from '../../domain/evidence/payload.ts';
import type { EvidenceRecord } from '../../domain/evidence/record.ts';
import { Refusal } from '../../domain/errors.ts';
import type { JsonNode, JsonObject } from '../../domain/json/node.ts';
import { readJson } from '../../domain/json/read.ts';
import { writeJson } from '../../domain/json/canonical.ts';
import { visibleLines } from '../../render/visible.ts';
import { addEvidence } from '../../workspace/evidence.ts';
import type { EvidenceSource } from '../../workspace/evidence.ts';
import { openProject } from '../../workspace/workspace.ts';
import { answer, collect, group, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { progressLine, table } from '../terminal.ts';
import { revisionOption } from './spec.ts';

interface AddOptions extends CommonOptions {
  readonly file?: string;
  readonly baseDir?: string;
  readonly kind?: string;
  readonly producer?: string;
  readonly summary?: string;
  readonly payload?: string;
  readonly task?: readonly string[];
  readonly gate?: readonly string[];
  readonly capability?: readonly string[];
  readonly artifact?: readonly string[];
  readonly stateRevision?: number;
}

/** `evidence add|list|show|verify` */
export function addEvidenceCommands(program: Command, session: Session): void {
  const evidence = group(program, 'evidence', 'evidence: append-only records of what was observed');
  leaf(evidence, 'add <run>', 'add a record, with its artifacts', [
    'evidence add login-fix-r1-run-001 --file evidence.json',
    'evidence add login-fix-r1-run-001 --kind test_result --producer harness:codex --summary "Unit tests" --payload \'{"suite":"unit","exit_code":0,"passed":12,"failed":0,"skipped":0}\' --gate gate.tests --artifact test.log',
  ])
    .option('--file <file>', 'authoring object as JSON, - for stdin; instead of the options below')
    .option('--base-dir <folder>', 'folder in which artifacts are looked for first')
    .option('--kind <kind>', EVIDENCE_KINDS.join(', '))
    .option('--producer <name>', 'who observed it, such as harness:codex or ci')
    .option('--summary <text>', 'one line')
    .option('--payload <json>', 'what was observed; the fields depend on the kind, see below')
    .option('--task <task>', 'task that it shows (repeatable)', collect)
    .option('--gate <gate>', 'gate that it shows (repeatable)', collect)
    .option('--capability <capability>', 'capability that it shows (repeatable)', collect)
    .option('--artifact <path>', 'file to keep with the record (repeatable)', collect)
    .option('--state-revision <number>', 'state that it belongs to (default: the current one)', revisionOption)
    .addHelpText(
      'after',
      `\nPayload fields by kind:\n${EVIDENCE_KINDS.map((kind) => `  ${kind.padEnd(16)} ${PAYLOAD_FIELDS[kind].join(', ')}`).join('\n')}`,
    )
    .action(async (runId: string, options: AddOptions) => {
      const source = sourceOf(session, options);
      const progress = progressLine(session.terminal, 'Verifying evidence');
      const root = rootOf(session, options);
      const record = addEvidence(root, runId, source, { onRecord: progress.step });
      progress.end();
      answer(
        session,
        options,
        record,
        () =>
          `Added ${record.id} to run '${runId}': ${record.kind}, ${record.artifacts.length} artifact(s), digest ${record.content_digest}.\n`,
      );
      const { ignoredArtifactsWarning } = await import('../ignored-artifacts.ts');
      const warning = await ignoredArtifactsWarning(root, record);
      if (warning !== undefined) session.terminal.err(warning);
    });

  leaf(evidence, 'list <run>', 'verify and list the records of a run', ['evidence list login-fix-r1-run-001']).action(
    (runId: string, options: CommonOptions) => {
      const { records } = verified(session, options, runId);
      answer(session, options, records, () => listText(session, records));
    },
  );

  leaf(evidence, 'show <run> <evidence>', 'print a record', ['evidence show login-fix-r1-run-001 E001']).action(
    (runId: string, id: string, options: CommonOptions) => {
      const record = verified(session, options, runId).records.find((one) => one.id === id);
      if (record === undefined) throw new Refusal('RAPID1201', `Run '${runId}' has no evidence '${id}'.`);
      answer(session, options, record, () => visibleLines(writeJson(record)));
    },
  );

  leaf(evidence, 'verify <run>', 'verify every record and artifact of a run', [
    'evidence verify login-fix-r1-run-001',
  ]).action((runId: string, options: CommonOptions) => {
    const { records, orphans } = verified(session, options, runId);
    const digest = evidenceSetDigest(runId, records);
    const data = {
      records: records.map(({ id, content_digest }) => ({ id, content_digest })),
      evidence_set_digest: digest,
      orphan_artifact_dirs: orphans,
    };
    answer(session, options, data, () => {
      const note = orphans
        .map((orphan) => `Artifact folder ${orphan} has no record: an interrupted addition left it.\n`)
        .join('');
      return `${records.length} record(s) verified, evidence set ${digest}.\n${note}`;
    });
  });
}

function verified(session: Session, options: CommonOptions, runId: string) {
  const progress = progressLine(session.terminal, 'Verifying evidence');
  const result = verifyEvidence(openProject(rootOf(session, options)), runId, { onRecord: progress.step });
  progress.end();
  return result;
}

function listText(session: Session, records: readonly EvidenceRecord[]): string {
  const rows = records.map((record) => [
    record.id,
    record.kind,
    record.producer,
    [...record.task_ids, ...record.gate_ids].join(' '),
    record.summary,
  ]);
  return table(session.terminal, ['id', 'kind', 'producer', 'shows', 'summary'], rows) || 'No evidence yet.\n';
}

function sourceOf(session: Session, options: AddOptions): EvidenceSource {
  const base = options.baseDir === undefined ? {} : { baseDir: resolve(session.cwd, options.baseDir) };
  const authored = [options.kind, options.producer, options.summary, options.payload].filter(
    (one) => one !== undefined,
  );
  if (options.file !== undefined) {
    if (authored.length > 0) throw new Refusal('CS1301', 'Give either --file or the options of the record, not both.');
    if (options.file === '-')
      return {
        from: 'object',
        node: parse(readFileSync(0, 'utf8'), 'stdin', 'RAPID1202'),
        baseDir: session.cwd,
        ...base,
      };
    return { from: 'file', file: resolve(session.cwd, options.file), ...base };
  }
  return { from: 'object', node: authoredObject(options), baseDir: session.cwd, ...base };
}

/** What suggestions show where the reader has to fill in: as a whole value, or as a text within a payload. */
const PLACEHOLDER = /^(?:…|<[a-z]+>)$|"…"/;

/** A record stays for good: one that says "…" would never be of use. @throws Refusal CS1301 */
function expectFilledIn(options: AddOptions): void {
  const values: readonly (readonly [string, string | undefined])[] = [
    ['--summary', options.summary],
    ['--payload', options.payload],
    ...(options.artifact ?? []).map((path) => ['--artifact', path] as const),
    ...(options.task ?? []).map((id) => ['--task', id] as const),
    ...(options.gate ?? []).map((id) => ['--gate', id] as const),
  ];
  const left = values.find(([, text]) => text !== undefined && PLACEHOLDER.test(text.trim()));
  if (left === undefined) return;
  throw new Refusal('CS1301', `${left[0]} still has a placeholder in it: ${left[1] ?? ''}`, {
    remedy: 'Put in its place what was really observed. A record cannot be taken back.',
  });
}

function authoredObject(options: AddOptions): JsonObject {
  expectFilledIn(options);
  const fields: readonly (readonly [string, JsonNode | undefined])[] = [
    ['kind', options.kind],
    ['producer', options.producer],
    ['summary', options.summary],
    ['payload', options.payload === undefined ? undefined : parse(options.payload, '--payload', 'RAPID1206')],
    ['task_ids', list(options.task)],
    ['gate_ids', list(options.gate)],
    ['capability_ids', list(options.capability)],
    ['artifacts', list(options.artifact)],
    ['state_revision', options.stateRevision],
  ];
  const object: JsonObject = new Map();
  for (const [key, node] of fields) if (node !== undefined) object.set(key, node);
  return object;
}

function list(values: readonly string[] | undefined): JsonNode | undefined {
  return values === undefined ? undefined : [...values];
}

function parse(text: string, name: string, code: 'RAPID1202' | 'RAPID1206'): JsonNode {
  return readJson(text, { code, file: name, reading: 'compatible' });
}
