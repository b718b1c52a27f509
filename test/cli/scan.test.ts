import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { scanReportSchema } from '../../src/gate/scan-report.ts';
import type { ScanReport } from '../../src/gate/scan-report.ts';
import { GITHUB, HEADER, join } from '../checks/secrets/support/shapes.ts';
import { cli, cliOn, folder } from '../support/cli.ts';
import { repositoryAt } from '../support/repository.ts';
import type { TestRepository } from '../support/repository.ts';

jest.setTimeout(120_000); // many processes, on a machine that may be busy

const AGENT = join('Co-authored-', 'by: Claude <noreply@', 'anthropic.com>');
const CONFIG = '.github/countersign.yml';

let repository: TestRepository;
let remove: () => void;

beforeEach(() => {
  const place = folder();
  remove = place.remove;
  repository = repositoryAt(place.root);
  repository.git('init', '-q', '-b', 'main');
});
afterEach(() => remove());

async function report(...argv: string[]): Promise<{ code: number; report: ScanReport }> {
  const { code, out, err } = await cli(repository.root, 'scan', ...argv, '--json');
  expect(err).toBe('');
  expect(out).not.toContain(GITHUB.slice(4, 24));
  return { code, report: scanReportSchema.parse(JSON.parse(out)) };
}

/** Rule and place of every finding, in their order. */
async function found(...argv: string[]): Promise<string[]> {
  const { report: scanned } = await report(...argv);
  return scanned.findings.map(({ rule, place }) => {
    const where = place.at === 'file' ? place.path : place.at === 'commit' ? place.part : place.at;
    const line = 'line' in place && place.line !== undefined ? `:${place.line}` : '';
    return `${rule.replace(/^\w+\//, '')} ${where}${line}`;
  });
}

describe('what cannot be looked at', () => {
  it('refuses a range of two empty names', async () => {
    repository.commit('feat: a');
    const { code, err } = await cli(repository.root, 'scan', 'secrets', '--range', '..');
    expect([code, err]).toEqual([2, expect.stringContaining("not '..'")]);
  });

  it.each(['attribution', 'secrets'])('says that a bare repository has no files, to %s', async (check) => {
    repository.git('config', 'core.bare', 'true');
    const { code, err } = await cli(joinPath(repository.root, '.git'), 'scan', check, '--all');
    expect([code, err]).toEqual([2, expect.stringMatching(/bare repository[^]*--range/)]);
  });

  it.each(['attribution', 'secrets'])('tells of a broken configuration of git, to %s', async (check) => {
    writeFileSync(joinPath(repository.root, '.git/config'), '[core\nx');
    const { code, err } = await cli(repository.root, 'scan', check);
    expect([code, err]).toEqual([4, expect.stringMatching(/bad config line 1/)]);
  });
});

describe('scan attribution', () => {
  it('looks at the commits of this branch that main does not have', async () => {
    repository.commit(`on main\n\n${AGENT}`);
    repository.git('checkout', '-q', '-b', 'work');
    repository.commit('good');
    expect(await report('attribution')).toMatchObject({
      code: 0,
      report: { outcome: 'clean', target: { kind: 'range', text: 'main..HEAD' }, looked_at: { commits: 1 } },
    });
    repository.commit(`bad\n\n${AGENT}`);
    expect(await report('attribution')).toMatchObject({ code: 1, report: { outcome: 'blocked' } });
    expect(await found('attribution')).toEqual(['co-author message:3']);
  });

  it('says what to pass where it cannot be told where the branch begins', async () => {
    repository.commit('one');
    const { code, err } = await cli(repository.root, 'scan', 'attribution');
    expect(code).toBe(2);
    expect(err).toContain('--range');
  });

  it('takes the branch that main follows', async () => {
    const first = repository.commit('one');
    repository.git('branch', 'trunk', first);
    repository.git('branch', '--set-upstream-to=trunk', 'main');
    repository.commit(`two\n\n${AGENT}`);
    expect(await found('attribution')).toEqual(['co-author message:3']);
  });

  it.each([
    ['A..B', 'HEAD~1..HEAD', 1],
    ['A..', 'HEAD~1..', 1],
    ['..B', '..HEAD~1', 0],
    ['all that B has', 'HEAD', 2],
  ])('looks at %s', async (_, range, count) => {
    repository.commit(`one\n\n${AGENT}`);
    repository.commit(`two\n\n${AGENT}`);
    expect(await found('attribution', '--range', range)).toHaveLength(count);
  });

  it('looks at who would commit, by the environment too', async () => {
    repository.git('config', 'user.name', 'Ana');
    repository.git('config', 'user.email', 'ana@example.test');
    expect(await found('attribution', '--staged')).toEqual([]);
    repository.git('config', 'user.email', join('noreply@', 'anthropic.com'));
    expect(await found('attribution', '--staged')).toEqual(['identity repository', 'identity repository']);
  });

  it('looks at a message that is not committed', async () => {
    repository.write('message', `x\n\n${AGENT}\n`);
    expect(await found('attribution', '--message', 'message')).toEqual(['co-author message:3']);
    repository.write('message', 'x\n');
    expect(await report('attribution', '--message', 'message')).toMatchObject({ code: 0 });
    expect((await cli(repository.root, 'scan', 'attribution', '--message', 'nowhere')).code).toBe(2);
  });

  it('looks at the text of files, and passes over what is quoted', async () => {
    repository.write('docs/a.md', join('Generated ', 'with Claude Code\n'));
    repository.write('docs/b.md', '> Generated with Claude Code\n');
    repository.write('.gitignore', 'docs/\n');
    expect(await found('attribution', 'docs')).toEqual(['prose docs/a.md:1']);
    expect(await found('attribution', '--all')).toEqual([]);
  });

  it('goes by the configuration at HEAD, not by the one that is being written', async () => {
    repository.write('a', 'x');
    repository.write(CONFIG, 'version: 1\nattribution:\n  mode: off\n');
    const range = ['attribution', '--range', 'HEAD'];
    repository.git('add', 'a');
    repository.git('commit', '-q', '-m', `one\n\n${AGENT}`);
    expect(await report(...range)).toMatchObject({ code: 1 });
    repository.commit('two');
    expect(await report(...range)).toMatchObject({ code: 0, report: { outcome: 'clean' } });
    repository.write(CONFIG, 'version: 9\n');
    repository.commit('three');
    expect(await report(...range)).toMatchObject({ code: 4, report: { outcome: 'incomplete' } });
  });
});

