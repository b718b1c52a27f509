import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cli, cliOn, folder } from '../support/cli.ts';
import type { Said } from '../support/cli.ts';

const place = folder();
const { root } = place;
const RUN = 'login-r1-run-001';

afterAll(place.remove);

async function must(...argv: string[]): Promise<Said> {
  const said = await cli(root, ...argv);
  if (said.code !== 0) throw new Error(`${argv.join(' ')}: ${said.err}${said.out}`);
  return said;
}

async function json(...argv: string[]): Promise<unknown> {
  const said = await cli(root, ...argv, '--json');
  expect(said.err).toBe('');
  return JSON.parse(said.out);
}

describe('a run from nothing to an evaluation, by the commands alone', () => {
  beforeAll(async () => {
    await must('harness', 'init', 'codex');
    await must('harness', 'lock');
    await must(
      'spec',
      'create',
      'login',
      '--title',
      'Fix the login',
      '--mode',
      'bugfix',
      '--task',
      'Refuse it',
      '--path',
      'src/a.py',
    );
    await must('spec', 'status', 'login', 'ready');
    await must('run', 'create', 'login', '--harness', 'codex');
    writeFileSync(join(root, 't.log'), 'ok\n');
  });

  it('lists what there is', async () => {
    expect(await json('spec', 'list')).toEqual([
      { schema_version: 1, id: 'login', status: 'ready', current_revision: 1 },
    ]);
    expect(await json('run', 'list')).toMatchObject([{ id: RUN, status: 'prepared' }]);
    expect(await json('harness', 'list')).toContainEqual(
      expect.objectContaining({ id: 'codex', source: '.rapid-os/harnesses/codex.json' }),
    );
  });

  it('resolves against the lock, and demands compatibility only where asked to', async () => {
    const resolution = await json('harness', 'resolve', '--run', RUN, '--locked');
    expect(resolution).toMatchObject({ status: 'unresolved', unknown: ['repository.write', 'tests.execute'] });
    expect((await cli(root, 'harness', 'resolve', '--run', RUN, '--locked')).code).toBe(0);
    const demanded = await cli(root, 'harness', 'resolve', '--run', RUN, '--locked', '--require-compatible', '--json');
    expect(demanded.code).toBe(1);
    expect(demanded.err).toContain('RAPID1110');
    expect(JSON.parse(demanded.out)).toMatchObject({ status: 'unresolved' });
  });

  it('carries the run on, adds evidence and evaluates', async () => {
    await must('run', 'gate', RUN, 'gate.baseline', 'ack');
    await must('run', 'status', RUN, 'active');
    await must('run', 'task', RUN, 'T001', 'in_progress');
    await must(
      'evidence',
      'add',
      RUN,
      '--kind',
      'command_result',
      '--producer',
      'ci',
      '--summary',
      'x',
      '--payload',
      '{"label":"x","exit_code":0}',
      '--artifact',
      't.log',
    );
    expect(await json('evidence', 'list', RUN)).toMatchObject([{ id: 'E001', artifacts: [{ size_bytes: 3 }] }]);
    expect(await json('evidence', 'show', RUN, 'E001')).toMatchObject({ id: 'E001', kind: 'command_result' });
    expect(await json('evidence', 'verify', RUN)).toMatchObject({
      records: [{ id: 'E001' }],
      orphan_artifact_dirs: [],
    });
    expect(await json('eval', 'run', RUN)).toMatchObject({ verdict: 'unverified' });
    const written = await cli(root, 'eval', 'run', RUN, '--write');
    expect(written.out).toMatch(/^unverified: [^]*Written to \.rapid-os\/\S+0001\.json$/m);
    expect(await json('eval', 'list', RUN)).toMatchObject([{ revision: 1, verdict: 'unverified', stale: false }]);
    expect(await json('eval', 'show', RUN)).toMatchObject({ run_id: RUN });
    expect((await cli(root, 'eval', 'run', RUN)).code).toBe(0);
    const demanded = await cli(root, 'eval', 'run', RUN, '--require-pass');
    expect(demanded).toMatchObject({ code: 1, err: expect.stringContaining('RAPID1225') });
  });

  it('says a verdict of fail with its own code', async () => {
    await must('run', 'create', 'login', '--harness', 'codex', '--run-id', 'cancelled-run');
    await must('run', 'status', 'cancelled-run', 'cancelled');
    const demanded = await cli(root, 'eval', 'run', 'cancelled-run', '--require-pass');
    expect(demanded).toMatchObject({ code: 1, err: expect.stringContaining('RAPID1226') });
  });

  it('finds all documents sound, strictly', async () => {
    expect(await json('validate', '--strict')).toMatchObject({ sound: true, faults: [] });
  });

  it('notices a stale lock', async () => {
    expect((await cli(root, 'harness', 'lock', '--check')).code).toBe(0);
    await must('harness', 'init', 'my-agent');
    const stale = await cli(root, 'harness', 'lock', '--check', '--json');
    expect(stale.code).toBe(1);
    expect(JSON.parse(stale.out)).toEqual({ fresh: false, differences: [{ harness: 'my-agent', change: 'added' }] });
    const strict = await cli(root, 'validate', '--strict');
    expect(strict).toMatchObject({ code: 1, out: expect.stringContaining('RAPID1112') });
    expect((await cli(root, 'validate')).code).toBe(0);
  });
});

