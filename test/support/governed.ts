import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changeGate, changeStatus, changeTask } from '../../src/domain/contracts/transitions.ts';
import { CAPABILITY_IDS } from '../../src/domain/capabilities/catalogue.ts';
import { makeProfile } from '../../src/domain/capabilities/profile.ts';
import { currentState, loadRun } from '../../src/domain/contracts/ledger.ts';
import { writeJson } from '../../src/domain/json/canonical.ts';
import { readJson } from '../../src/domain/json/read.ts';
import type { SnapshotEntry } from '../../src/gate/facts.ts';
import { addEvidence } from '../../src/workspace/evidence.ts';
import { writeLock } from '../../src/workspace/harnesses.ts';
import { appendState, createRun } from '../../src/workspace/runs.ts';
import { createSpec, setSpecStatus } from '../../src/workspace/specs.ts';
import { openProject } from '../../src/workspace/workspace.ts';

/** What a governed project for a test looks like; everything has a default. */
export interface GovernedOptions {
  readonly harness?: string;
  readonly mode?: string;
  readonly tasks?: readonly string[];
  readonly paths?: readonly string[];
  readonly tags?: readonly string[];
  readonly risk?: string;
  readonly unsupported?: readonly string[];
  readonly unknown?: readonly string[];
  readonly policy?: object;
  /** How far the run is carried. */
  readonly until?: 'created' | 'active' | 'done' | 'finished';
  /** Gates to waive, with the reason. */
  readonly waive?: Readonly<Record<string, string>>;
  /** Tasks to skip. */
  readonly skip?: readonly string[];
  /** Evidence to leave out, by gate id, task id or `file_change`, `workspace`. */
  readonly without?: readonly string[];
  /** Paths of the file_change record. */
  readonly changed?: readonly string[];
  /** What the result of the tests says beside its suite. */
  readonly tests?: Readonly<Partial<Record<'exit_code' | 'passed' | 'failed' | 'skipped', number>>>;
  /** Evidence to add at the end, as authoring objects. */
  readonly more?: readonly object[];
}

/** A governed project on disk, with one run carried as far as asked. */
export interface Governed {
  readonly root: string;
  readonly runId: string;
  readonly contractDigest: string;
  /** Every file below `.rapid-os`, as entries of a snapshot. */
  readonly entries: () => SnapshotEntry[];
  readonly remove: () => void;
}