describe('scan secrets', () => {
  it('looks at commits: what they add, their messages and people', async () => {
    repository.write('a.txt', 'x\n');
    repository.commit('one');
    repository.write('a.txt', `x\n${GITHUB}\n`);
    repository.write('.env', 'x\n');
    repository.commit(`two ${GITHUB}`);
    repository.write('a.txt', 'x\n');
    repository.commit('three');
    expect((await found('secrets', '--range', 'HEAD~2..HEAD')).sort()).toEqual([
      'file-tracked .env',
      'github-token a.txt:2',
      'github-token message:1',
    ]);
    expect(await found('secrets', '--range', 'HEAD')).toHaveLength(3);
    expect(await found('secrets', '--range', 'HEAD~1..')).toEqual([]);
  });

  it('looks at what is staged: lines, files, ignore rules', async () => {
    repository.write('.gitignore', '*.pem\n.env\n');
    repository.write('old.txt', `${GITHUB}\n`);
    repository.commit('one');
    expect(await found('secrets', '--staged')).toEqual([]);
    repository.write('old.txt', `${GITHUB}\nmore\n`); // the token is no news of this commit
    repository.write('new.txt', `a\n${GITHUB}\n`);
    repository.write('.gitignore', '*.pem\n');
    repository.write('key.pem', `${HEADER}\nMIIB\n`);
    repository.write('wide.txt', Buffer.from(`\uFEFF${GITHUB}\n`, 'utf16le'));
    repository.git('add', '-A');
    repository.git('add', '-f', 'key.pem');
    repository.write('new.txt', 'gone from the disk, not from the index\n');
    expect((await found('secrets', '--staged')).sort()).toEqual([
      'file-tracked-ignored key.pem',
      'github-token new.txt:2',
      'github-token wide.txt:1',
      'ignore-rule-removed .gitignore',
      'private-key key.pem:1',
    ]);
  });

  it('looks at what is staged before the first commit, and where a file of rules is removed', async () => {
    repository.write('new.txt', `${GITHUB}\n`);
    repository.write('.gitignore', '.env\n');
    repository.git('add', '-A');
    expect(await found('secrets', '--staged')).toEqual(['github-token new.txt:1']);
    repository.git('commit', '-q', '-m', 'one');
    repository.git('rm', '-q', '--cached', '.gitignore');
    expect(await found('secrets', '--staged')).toEqual(['ignore-rule-removed .gitignore']);
  });

  it('takes an exception only where it stood at HEAD, for what is staged', async () => {
    const line = `${GITHUB} // ${join('counter', 'sign:allow')} secrets/github-token -- a dummy\n`;
    repository.write('a.txt', line);
    repository.git('add', '-A');
    expect(await found('secrets', '--staged')).toEqual(['github-token a.txt:1', 'allow-unconfirmed a.txt:1']);
    repository.git('commit', '-q', '-m', 'one');
    repository.write('a.txt', `${line}${line}`);
    repository.git('add', '-A');
    expect(await found('secrets', '--staged')).toEqual([]);
    // By themselves files are looked at as they are.
    expect(await found('secrets', 'a.txt')).toEqual([]);
  });

  it('names a file in conflict', async () => {
    repository.write('a.txt', 'x\n');
    repository.commit('one');
    repository.git('checkout', '-q', '-b', 'work');
    repository.write('a.txt', 'y\n');
    repository.commit('two');
    repository.git('checkout', '-q', 'main');
    repository.write('a.txt', 'z\n');
    repository.commit('three');
    expect(() => repository.git('merge', 'work')).toThrow();
    expect(await report('secrets', '--staged')).toMatchObject({ code: 4, report: { unread: [{ what: 'a.txt' }] } });
  });

  it('looks at the whole working copy and at what HEAD has besides', async () => {
    repository.write('.gitignore', 'ignored/\nlocal.env\n');
    repository.write('kept.txt', `${GITHUB}\n`);
    repository.write('changed.txt', `${GITHUB}\n`);
    repository.write('gone.txt', `${GITHUB}\n`);
    repository.write('grown.txt', `${GITHUB}\n`);
    repository.commit('one');
    repository.write('changed.txt', 'x\n');
    repository.write('grown.txt', `a\n${GITHUB}\n`);
    repository.git('rm', '-q', 'gone.txt');
    repository.write('ignored/a.txt', `${GITHUB}\n`);
    repository.write('local.env', 'x\n');
    repository.write('sub/.env', 'x\n');
    repository.write('sub/.npmrc', 'registry=https://r.example/\n');
    repository.write('new.txt', `a\nb\n${GITHUB}\n`);
    repository.git('remote', 'add', 'origin', `https://u:${GITHUB}@github.com/o/r.git`);
    expect((await found('secrets')).sort()).toEqual([
      'file-not-ignored sub/.env',
      'file-not-ignored sub/.npmrc',
      'git-config .git/config:7',
      'github-token changed.txt:1',
      'github-token gone.txt:1',
      'github-token grown.txt:2',
      'github-token kept.txt:1',
      'github-token new.txt:3',
    ]);
    expect(await found('secrets', '--all')).toEqual(await found('secrets'));
  });

  it('looks at files and folders, ignored or not, and into no link', async () => {
    repository.write('.gitignore', 'out/\n');
    repository.write('out/a/b.txt', `${GITHUB}\n`);
    repository.write('elsewhere.txt', `${GITHUB}\n`);
    symlinkSync('../elsewhere.txt', joinPath(repository.root, 'out/link.txt'));
    expect(await found('secrets', 'out', 'out/a')).toEqual(['github-token out/a/b.txt:1']);
    expect(await found('secrets', 'out/link.txt')).toEqual(['github-token elsewhere.txt:1']);
    expect((await cli(repository.root, 'scan', 'secrets', 'nowhere')).code).toBe(2);
  });

  it('works outside of git', async () => {
    const place = folder();
    try {
      writeFileSync(joinPath(place.root, 'a.txt'), `${GITHUB}\n`);
      writeFileSync(joinPath(place.root, '.env'), 'x\n');
      const { code, out } = await cli(place.root, 'scan', 'secrets', '--json');
      expect(code).toBe(1);
      expect(scanReportSchema.parse(JSON.parse(out)).findings.map(({ rule }) => rule)).toEqual([
        'secrets/github-token',
        'secrets/file-not-ignored',
      ]);
      for (const option of ['--staged', '--range=HEAD'])
        expect((await cli(place.root, 'scan', 'secrets', option)).code).toBe(4);
    } finally {
      place.remove();
    }
  });

  it('is incomplete by what it cannot look at, and names it', async () => {
    repository.write('large.bin', Buffer.alloc(8 * 1024 * 1024 + 1, 'a'));
    expect(await report('secrets')).toMatchObject({
      code: 4,
      report: { outcome: 'incomplete', findings: [], unread: [{ what: 'large.bin' }] },
    });
    if (process.getuid?.() === 0) return; // who may read everything has no unreadable file
    repository.write('large.bin', 'x');
    repository.write('locked.txt', 'x');
    chmodSync(joinPath(repository.root, 'locked.txt'), 0);
    expect(await report('secrets')).toMatchObject({ code: 4, report: { unread: [{ what: 'locked.txt' }] } });
  });

  it('finds secrets in every kind of text', async () => {
    repository.write('bom.txt', `\uFEFF${GITHUB}\n`);
    repository.write('crlf.txt', `a\r\n${GITHUB}\r\n`);
    repository.write('wide.txt', Buffer.from(`\uFEFFa\n${GITHUB}\n`, 'utf16le'));
    repository.write(
      'binary.dat',
      Buffer.concat([Buffer.from([0, 1, 2, 0, 0]), Buffer.from(`"${GITHUB}"`), Buffer.from([0])]),
    );
    repository.write('minified.js', `${'a=1;'.repeat(100_000)}t="${GITHUB}"`);
    expect(await found('secrets')).toEqual([
      'github-token binary.dat:1',
      'github-token bom.txt:1',
      'github-token crlf.txt:2',
      'github-token minified.js:1',
      'github-token wide.txt:2',
    ]);
  });

  it('goes by modes and allowances at HEAD', async () => {
    const config = (text: string) => {
      repository.write(CONFIG, `version: 1\nsecrets:\n${text}`);
      repository.git('add', CONFIG);
      repository.git('commit', '-q', '-m', 'config');
    };
    repository.write('a.txt', `${GITHUB}\n`);
    config('  mode: warn\n');
    expect(await report('secrets', 'a.txt')).toMatchObject({
      code: 0,
      report: { outcome: 'found', counts: { warn: 1 } },
    });
    config('  allow:\n    - rule: secrets/github-token\n      paths: [a.txt]\n      reason: a dummy\n');
    expect(await report('secrets', 'a.txt')).toMatchObject({ code: 0, report: { outcome: 'clean' } });
    config('  mode: off\n');
    expect(await report('secrets', 'a.txt')).toMatchObject({ code: 0, report: { outcome: 'clean' } });
  });

  it('refuses two targets at once, and formats that contradict', async () => {
    repository.commit('one');
    for (const argv of [
      ['--all', '--staged'],
      ['--all', 'a'],
      ['--range', 'a...b'],
      ['--json', '--format', 'sarif'],
    ])
      expect((await cli(repository.root, 'scan', 'secrets', ...argv)).code).toBe(2);
    expect((await cli(repository.root, 'scan', 'secrets', '--range', 'nowhere..HEAD')).code).toBe(4);
  });
});