const REFUSALS: readonly (readonly [string, readonly string[], number, string])[] = [
  ['no such run', ['run', 'show', 'nope'], 1, 'RAPID1007'],
  ['a malformed run id', ['run', 'show', '../x'], 1, 'RAPID1001'],
  ['a profile that exists', ['harness', 'init', 'codex'], 1, 'RAPID1102'],
  ['an unknown harness', ['harness', 'show', 'nope'], 1, 'RAPID1103'],
  ['a spec that exists', ['spec', 'create', 'login', '--title', 'x'], 1, 'RAPID806'],
  ['a spec without a title', ['spec', 'create', 'other'], 1, 'RAPID803'],
  ['an unknown mode', ['spec', 'create', 'other', '--title', 'x', '--mode', 'y'], 1, 'RAPID803'],
  ['a path that leaves the project', ['spec', 'create', 'other', '--title', 'x', '--path', '../y'], 1, 'RAPID803'],
  ['a lower risk than demanded', ['run', 'create', 'login', '--harness', 'codex', '--risk', 'low'], 1, 'RAPID1006'],
  ['an unknown risk', ['run', 'create', 'login', '--harness', 'codex', '--risk', 'huge'], 1, 'RAPID1005'],
  ['an unknown capability', ['eval', 'run', RUN, '--require', 'fly'], 1, 'RAPID1207'],
  [
    'a payload that is no JSON',
    ['evidence', 'add', RUN, '--kind', 'workspace', '--producer', 'ci', '--summary', 'x', '--payload', '{'],
    1,
    'RAPID1206',
  ],
  ['evidence without a kind', ['evidence', 'add', RUN, '--producer', 'ci'], 1, 'RAPID1202'],
  ['no such evidence', ['evidence', 'show', RUN, 'E999'], 1, 'RAPID1201'],
  ['no such report', ['eval', 'show', RUN, '99'], 1, 'RAPID1228'],
  ['both a file and options', ['evidence', 'add', RUN, '--file', 'x', '--kind', 'y'], 2, 'CS1301'],
  ['a revision that is no number', ['spec', 'show', 'login', '--revision', '0'], 2, 'CS1301'],
  ['a head without a base', ['evaluate', '--head', 'x'], 2, 'CS1301'],
  ['recorded facts beside a base', ['evaluate', '--facts', 'x', '--base', 'y'], 2, 'CS1301'],
  [
    'a payload that is a suggestion still',
    [
      ...'evidence add login-r1-run-001 --kind file_change --producer harness:codex --summary Done'.split(' '),
      '--payload',
      '{"paths":["…"]}',
    ],
    2,
    'CS1301',
  ],
  [
    'a summary that is one still',
    [
      ...'evidence add login-r1-run-001 --kind workspace --producer user --summary …'.split(' '),
      '--payload',
      '{"mode":"current"}',
    ],
    2,
    'CS1301',
  ],
  ['a root that does not exist', ['run', 'list', '--root', 'nowhere'], 1, 'CS1203'],
];

