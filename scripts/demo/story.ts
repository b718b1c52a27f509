import { spawnSync } from 'node:child_process';
import type { DemoRepository } from './repository.ts';

const PROFILE = {
  schema_version: 1,
  id: 'codex',
  capabilities: [
    ['context.consume', 'Reads the compiled context at the start of a session.'],
    ['git.inspect', 'Runs git log, status and diff in its sandbox.'],
    ['repository.read', 'Reads any file of the working tree.'],
    ['repository.write', 'Sessions run with write access to the working tree.'],
    ['shell.execute', 'Runs commands in a sandbox.'],
    ['tests.execute', 'Runs the test command in its sandbox.'],
    ['workspace.current', 'Works in the current working tree.'],
  ].map(([capability_id, reason]) => ({ capability_id, status: 'supported', reason })),
};

const APP = `export function greet(name) {
  return \`Hello, \${name}!\`;
}
`;

const APP_CHANGED = `export function greet(name) {
  if (name.trim() === '') throw new RangeError('a name must not be empty');
  return \`Hello, \${name}!\`;
}
`;

const TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { greet } from '../src/greet.mjs';

test('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada!'));
test('refuses an empty name', () => assert.throws(() => greet('  '), RangeError));
`;

/** The run that the story is about. */
export const RUN = 'greeting-r1-run-001';

/** What a project that governs its agents has on its main branch: application, profile, lock. */
export function setUpMain(repository: DemoRepository): void {
  repository.write('src/greet.mjs', APP);
  repository.write('.gitignore', '/test.log\n');
  repository.write('.gitattributes', '.rapid-os/** -text\n');
  repository.write('.rapid-os/harnesses/codex.json', `${JSON.stringify(PROFILE, null, 2)}\n`);
  repository.countersign(['harness', 'lock']);
  repository.commit('Greet people, and govern the agents that help');
}

/** An agent takes the task on: spec, run, the work itself, and a ledger that says everything is done. */
export function agentWorks(
  repository: DemoRepository,
  branch: string,
  options: { readonly waiveTests?: boolean; readonly base?: string } = {},
): void {
  const { countersign } = repository;
  repository.git('switch', '--quiet', '--create', branch, options.base ?? 'main');
  const title = 'Refuse empty names';
  const paths = ['--path', 'src', '--path', 'test'];
  countersign([
    'spec',
    'create',
    'greeting',
    '--title',
    title,
    '--mode',
    'bugfix',
    '--task',
    'Refuse an empty name, with a test',
    ...paths,
  ]);
  countersign(['spec', 'status', 'greeting', 'ready']);
  countersign(['run', 'create', 'greeting', '--harness', 'codex']);
  countersign(['run', 'gate', RUN, 'gate.baseline', 'ack', '--reason', 'The tests were green before']);
  countersign(['run', 'status', RUN, 'active']);
  countersign(['run', 'task', RUN, 'T001', 'in_progress']);
  repository.write('src/greet.mjs', APP_CHANGED);
  repository.write('test/greet.test.mjs', TEST);
  countersign(['run', 'task', RUN, 'T001', 'done']);
  if (options.waiveTests === true)
    countersign(['run', 'gate', RUN, 'gate.tests', 'waive', '--reason', 'The change is trivial']);
  else countersign(['run', 'gate', RUN, 'gate.tests', 'ack', '--reason', 'The tests are green']);
  countersign(['run', 'gate', RUN, 'gate.final-verification', 'ack', '--reason', 'Looked through once more']);
  countersign(['run', 'status', RUN, 'finished']);
  repository.commit('Refuse empty names');
}

/** Evidence of what was done; the tests are really run, and their log is kept. */
export function addEvidence(repository: DemoRepository, options: { readonly changed?: readonly string[] } = {}): void {
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: repository.root,
    encoding: 'utf8',
  });
  repository.write('test.log', stdout);
  const tally = (word: string): number => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(stdout)?.[1] ?? 0);
  const payload = {
    suite: 'node --test',
    exit_code: status ?? 1,
    passed: tally('pass'),
    failed: tally('fail'),
    skipped: tally('skipped'),
  };
  const add = (kind: string, summary: string, what: object, ...links: string[]): void => {
    repository.countersign([
      'evidence',
      'add',
      RUN,
      '--kind',
      kind,
      '--producer',
      'harness:codex',
      '--summary',
      summary,
      '--payload',
      JSON.stringify(what),
      ...links,
    ]);
  };
  add(
    'test_result',
    'Unit tests',
    payload,
    '--task',
    'T001',
    '--gate',
    'gate.tests',
    '--gate',
    'gate.baseline',
    '--artifact',
    'test.log',
  );
  add(
    'file_change',
    'What was changed',
    { paths: options.changed ?? ['src/greet.mjs', 'test/greet.test.mjs'] },
    '--task',
    'T001',
  );
  add('workspace', 'Where it was done', { mode: 'current' });
  const review = { review_type: 'final', outcome: 'approved', reviewer: 'ana' };
  add('review', 'Final look', review, '--gate', 'gate.final-verification');
  repository.commit('Add evidence of the run');
}
