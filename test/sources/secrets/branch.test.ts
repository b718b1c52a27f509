import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { fingerprintOf, writeBaseline } from '../../../src/checks/secrets/baseline.ts';
import { MAX_SCANNED_BYTES } from '../../../src/checks/secrets/decode.ts';
import { decide } from '../../../src/gate/decide.ts';
import { factsSchema } from '../../../src/gate/facts.ts';
import type { Facts } from '../../../src/gate/facts.ts';
import { openRepository } from '../../../src/sources/git.ts';
import { withObjects } from '../../../src/sources/git-objects.ts';
import { collectLocal } from '../../../src/sources/pull-request/local.ts';
import type { LocalOptions } from '../../../src/sources/pull-request/local.ts';
import { scanChanges } from '../../../src/sources/secrets/changes.ts';
import { GITHUB, HEADER, join } from '../../checks/secrets/support/shapes.ts';
import { cli } from '../../support/cli.ts';
import { withRepository } from '../../support/repository.ts';
import type { TestRepository } from '../../support/repository.ts';

jest.setTimeout(120_000); // many processes, on a machine that may be busy

const NOW = '2026-01-02T03:04:05Z';
const ALLOW = join('countersign', ':allow secrets/github-token -- ');
const BASELINE = '.github/countersign-baseline.json';

/** Main with some files, feature checked out on top of it. */
const branched = <T>(
  body: (repository: TestRepository) => T | Promise<T>,
  base: Readonly<Record<string, string>> = {},
): Promise<T> =>
  withRepository((repository) => {
    for (const [path, text] of Object.entries({ 'a.txt': 'a\nb\nc\n', ...base })) repository.write(path, text);
    repository.git('add', '-A', '-f');
    repository.commit('start');
    repository.git('checkout', '-q', '-b', 'feature');
    return body(repository);
  });

async function collect(root: string, more: Partial<LocalOptions> = {}): Promise<Facts> {
  const facts = await collectLocal({ root, base: 'main', head: 'feature', now: NOW, engine: '1', ...more });
  expect(factsSchema.parse(facts)).toEqual(facts);
  return facts;
}

async function found(root: string, more: Partial<LocalOptions> = {}): Promise<string[]> {
  const { secrets } = await collect(root, more);
  expect(secrets?.scanned).toBe('whole');
  return (secrets?.findings ?? []).map(({ rule, place }) => {
    const where =
      place.at === 'file'
        ? `${place.path}:${String(place.line ?? '')}`
        : `${place.at}.${'part' in place ? place.part : ''}`;
    return `${rule.slice('secrets/'.length)} ${where}`;
  });
}

type Make = (repository: TestRepository) => void;
type Row = readonly [name: string, make: Make, expected: readonly string[], base?: Readonly<Record<string, string>>];

