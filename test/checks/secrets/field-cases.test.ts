import { describe, expect, it } from '@jest/globals';
import { secretFileFindings } from '../../../src/checks/secrets/files.ts';
import { secretFindings } from '../../../src/checks/secrets/findings.ts';
import { fileSource } from '../../../src/checks/secrets/file-source.ts';
import { ignoreMatcher } from '../../../src/checks/secrets/ignore-rules.ts';
import { newSideOf } from '../../../src/checks/secrets/patch.ts';
import { FOOTER, GITHUB, HEADER } from './support/shapes.ts';

// Faults that people have reported of tools like this one, as they would show here.

describe('what an ignore file covers', () => {
  it.each<[string, string, Readonly<Record<string, boolean>>]>([
    ['nothing is included again below an excluded folder', 'deploy/\n!deploy/.env\n', { 'deploy/.env': true }],
    ['one star crosses no slash', '*.key\n!certs/*\n', { 'certs/a.key': false, 'certs/old/b.key': true }],
    ['blanks and CR go, tabs stay', 'a.pem   \nb.pem\t\nc.pem\r\n', { 'a.pem': true, 'b.pem': false, 'c.pem': true }],
    ['POSIX classes', 'prod[[:space:]]keys.json\n', { 'prod keys.json': true, 'prod_keys.json': false }],
    ['two stars alone', '**\n', { '.env': true, 'a/b/.env': true }],
    [
      'a slash ties a pattern to its folder',
      'config/.env\n/top.pem\n',
      { 'config/.env': true, 'apps/web/config/.env': false, 'top.pem': true, 'pkg/top.pem': false },
    ],
    ['letters have a case', '.env\n*.pem\n', { '.ENV': false, 'KEY.PEM': false }],
    [
      'a list of names covers those names',
      '.env\n.env.development.local\n.env.test.local\n.env.production.local\n.env.local\n',
      { '.env.local': true, '.env.staging': false, '.env.production': false },
    ],
    ['a folder that is included again', '.env\nconf/*\n!conf/prod\n', { 'conf/prod/.env': true, 'conf/.env': true }],
  ])('%s', (_, text, expected) => {
    const ignored = ignoreMatcher([{ path: '.gitignore', folder: '', text }]);
    const found = Object.fromEntries(Object.keys(expected).map((path) => [path, ignored(path).isIgnored]));
    expect(found).toEqual(expected);
    // And what is not covered is said of a file that lies there.
    const files = Object.entries(found).map(([path, isIgnored]) => ({
      path,
      kind: 'file' as const,
      isTracked: false,
      isIgnored,
    }));
    const open = Object.keys(expected).filter((path) => expected[path] === false && !path.startsWith('prod'));
    const named = secretFileFindings(files, 'working-copy').map(({ place }) => (place.at === 'file' ? place.path : ''));
    expect(named).toEqual(open);
  });
});

describe('files that hold secrets', () => {
  const findings = (path: string, text?: string, more: { isIgnored?: boolean; kind?: 'link' } = {}) =>
    secretFileFindings(
      [{ path, kind: 'file', isTracked: true, isIgnored: false, ...(text === undefined ? {} : { text }), ...more }],
      'snapshot',
    ).map(({ rule }) => rule);

  it.each<[string, boolean]>([
    ['.env.example', false],
    ['.env.sample', false],
    ['apps/x/.env.template', false],
    ['.env.dist', false],
    ['.env.example.local', true],
    ['.env', true],
  ])('%s is one: %s', (path, expected) => {
    expect(findings(path)).toEqual(expected ? ['secrets/file-tracked'] : []);
  });

  it('are tracked whatever a rule says', () => {
    expect(findings('.env.prod', 'A=1', { isIgnored: true })).toEqual(['secrets/file-tracked-ignored']);
  });

  it('are no .npmrc that refers to the environment, or comments a token out', () => {
    const text =
      'registry=https://registry.example.com/\n//registry.example.com/:_authToken=${NPM_TOKEN}\nsave-exact=true\n';
    expect(findings('.npmrc', `${text}#//r.example.com/:_authToken=abcdefgh1234\n`)).toEqual([]);
  });

  it('are said apart from what they hold', async () => {
    const text = 'SECRET_KEY=replace-me-before-deploy\nAPI_KEY=\n';
    expect(findings('backend/.env', text, { isIgnored: true })).toEqual(['secrets/file-tracked-ignored']);
    expect((await secretFindings([{ place: { at: 'file', path: 'backend/.env' }, text }])).findings).toEqual([]);
  });

  it('are never read through a link', () => {
    expect(findings('docs/link.md', undefined, { kind: 'link' })).toEqual([]);
    const bytes = Buffer.from('../../outside/private.key');
    expect(fileSource({ path: 'docs/link.md', mode: '120000', bytes })).toEqual({});
  });
});

describe('credentials', () => {
  const linesOfPatch = async (patch: string, commit = 'a'.repeat(40)) =>
    (await secretFindings([{ place: { at: 'file', path: 'a' }, commit, ...newSideOf(patch) }])).findings.map(
      ({ place }) => (place.at === 'file' ? place.line : undefined),
    );

  it('that a change takes away are none', async () => {
    expect(await linesOfPatch(`@@ -1,2 +1,2 @@\n-const t = "${GITHUB}";\n+const t = buildToken();\n`)).toEqual([]);
    expect(await linesOfPatch(`@@ -1 +0,0 @@\n-API_TOKEN=${GITHUB}`)).toEqual([]);
  });

  it('that one commit adds and the next removes name the first', async () => {
    const source = (commit: string, patch: string) => ({
      place: { at: 'file', path: 'a' } as const,
      commit,
      ...newSideOf(patch),
    });
    const { findings } = await secretFindings([
      source('1'.repeat(40), `+TOKEN=${GITHUB}`),
      source('2'.repeat(40), `-TOKEN=${GITHUB}\n+TOKEN=\${TOKEN}`),
    ]);
    expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('commit 111111111111')]);
  });

  it.each<[string, string, number[]]>([
    [
      'a lock file has them beside its checksums',
      `"integrity": "sha512-${'Zm9vYmFy'.repeat(10)}Zg==",\n"resolved": "https://user:${GITHUB}@registry.example.com/a.tgz",\n`,
      [2],
    ],
    ['begin with dashes', `${HEADER}\n`, [1]],
    [
      'are no header in a sentence, and no elided block',
      `Look for a line that reads ${HEADER} and stop.\n${HEADER}\nMIIE...\n${FOOTER}\n`,
      [],
    ],
    [
      'are no words with hyphens',
      'see docs/desk-review-of-quarterly-trends.md and brisk-walk-through-autumn-hills\n',
      [],
    ],
    ['are not excused by what the line says', `TOKEN=${GITHUB} # example for the prod cluster\n`, [1]],
  ])('%s', async (_, text, lines) => {
    const { findings } = await secretFindings([{ place: { at: 'file', path: 'a' }, text }]);
    expect(findings.map(({ place }) => (place.at === 'file' ? place.line : undefined))).toEqual(lines);
  });
});
