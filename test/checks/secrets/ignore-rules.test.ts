import { describe, expect, it } from '@jest/globals';
import { ignoreMatcher } from '../../../src/checks/secrets/ignore-rules.ts';
import { compileWildmatch } from '../../../src/checks/secrets/wildmatch.ts';
import { ignoreChangeFindings } from '../../../src/checks/secrets/ignore-changes.ts';
import { compareWithGit } from './support/ignore-comparison.ts';

const root = (text: string) => [{ path: '.gitignore', folder: '', text }];

describe('ignore rules', () => {
  it.each<[string, string, string[], string[]]>([
    ['a negation below an excluded folder is dead', 'deploy/\n!deploy/.env\n', ['deploy/.env'], []],
    ['one star stays in its folder', '*.key\n!certs/*\n', ['certs/old/b.key'], ['certs/a.key']],
    ['blanks and CR are trimmed, tabs are not', 'a.pem   \nb.pem\t\nc.pem\r\n', ['a.pem', 'c.pem'], ['b.pem']],
    ['classes in sets', 'prod[[:space:]]keys.json\n', ['prod keys.json'], ['prod_keys.json']],
    ['two stars alone', '**\n', ['.env', 'a/b/.env'], []],
    ['a slash anchors', 'config/.env\n/top.pem\n', ['config/.env', 'top.pem'], ['apps/web/config/.env', 'pkg/top.pem']],
    ['case counts', '.env\n*.pem\n', [], ['.ENV', 'KEY.PEM']],
    ['names are exact', '.env\n.env.local\n', ['.env.local'], ['.env.staging', '.env.production']],
    ['a folder included again keeps earlier rules', '.env\nconf/*\n!conf/prod\n', ['conf/prod/.env', 'conf/.env'], []],
    ['a question mark is one byte', '?\n', ['a'], ['é']],
  ])('%s', (_, text, ignored, kept) => {
    const matcher = ignoreMatcher(root(text));
    expect(ignored.filter((path) => !matcher(path).isIgnored)).toEqual([]);
    expect(kept.filter((path) => matcher(path).isIgnored)).toEqual([]);
  });

  it('weigh less outside of .gitignore', () => {
    const matcher = ignoreMatcher(root('!a\n'), {
      global: [{ path: '.git/info/exclude', folder: '', text: 'a\nb\n' }],
    });
    expect([matcher('a').isIgnored, matcher('b').isIgnored]).toEqual([false, true]);
  });

  // 20,000 pairs in all. Making their folders takes most of the time.
  it.each([
    [1, 5000, false],
    [2, 5000, false],
    [3, 5000, false],
    [4, 5000, true],
  ])(
    'agree with git (seed %i, %i pairs, ignoring case: %s)',
    async (seed, pairs, ignoreCase) => {
      const { differences, pairs: compared, ignored } = await compareWithGit(seed, pairs, ignoreCase);
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(pairs * 0.8);
      expect(ignored).toBeGreaterThan(pairs * 0.1);
    },
    120_000,
  );

  it('take hostile patterns in linear steps', () => {
    const text = 'a'.repeat(5000);
    expect(compileWildmatch('*a'.repeat(60) + 'b', 'apart')(text)).toBe(false);
    expect(compileWildmatch('**/'.repeat(60) + 'b', 'apart')('a/'.repeat(2500))).toBe(false);
  });
});

describe('a change of ignore rules', () => {
  it.each<[string, string, string, string | undefined]>([
    ['removes one', '.env\n*.log\n', '*.log\n', '.env'],
    ['negates one', '.env*\n', '.env*\n!.env.production\n', '.env.production'],
    ['anchors one', 'deploy/tls.key\n', 'other/tls.key\n', 'deploy/tls.key'],
    ['empties the file', '*.pem\n', '', 'server.pem'],
    ['removes another kind', '.env\ndist/\n', '.env\n', undefined],
    ['replaces one by a wider one', '.env\n', '.env*\n', undefined],
  ])('that %s', (_, before, after, uncovered) => {
    const [finding, ...more] = ignoreChangeFindings(root(before), root(after));
    expect(more).toEqual([]);
    expect(finding?.message.includes(uncovered ?? '\0')).toBe(uncovered === undefined ? undefined : true);
  });

  it('that removes a whole file of rules', () => {
    const [finding] = ignoreChangeFindings([{ path: 'app/.gitignore', folder: 'app', text: '.env\n' }], []);
    expect(finding?.place).toEqual({ at: 'file', path: 'app/.gitignore' });
  });
});