const ADDED: readonly Row[] = [
  ['nothing', () => undefined, []],
  ['a token', ({ write }) => write('x.ts', `// one\nt = "${GITHUB}"\n`), ['github-token x.ts:2']],
  [
    'a token after lines that end with CR only',
    ({ write }) => write('x.ts', `a\ra\ra\r${GITHUB}\n`),
    ['github-token x.ts:1'],
  ],
  [
    'a token below another line of the file',
    ({ write }) => write('a.txt', `a\nb\n${GITHUB}\nc\n`),
    ['github-token a.txt:3'],
  ],
  ['a change beside a token that stood there', ({ write }) => write('t', `${GITHUB}\nnew\n`), [], { t: `${GITHUB}\n` }],
  ['the removal of a token', ({ write }) => write('t', 'none\n'), [], { t: `${GITHUB}\n` }],
  ['an example file', ({ write }) => write('.env.example', 'TOKEN=\nPASSWORD=changeme\n'), []],
  ['a name that git quotes', ({ write }) => write('x "y\tz\n.ts', `${GITHUB}\n`), ['github-token x "y\tz\n.ts:1']],
  [
    'lines that look like a patch',
    ({ write }) => write('x.patch', `diff --git a/b b/b\n+++ b/b\n@@ -1 +1 @@\n+${GITHUB}\n`),
    ['github-token x.patch:4'],
  ],
  [
    'a file that an attribute hides',
    ({ write }) => (write('.gitattributes', '* -diff\n'), write('x', `a\n${GITHUB}\n`)),
    ['github-token x:2'],
  ],
  [
    'UTF-16',
    ({ write }) => write('x', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`a\n${GITHUB}\n`, 'utf16le')])),
    ['github-token x:2'],
  ],
  ['a binary file', ({ write }) => write('x', `\0\u0001${GITHUB}\0`), ['github-token x:1']],
  [
    'a change of a binary file beside a token that stood there',
    ({ write }) => write('x', `\0\n${GITHUB}\nmore`),
    [],
    { x: `\0\n${GITHUB}\n` },
  ],
  [
    'a renamed file with one more line',
    ({ git, write }) => (git('mv', 't', 'u'), write('u', `${'line\n'.repeat(20)}${GITHUB}\n`)),
    ['github-token u:21'],
    { t: 'line\n'.repeat(20) },
  ],
  [
    'a file that takes the place of a link',
    ({ root, write }) => (rmSync(pathOf(root, 'l')), write('l', `${GITHUB}\n`)),
    ['github-token l:1'],
    {},
  ],
  [
    'a token beside a change of mode alone and a submodule',
    ({ root, git, write }) => {
      mkdirSync(pathOf(root, 'lib'));
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`);
      chmodSync(pathOf(root, 'a.txt'), 0o755);
      write('x', `${GITHUB}\n`);
    },
    ['github-token x:1'],
  ],
  [
    'a file over the limit',
    ({ write }) => write('x', Buffer.alloc(MAX_SCANNED_BYTES + 1, `${'a'.repeat(99)}\n`)),
    ['not-scanned x:'],
  ],
  ['a line over the limit', ({ write }) => write('x', Buffer.alloc(MAX_SCANNED_BYTES + 1, 'a')), ['not-scanned x:']],
  ['a binary over the limit', ({ write }) => write('x', Buffer.alloc(MAX_SCANNED_BYTES + 1)), ['not-scanned x:']],
];

describe('what commits add', () => {
  it.each(ADDED)('%s', async (_, make, expected, base = {}) => {
    await branched(async (repository) => {
      if (base !== undefined && expected[0]?.endsWith(' l:1') === true) {
        symlinkSync('a.txt', pathOf(repository.root, 'l'));
        repository.commit('link');
        repository.git('branch', '-f', 'main');
      }
      make(repository);
      repository.commit();
      expect(await found(repository.root)).toEqual(expected);
    }, base);
  });

  it('stays when a later commit takes it away, and is told once for the commit that brought it', async () => {
    await branched(async ({ root, write, commit }) => {
      write('x', `${GITHUB}\n`);
      const sha = commit('one');
      write('x', 'none\n');
      commit('two');
      write('x', `${GITHUB}\n`);
      commit('three');
      write('x', 'none\n');
      commit('four');
      const { secrets } = await collect(root);
      expect(secrets?.findings.map(({ message }) => message)).toEqual([
        `GitHub token of 40 characters, added by commit ${sha.slice(0, 12)}.`,
      ]);
    });
  });

  it('counts of a merge only what neither side has', async () => {
    await branched(async ({ root, write, git, commit }) => {
      git('checkout', '-q', 'main');
      write('main.txt', `${GITHUB}\n`); // stands on the base
      write('a.txt', 'main\nb\nc\n');
      commit('main');
      git('checkout', '-q', 'feature');
      write('a.txt', 'feature\nb\nc\n');
      commit('feature');
      expect(() => git('merge', '-q', 'main')).toThrow();
      write('a.txt', 'both\nb\nc\n');
      commit('merge');
      expect(await found(root)).toEqual([]);
      git('checkout', '-q', '-B', 'feature', 'HEAD~1');
      expect(() => git('merge', '-q', 'main')).toThrow();
      write('a.txt', `both\nb\n${GITHUB}\n`);
      commit('merge');
      expect(await found(root)).toEqual(['github-token a.txt:3']);
    });
  });

  it('begins with the first commit where a branch has one of its own', async () => {
    await withRepository(async ({ root, write, git, commit }) => {
      write('x', 'x\n');
      commit('main');
      git('checkout', '-q', '--orphan', 'feature');
      write('t', `${GITHUB}\n`);
      commit('root');
      expect(() => git('merge', '-q', '--allow-unrelated-histories', 'main')).not.toThrow();
      expect(await found(root)).toEqual(['github-token t:1']);
    });
  });
});

describe('texts', () => {
  it('are searched, and stand in the facts without what was found', async () => {
    await branched(async ({ root, git, commit }) => {
      git('config', 'user.name', 'x');
      commit(`Add it\n\nwith ${GITHUB} in it\n`);
      const more = { title: `Use ${GITHUB}`, body: `First\n\n${GITHUB}\n` };
      expect(await found(root, more)).toEqual([
        'github-token pull-request.title',
        'github-token pull-request.body',
        'github-token commit.message',
      ]);
      const facts = await collect(root, more);
      expect(JSON.stringify(facts)).not.toContain(GITHUB.slice(4, 20));
      expect(facts.commits[0]?.message).toContain('with [redacted GitHub token, 40 characters] in it');
    });
  });

  it('are names and addresses too', async () => {
    await branched(async ({ root, git, write }) => {
      write('x', 'x\n');
      git('add', '-A');
      git('-c', 'core.editor=true', 'commit', '-q', '-m', 'one', '--author', `${GITHUB} <a@example.org>`);
      expect(await found(root)).toEqual(['github-token commit.author']);
      const facts = await collect(root);
      expect(facts.commits[0]?.author).toMatchObject({
        name: '[redacted GitHub token, 40 characters]',
        email: 'a@example.org',
      });
    });
  });

  it('that hold none stand as they are', async () => {
    await branched(async ({ root, commit }) => {
      const message = `Say: the password is asked for\n\n${join('pass', 'word')} = "changeme"\n`;
      commit(message);
      expect((await collect(root)).commits[0]?.message).toBe(message);
    });
  });
});

describe('exceptions', () => {
  const line = `${GITHUB} # ${ALLOW}a vector\n`;
  it('count where they stood on the base, line and all', async () => {
    await branched(
      async ({ root, write, commit }) => {
        write('u', `more\n${line}`);
        write('t', `more\n${line}`);
        commit();
        // The one in `u` is new; nothing is added to the line in `t`.
        expect(await found(root)).toEqual(['github-token u:2', 'allow-unconfirmed u:2']);
        write('t', `more\n${line}more\n${line}`);
        commit();
        expect(await found(root)).toEqual(['github-token u:2', 'allow-unconfirmed u:2']);
      },
      { t: line },
    );
  });

  const salt = 's'.repeat(16);
  const listed = (path: string, text: string): string =>
    writeBaseline({
      version: 1,
      salt,
      entries: [
        { rule: 'secrets/github-token', path, fingerprint: fingerprintOf(salt, 'secrets/github-token', path, text) },
      ],
    });

  it('are those of the baseline on the base, never on the head', async () => {
    for (const where of ['base', 'head'] as const) {
      const text = listed('t', GITHUB);
      await branched(
        async ({ root, write, commit }) => {
          write('t', `${GITHUB}\n`);
          if (where === 'head') write(BASELINE, text);
          commit();
          expect(await found(root)).toEqual(where === 'base' ? [] : ['github-token t:1']);
        },
        where === 'base' ? { [BASELINE]: text } : {},
      );
    }
  });

  it('are read where the config on the base says', async () => {
    const base = { '.github/countersign.yml': 'secrets:\n  baseline: known.json\n', 'known.json': listed('t', GITHUB) };
    await branched(async ({ root, write, commit }) => {
      write('t', `${GITHUB}\n`);
      commit();
      expect(await found(root)).toEqual([]);
    }, base);
  });

  it('of a broken baseline count for nothing, and the verdict is incomplete', async () => {
    await branched(
      async ({ root, write, commit }) => {
        write('t', `${GITHUB}\n`);
        commit();
        const facts = await collect(root);
        expect(facts.secrets?.findings).toHaveLength(1);
        expect(facts.unread).toEqual([
          { what: 'secrets in the texts', why: expect.stringContaining('the baseline excepts nothing') },
        ]);
        expect(decide(facts).outcome).toBe('incomplete');
      },
      { [BASELINE]: '{}' },
    );
  });
});