describe('refusals', () => {
  it.each(REFUSALS)('%s', async (_what, argv, code, refusal) => {
    const said = await cli(root, ...argv);
    expect(said).toMatchObject({ code, out: '' });
    expect(said.err).toContain(refusal);
    expect(said.err).not.toMatch(/\n\s+at /);
    const asJson = await cli(root, ...argv, '--json');
    expect(asJson.code).toBe(code);
    expect(JSON.parse(asJson.out)).toMatchObject({
      error: { code: refusal, message: expect.any(String), remedy: expect.any(String) },
    });
  });

  it('has a code of its own for nothing to inspect', async () => {
    const empty = folder();
    expect(await cli(empty.root, 'validate')).toMatchObject({ code: 3, err: expect.stringContaining('CS1302') });
    empty.remove();
  });
});

const USAGE: readonly (readonly string[])[] = [
  ['bogus'],
  ['run'],
  ['run', 'bogus'],
  ['run', 'create', 'login'],
  ['evaluate', '--format', 'xml'],
  ['harness', 'resolve'],
  ['evaluate', '--unknown'],
];

describe('a run with a harness that nobody declared', () => {
  it('is created, and says what is missing', async () => {
    await must(
      'spec',
      'create',
      'other',
      '--title',
      'Other',
      '--mode',
      'bugfix',
      '--task',
      'Do it',
      '--path',
      'src/b.py',
    );
    await must('spec', 'status', 'other', 'ready');
    const said = await cli(root, 'run', 'create', 'other', '--harness', 'unheard-of');
    expect(said).toMatchObject({ code: 0, err: expect.stringContaining('countersign harness init unheard-of') });
    expect((await cli(root, 'run', 'create', 'other', '--harness', 'codex')).err).toBe('');
  });
});

describe('usage', () => {
  it.each(USAGE.map((argv) => [argv.join(' '), argv] as const))('%s is a wrong command line', async (_name, argv) => {
    expect((await cli(root, ...argv)).code).toBe(2);
  });

  it('repeats no control characters of what was typed', async () => {
    const said = await cli(root, 'bo\u001b[31mgus');
    expect(said.code).toBe(2);
    expect(said.err).not.toContain('\u001b');
  });

  it('prints help with exit codes where no command is named', async () => {
    const said = await cli(root);
    expect(said).toMatchObject({ code: 0, err: '' });
    for (const code of [0, 1, 2, 3, 4, 5, 70]) expect(said.out).toMatch(new RegExp(`^ +${code}  `, 'm'));
  });

  it.each([
    'evaluate',
    'harness lock',
    'spec create',
    'run gate',
    'evidence add',
    'eval run',
    'validate',
    'policy show',
  ])('help of %s has examples', async (name) => {
    const said = await cli(root, ...name.split(' '), '--help');
    expect(said.code).toBe(0);
    expect(said.out).toContain(`$ countersign ${name}`);
  });
});

describe('text on a terminal', () => {
  it('fits the width and has colour only there', async () => {
    const narrow = await cliOn({ columns: 60, colour: true, progress: false }, root, ['harness', 'show', 'claude']);
    expect(narrow.out).toContain('\u001b[');
    for (const row of narrow.out.split('\n').slice(2)) {
      expect(row.replace(/\u001b\[[0-9]+m/g, '').length).toBeLessThanOrEqual(60);
    }
    expect((await cli(root, 'harness', 'show', 'claude')).out).not.toContain('\u001b');
  });

  it('shows hidden characters of others by code point', async () => {
    await must('spec', 'create', 'odd', '--title', 'x', '--task', 'A\u001b[31m\u202eB');
    await must('spec', 'status', 'odd', 'ready');
    const said = await must('run', 'create', 'odd', '--harness', 'codex');
    expect(said.out).toContain('A\\u{1b}[31m\\u{202e}B');
  });
});
