import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { secretFileFindings, type FileFacts } from '../../src/checks/secrets/files.ts';
import { gitConfigCredentials } from '../../src/checks/secrets/git-config.ts';
import { readGitConfigs } from '../../src/sources/git-config.ts';
import { askIgnored, askTracked, askUntracked } from '../../src/sources/ignore.ts';

let outer: string;
const git = (...args: string[]) => spawnSync('git', ['-C', outer, ...args]);

function put(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

async function reported(root: string): Promise<string[]> {
  const tracked = await askTracked(root);
  const paths = [...new Set([...tracked, ...(await askUntracked(root))])];
  const verdicts = await askIgnored(root, paths);
  const facts = paths.map((path): FileFacts => {
    const isLink = lstatSync(join(root, path)).isSymbolicLink();
    const base = { path, isTracked: tracked.has(path), isIgnored: verdicts.get(path)?.isIgnored ?? false };
    if (isLink) return { ...base, kind: existsSync(join(root, path)) ? 'link' : 'dangling-link' };
    return { ...base, kind: 'file', text: readFileSync(join(root, path), 'utf8') };
  });
  return secretFileFindings(facts, 'working-copy')
    .map(({ rule, place }) => `${rule.slice(13)} ${'path' in place ? place.path : ''}`)
    .sort();
}

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
  git('init', '-q');
});
afterEach(() => {
  rmSync(outer, { recursive: true, force: true });
});

describe('a working copy, with git asked', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['no rules', { '.env': '' }, ['not-ignored .env']],
    ['a rule for another name', { '.gitignore': '.env\n', '.env': '', '.env.local': '' }, ['not-ignored .env.local']],
    [
      'a negation',
      { '.gitignore': '.env*\n!.env.production\n', '.env': '', '.env.production': '' },
      ['not-ignored .env.production'],
    ],
    ['leading blanks', { '.gitignore': '  .env\n', '.env': '' }, ['not-ignored .env']],
    ['a comment behind a rule', { '.gitignore': '.env # secrets\n', '.env': '' }, ['not-ignored .env']],
    ['another case', { '.gitignore': '.ENV\n', '.env': '' }, ['not-ignored .env']],
    ['rules of a nested folder', { 'sub/.gitignore': '.env\n', '.env': '', 'sub/.env': '' }, ['not-ignored .env']],
    ['info/exclude', { '.git/info/exclude': '.env\n', '.env': '' }, []],
    ['an example', { '.env.example': 'A=\n' }, []],
    ['a folder of that name', { '.gitignore': '.env/\n', '.env/bin': '' }, []],
    [
      'other names',
      { credentials: 'x', id_rsa: 'k', 'secrets.json': '{}', 'server.pem': 'k' },
      ['not-ignored credentials', 'not-ignored id_rsa', 'not-ignored secrets.json', 'not-ignored server.pem'],
    ],
  ])('%s', async (_, files, expected) => {
    put(outer, files);
    expect(await reported(outer)).toEqual(expected);
  });

  it('core.excludesFile, and a folder whose parent has the rules', async () => {
    put(outer, { '.gitignore': '.env\n', 'app/.env': '', 'app/.npmrc': 'registry=x\n', '.git/global': '.npmrc\n' });
    git('config', 'core.excludesFile', join(outer, '.git/global'));
    expect(await reported(join(outer, 'app'))).toEqual([]);
  });

  it('a tracked file that a rule names', async () => {
    put(outer, { '.env': 'A=1\n' });
    git('add', '.env');
    expect(await reported(outer)).toEqual(['tracked .env']);
    put(outer, { '.gitignore': '.env\n' });
    expect(await reported(outer)).toEqual(['tracked-ignored .env']);
  });

  it('an ignored link, and one that leads nowhere', async () => {
    put(outer, { 'real.txt': 'A=1\n', '.gitignore': '.env\n' });
    symlinkSync('real.txt', join(outer, '.env'));
    symlinkSync('gone.txt', join(outer, '.env.local'));
    expect(await reported(outer)).toEqual([]);
  });

  it('is refused outside of a repository', async () => {
    rmSync(join(outer, '.git'), { recursive: true });
    await expect(askIgnored(outer, ['.env'])).rejects.toMatchObject({ code: 'CS1502' });
    await expect(askIgnored(outer, ['a\0b'])).rejects.toMatchObject({ code: 'CS1502' });
  });
});

describe('configurations of git', () => {
  const secret = `[remote "origin"]\n\turl = https://user:${['pa55', 'word'].join('')}@host.test/r.git\n`;
  const credentials = (root: string) =>
    readGitConfigs(root)
      .files.filter(({ text }) => gitConfigCredentials(text).length > 0)
      .map(({ path }) => path);

  it.each<[string, Record<string, string>, string[]]>([
    ['its own', { '.git/config': secret }, ['.git/config']],
    ['an included one', { '.git/config': '[include]\n\tpath = ../extra.cfg\n', 'extra.cfg': secret }, ['extra.cfg']],
    ['one that includes itself', { '.git/config': `[include]\n\tpath = config\n${secret}` }, ['.git/config']],
    ['that of a submodule', { '.git/config': '', '.git/modules/a/b/config': secret }, ['.git/modules/a/b/config']],
  ])('%s', (_, files, expected) => {
    put(outer, files);
    expect(credentials(outer)).toEqual(expected);
  });

  it('that which a .git file leads to', () => {
    put(outer, { 'real/.git/config': secret, 'app/.git': 'gitdir: ../real/.git\n' });
    expect(credentials(join(outer, 'app'))).toEqual(['../real/.git/config']);
  });

  it('that of a linked worktree', () => {
    put(outer, {
      '.git/config': secret,
      '.git/worktrees/w/commondir': '../..\n',
      'w/.git': `gitdir: ${join(outer, '.git/worktrees/w')}\n`,
    });
    expect(credentials(join(outer, 'w'))).toEqual(['../.git/config']);
  });
});