const FILES: readonly Row[] = [
  ['.env in a folder', ({ write }) => write('a/.env', 'A=1\n'), ['file-tracked a/.env:']],
  [
    'one that the base has, changed',
    ({ write }) => write('.env', 'A=2\n'),
    ['file-tracked .env:'],
    { '.env': 'A=1\n' },
  ],
  ['one that the base has, left alone', ({ write }) => write('x', 'x\n'), [], { '.env': 'A=1\n' }],
  ['one that is removed', ({ git }) => void git('rm', '-q', '.env'), [], { '.env': 'A=1\n' }],
  ['a registry without a token', ({ write }) => write('.npmrc', 'registry=https://registry.example.com/\n'), []],
  [
    'one that a rule of a folder names',
    ({ git, write }) => (write('a/.gitignore', '.env\n'), write('a/.env', 'A=1\n'), void git('add', '-f', 'a/.env')),
    ['file-tracked-ignored a/.env:'],
  ],
  [
    'a private key under any name',
    ({ write }) => write('deploy', `${HEADER}\n${'q7Rk2mZx9Wb4TnV8'.repeat(4)}\n`),
    ['private-key deploy:1', 'file-tracked deploy:'],
  ],
  [
    'a rule that goes',
    ({ write }) => write('.gitignore', 'x\n'),
    ['ignore-rule-removed .gitignore:'],
    { '.gitignore': '.env\n' },
  ],
  ['a rule that stays', ({ write }) => write('.gitignore', '.env\nx\n'), [], { '.gitignore': '.env\n' }],
];