describe('the forms of the answer', () => {
  it('say what, where, why and how to mend it, as text', async () => {
    repository.write('src/a.ts', `\nconst t = "${GITHUB}";\n`);
    const { out, code } = await cli(repository.root, 'scan', 'secrets', 'src');
    expect(code).toBe(1);
    for (const part of [
      'secrets/github-token',
      'src/a.ts:2:12',
      'GitHub token of 40 characters',
      'Why:',
      '→ Revoke it',
    ])
      expect(out).toContain(part);
    expect(out).not.toContain(GITHUB.slice(4, 24));
    expect(out.trimEnd().split('\n').at(-1)).toBe('Blocked: 1 blocking. secrets of src; 1 file.');
  });

  it('show nothing of a name that could move the cursor', async () => {
    repository.write('a\u001b[2J.txt', `${GITHUB}\n`);
    const { out } = await cli(repository.root, 'scan', 'secrets');
    expect(out).toContain(String.raw`a\u{1b}[2J.txt:1`);
    expect(out).not.toContain('\u001b');
  });

  it('are SARIF with the place of each finding, and what could not be looked at', async () => {
    repository.write('a.txt', `x\n${GITHUB}\n`);
    repository.write('large.bin', Buffer.alloc(8 * 1024 * 1024 + 1, 'a'));
    const { out, code } = await cli(repository.root, 'scan', 'secrets', '--format', 'sarif');
    expect(code).toBe(4);
    const log = JSON.parse(out) as { runs: Record<string, unknown>[] };
    expect(log.runs[0]).toMatchObject({
      automationDetails: { id: 'countersign-secrets/' },
      invocations: [{ executionSuccessful: false, toolExecutionNotifications: [{ level: 'error' }] }],
      results: [
        {
          ruleId: 'secrets/github-token',
          level: 'error',
          locations: [
            { physicalLocation: { artifactLocation: { uri: 'a.txt' }, region: { startLine: 2, startColumn: 1 } } },
          ],
        },
      ],
    });
  });

  it('fit a narrow terminal with colours, and keep commands whole', async () => {
    repository.git('config', 'user.name', 'Ana');
    repository.git('checkout', '-q', '-b', 'work');
    repository.commit(`x\n\n${AGENT}`);
    const canvas = { columns: 60, colour: true, progress: false };
    const { out } = await cliOn(canvas, repository.root, ['scan', 'attribution', '--range', 'HEAD']);
    expect(out).toContain('\u001b[31m');
    expect(out).toMatch(/\n +git commit --amend\n/);
  });
});