/** Builds a governed project with the real writers, in a folder of its own. */
export function governedProject(options: GovernedOptions = {}): Governed {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-governed-')));
  const harness = options.harness ?? 'codex';
  write(root, `.rapid-os/harnesses/${harness}.json`, profileText(harness, options));
  if (options.policy !== undefined)
    write(root, '.rapid-os/policy.json', JSON.stringify({ schema_version: 1, ...options.policy }));
  writeLock(root);
  createSpec(root, 'demo', {
    title: 'Demo',
    mode: options.mode ?? 'feature',
    implementation_tasks: options.tasks ?? ['Write it'],
    affected_paths: options.paths ?? ['src/app.ts'],
    tags: options.tags ?? [],
    acceptance_criteria: ['It works'],
  });
  setSpecStatus(root, 'demo', 'ready');
  const run = createRun(root, {
    specId: 'demo',
    harness,
    ...(options.risk === undefined ? {} : { risk: options.risk }),
  });
  const runId = run.record.id;
  carry(root, runId, options);
  return {
    root,
    runId,
    contractDigest: run.contract.contract_digest,
    entries: () => entriesBelow(root, '.rapid-os'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function profileText(harness: string, { unsupported = [], unknown = [] }: GovernedOptions): string {
  const declarations = CAPABILITY_IDS.map((capability_id) => ({
    capability_id,
    status: unsupported.includes(capability_id)
      ? ('unsupported' as const)
      : unknown.includes(capability_id)
        ? ('unknown' as const)
        : ('supported' as const),
    reason: 'Tried by hand.',
  }));
  return writeJson(makeProfile(harness, declarations));
}

const STAGES = ['created', 'active', 'done', 'finished'] as const;

function carry(root: string, runId: string, options: GovernedOptions): void {
  const until = STAGES.indexOf(options.until ?? 'finished');
  const gates = (phase: string): void => {
    for (const gate of gateIds(root, runId, phase)) {
      const reason = options.waive?.[gate];
      appendState(root, runId, (run, state) =>
        changeGate(run.contract, state, gate, reason === undefined ? 'ack' : 'waive', reason ?? 'Seen'),
      );
    }
  };
  if (until < 1) return;
  gates('pre_execution');
  appendState(root, runId, (_run, state) => changeStatus(state, 'active'));
  if (until < 2) return;
  for (const id of taskIds(root, runId)) {
    if (options.skip?.includes(id) === true) {
      appendState(root, runId, (run, state) => changeTask(run.contract, state, id, 'skipped', 'Not needed'));
      continue;
    }
    appendState(root, runId, (run, state) => changeTask(run.contract, state, id, 'in_progress'));
    appendState(root, runId, (run, state) => changeTask(run.contract, state, id, 'done'));
  }
  if (until < 3) return;
  gates('post_execution');
  appendState(root, runId, (_run, state) => changeStatus(state, 'finished'));
  for (const authored of [...standardEvidence(root, runId, options), ...(options.more ?? [])]) {
    addAuthored(root, runId, authored);
  }
}

/** Adds evidence given as a plain authoring object. */
export function addAuthored(root: string, runId: string, authored: object): void {
  const node = readJson(JSON.stringify(authored), { code: 'RAPID1202', file: 'authored', reading: 'compatible' });
  addEvidence(root, runId, { from: 'object', node });
}

function standardEvidence(root: string, runId: string, options: GovernedOptions): object[] {
  write(root, 'out/test.log', '12 passed\n');
  const without = options.without ?? [];
  const tasks = taskIds(root, runId).filter((id) => !without.includes(id));
  const gates = [...gateIds(root, runId, 'pre_execution'), ...gateIds(root, runId, 'post_execution')].filter(
    (id) => !without.includes(id),
  );
  const producer = `harness:${options.harness ?? 'codex'}`;
  const linked = (id: string): string[] => (gates.includes(id) ? [id] : []);
  const review = (gate: string, review_type: string): object[] =>
    gates.includes(gate)
      ? [
          {
            kind: 'review',
            producer: 'user',
            summary: 'Reviewed',
            gate_ids: [gate],
            payload: { review_type, outcome: 'approved', reviewer: 'ana' },
          },
        ]
      : [];
  const evidence: object[] = [
    {
      kind: 'test_result',
      producer,
      summary: 'Unit tests',
      task_ids: tasks,
      gate_ids: [...linked('gate.tests'), ...linked('gate.baseline')],
      payload: { suite: 'unit', exit_code: 0, passed: 12, failed: 0, skipped: 0, ...options.tests },
      artifacts: ['out/test.log'],
    },
    ...review('gate.final-verification', 'final'),
    ...review('gate.review', 'peer'),
    ...review('gate.security-review', 'security'),
    ...review('gate.migration-review', 'migration'),
    ...review('gate.manual-approval', 'manual'),
  ];
  if (!without.includes('file_change')) {
    evidence.push({
      kind: 'file_change',
      producer,
      summary: 'Changes',
      payload: { paths: options.changed ?? ['src/app.ts'] },
    });
  }
  if (!without.includes('workspace')) {
    const isolated = gateIds(root, runId, 'pre_execution').includes('gate.workspace-isolation');
    evidence.push({
      kind: 'workspace',
      producer,
      summary: 'Workspace',
      gate_ids: linked('gate.workspace-isolation'),
      payload: { mode: isolated ? 'isolated' : 'current' },
    });
  }
  return evidence;
}

function taskIds(root: string, runId: string): string[] {
  return current(root, runId).tasks.map((task) => task.id);
}

function gateIds(root: string, runId: string, phase: string): string[] {
  return current(root, runId)
    .gates.filter((gate) => gate.phase === phase)
    .map((gate) => gate.id);
}

function current(root: string, runId: string): ReturnType<typeof currentState> {
  return currentState(loadRun(openProject(root), runId));
}

/** Writes a file below a folder. */
export function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Every regular file below a folder as an entry of a snapshot. */
export function entriesBelow(root: string, folder: string): SnapshotEntry[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
    .map((path) => ({ path, mode: '100644' as const, text: readFileSync(join(root, path), 'utf8') }));
}