describe('files that hold secrets', () => {
  it.each(FILES)('%s', async (_, make, expected, base = {}) => {
    await branched(async (repository) => {
      make(repository);
      repository.commit();
      expect(await found(repository.root)).toEqual(expected);
    }, base);
  });

  it('stay in the history when a later commit takes them away', async () => {
    await branched(async ({ root, write, git, commit }) => {
      write('.env', 'A=1\n');
      const sha = commit('one');
      git('rm', '-q', '.env');
      commit('two');
      const { secrets } = await collect(root);
      expect(secrets?.findings).toMatchObject([{ rule: 'secrets/file-tracked', place: { path: '.env' } }]);
      expect(secrets?.findings[0]?.message).toContain(`Commit ${sha.slice(0, 12)} has it`);
    });
  });
});

describe('what cannot be looked at', () => {
  it('makes the verdict incomplete, and hides nothing else', async () => {
    await branched(async ({ root, write, git, commit }) => {
      write('.env', 'A=1\n');
      write('x', 'lost\n');
      commit(`Use ${GITHUB}`);
      const oid = git('rev-parse', 'HEAD:x');
      rmSync(pathOf(root, '.git/objects', oid.slice(0, 2), oid.slice(2)));
      const facts = await collect(root);
      expect(facts.unread).toMatchObject([{ what: 'secrets in the commits' }]);
      expect(facts.secrets?.findings.map(({ rule }) => rule)).toEqual(['secrets/github-token', 'secrets/file-tracked']);
      expect(decide(facts).outcome).toBe('incomplete');
    });
  });

  it.each([
    ['lines', 'a\n'.repeat(600)],
    ['a binary file', '\0'.repeat(1200)],
  ])('is more than the limit in all: %s', async (_, content) => {
    await branched(async ({ root, write, commit }) => {
      const shas = ['one', 'two'].map((name) => (write(name, content), commit(name)));
      const commits = shas.map((sha) => ({ sha, parents: ['f'.repeat(40)], cut: false }));
      const repository = await openRepository(root);
      const scan = (limit: number): Promise<unknown> =>
        withObjects(repository, (objects) =>
          scanChanges(repository, objects, commits, () => Promise.resolve(undefined), limit),
        );
      await expect(scan(2400)).resolves.toMatchObject({ sources: [] });
      await expect(scan(1900)).rejects.toMatchObject({ code: 'CS1502' });
    });
  });

  it('is of no commit at which a shallow clone ends: that alone makes the verdict incomplete', async () => {
    await branched(async ({ root, write, commit }) => {
      write('x', `${GITHUB}\n`);
      const sha = commit();
      const repository = await openRepository(root);
      const scan = (cut: boolean): Promise<unknown> =>
        withObjects(repository, (objects) =>
          scanChanges(repository, objects, [{ sha, parents: [], cut }], () => Promise.resolve(undefined)),
        );
      await expect(scan(false)).resolves.toMatchObject({ sources: [{ commit: sha }] });
      await expect(scan(true)).resolves.toMatchObject({ sources: [] });
    });
  });
});

describe('the command', () => {
  it('fails a branch with a token, and neither facts nor reports hold a piece of it', async () => {
    await branched(async ({ root, write, commit }) => {
      write('x', `t = "${GITHUB}"\n`);
      commit(`Add ${GITHUB}`);
      write('x', 'none\n');
      commit('Take it away');
      const evaluate = (...more: string[]) => cli(root, 'evaluate', '--base', 'main', '--title', GITHUB, ...more);
      const said = await evaluate('--write-facts', 'facts.json', '--json');
      expect(said.code).toBe(1);
      expect(JSON.parse(said.out)).toMatchObject({ outcome: 'failed' });
      const texts = [said.out + said.err, readFileSync(pathOf(root, 'facts.json'), 'utf8')];
      for (const format of ['text', 'markdown', 'sarif', 'annotations']) {
        const { out, err } = await evaluate('--format', format);
        expect(out).toContain('GitHub token');
        texts.push(out + err);
      }
      const pieces = Array.from({ length: GITHUB.length - 8 }, (_, at) => GITHUB.slice(at, at + 8));
      for (const text of texts) expect(pieces.filter((piece) => text.includes(piece))).toEqual([]);
      expect((await cli(root, 'evaluate', '--facts', 'facts.json')).code).toBe(1);
    });
  });

  it('passes an example file', async () => {
    await branched(async ({ root, write, commit }) => {
      write('.env.example', 'API_TOKEN=\n');
      commit('Add an example');
      expect((await cli(root, 'evaluate', '--base', 'main')).code).toBe(0);
    });
  });
});
