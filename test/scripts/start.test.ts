import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', '..');

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'countersign-start-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `npm start` without a terminal, its temporary folders in one of our own. */
function start(argv: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: folder, ...settings };
  const child = spawn(process.execPath, ['scripts/start.ts', '--bundles', 'build', ...argv], {
    ...{ cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let text = '';
  let heard = (): void => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      heard();
    });
  }
  const ended = once(child, 'close').then(([code]) => Number(code));
  return {
    ...{ ended, text: () => text, interrupt: () => child.kill('SIGINT') },
    /** Waits until it has written something. */
    wrote: async (pattern: RegExp): Promise<RegExpExecArray> =>
      new Promise((resolve, reject) => {
        heard = () => {
          const found = pattern.exec(text);
          if (found !== null) resolve(found);
        };
        heard();
        void ended.then((code) => reject(new Error(`It ended with ${code}:\n${text}`)));
      }),
  };
}

describe('npm start', () => {
  it('shows a verdict of each outcome, and ends', async () => {
    const said = start([]);
    expect([await said.ended, said.text()]).toEqual([0, expect.stringContaining('── All verdicts')]);
    const table = said.text().split('── All verdicts')[1] ?? '';
    const rows = [...table.matchAll(/^ {2}#(\d) {2}([\w-]+) {2,}(.*)$/gm)];
    expect(rows.map(([, number, outcome, headline]) => [number, outcome, headline])).toEqual([
      ['1', 'verified', expect.stringMatching(/^VERIFIED \(platform; \d of \d assertions declared\)$/)],
      ['2', 'not-governed', 'No governed run'],
      ['3', 'pending', expect.stringMatching(/^UNVERIFIED, waiting: /)],
      ['4', 'unverified', expect.stringMatching(/^UNVERIFIED: /)],
      ['5', 'failed', expect.stringMatching(/^UNVERIFIED \(failed\): .*src\/secure\.mjs\.$/)],
      ['6', 'incomplete', expect.stringMatching(/^UNVERIFIED \(incomplete\): CS1101 /)],
    ]);
    const checks = [...said.text().matchAll(/^Check {3}Countersign {2}(\w+): /gm)].map(([, state]) => state);
    expect(checks).toEqual(['success', 'success', 'in_progress', 'failure', 'failure', 'failure']);
    // Comments as a terminal shows them: no Markdown, no HTML.
    expect(said.text()).toContain('Gate gate.tests');
    expect(said.text()).not.toMatch(/\*\*|^\s*#{2,} |<details>|<!--|`/m);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('goes on where it is told to, answers people, and leaves nothing behind when it is stopped', async () => {
    const said = start(['demo', '--stay']);
    const [, token, url] = await said.wrote(/Bearer (\w+)' (http:\S+\/3\/comments) -d/);
    const health = /App {6}(http:\S+)/.exec(said.text())?.[1];
    expect((await fetch(`${health}/readyz`)).status).toBe(200);
    await fetch(url ?? '', {
      ...{ method: 'POST', body: JSON.stringify({ body: '/countersign help' }) },
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' },
    });
    await said.wrote(/A comment on #3[\s\S]*\/countersign recheck/);
    said.interrupt();
    expect(await said.ended).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('can be stopped while it still prepares', async () => {
    const said = start(['demo']);
    await said.wrote(/Making a repository/);
    said.interrupt();
    expect(await said.ended).toBe(0);
    expect(said.text()).not.toContain('The App runs');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('serves GitHub where the environment has an App', async () => {
    const said = start([], { APP_ID: '1', PRIVATE_KEY: 'no key', WEBHOOK_SECRET: 'long enough for this' });
    expect(await said.ended).toBe(2);
    expect(said.text()).toMatch(
      /^CS1801 The App cannot start with these settings:\n {2}PRIVATE_KEY holds no private key/,
    );
  });

  it('still tells the story of the command line', async () => {
    const said = start(['local']);
    expect(await said.ended).toBe(0);
    expect(said.text()).toContain('✓ VERIFIED (declared evidence only)');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([[['nothing']], [['--nothing']]])('refuses %j', async (argv) => {
    const said = start(argv);
    expect(await said.ended).toBe(2);
    expect(said.text()).toContain('Usage: npm start');
  });
});
