import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { COMMENT_MARKER } from '../../src/render/markdown.ts';
import { styled } from '../../src/render/table.ts';
import type { Canvas } from '../../src/render/table.ts';
import type { PullRequest } from '../../src/sandbox/state.ts';
import { startDemoApp } from './app-process.ts';
import type { DemoApp } from './app-process.ts';
import { BRANCHES, makeBranches } from './branches.ts';
import { commentText } from './comment-text.ts';
import { startDemoGitHub } from './github.ts';
import type { DemoGitHub, DemoOutcome } from './github.ts';
import { demoRepository } from './repository.ts';

const STORIES = {
  verified: 'An agent fixes a bug. Its ledger has evidence of everything, and GitHub saw the tests succeed.',
  'not-governed': 'A person improves the README. Nothing demands a run, and nothing is wrong: no comment is written.',
  pending: 'The same fix, while its tests still run. The check waits with them.',
  unverified: 'A ledger that says everything is done, and shows nothing of it.',
  failed: 'Evidence of a file that the branch does not change: what is seen contradicts it.',
  incomplete: 'A contract that says two things at once. What cannot be read with one meaning is never passed.',
} as const satisfies Record<DemoOutcome, string>;

export interface DemoOptions {
  /** Bundles of the command line and the App. */
  readonly cli: string;
  readonly app: string;
  /** Goes on until it is stopped. */
  readonly stay: boolean;
  readonly canvas: Canvas;
}

/**
 * Shows the App at work on a GitHub to test on: a pull request for each outcome.
 * @param stopped ends it early
 * @returns the exit code: 0, or 1 where an outcome is another than the one that was to be shown
 */
export async function showApp(options: DemoOptions, stopped: AbortSignal): Promise<number> {
  const undo: (() => void | Promise<void>)[] = [];
  try {
    say('Making a repository with rules, and branches that an agent wrote …');
    const source = demoRepository(options.cli);
    undo.push(source.remove);
    // Signals are heard only between steps: those run other programs and wait for them.
    const pause = async (): Promise<void> => {
      await setImmediate();
      stopped.throwIfAborted();
    };
    await makeBranches(source, pause);
    const github = await startDemoGitHub(source);
    undo.push(github.stop);
    const folder = mkdtempSync(join(tmpdir(), 'countersign-app-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    const logFile = join(folder, 'app.log');
    const secret = randomBytes(20).toString('hex');
    const app = await startDemoApp(
      options.app,
      {
        ...{ APP_ID: String(github.app.id), PRIVATE_KEY: github.privateKey, WEBHOOK_SECRET: secret, PORT: '0' },
        ...{ GITHUB_API_URL: github.sandbox.url, STORE_FILE: join(folder, 'store.sqlite') },
      },
      logFile,
    );
    undo.push(app.stop);
    stopped.throwIfAborted();
    github.sandbox.deliverTo(`${app.url}/api/github/webhooks`, secret, github.app);
    say(addresses(github, app, logFile));
    const code = await showOutcomes(github, app, options.canvas, stopped);
    if (options.stay && code === 0) await stay(github, app, options.canvas, stopped);
    return code;
  } catch (thrown) {
    // Ctrl-C also reaches the program that a step waits for, and is heard here only now.
    await setImmediate();
    if (!stopped.aborted) throw thrown;
    return 0;
  } finally {
    for (const one of undo.reverse()) await one();
  }
}

function addresses({ sandbox }: DemoGitHub, app: DemoApp, logFile: string): string {
  return [
    'The App runs, and a GitHub to test on delivers events to it:',
    `  GitHub   ${sandbox.url}/repos/acme/greetings`,
    `  App      ${app.url}  (/healthz, /readyz, /metrics)`,
    `  its log  ${logFile}`,
  ].join('\n');
}

async function showOutcomes(github: DemoGitHub, app: DemoApp, canvas: Canvas, stopped: AbortSignal): Promise<number> {
  const rows: string[] = [];
  let code = 0;
  for (const outcome of Object.keys(BRANCHES) as DemoOutcome[]) {
    const pull = await github.open(outcome);
    const verdict = await app.verdict(pull.number, github.sandbox.settled);
    stopped.throwIfAborted();
    say(`${heading(canvas, pull)}\n   ${STORIES[outcome]}\n\n${shown(github, pull, canvas)}`);
    rows.push(`  #${pull.number}  ${verdict.outcome.padEnd(12)}  ${verdict.headline}`);
    if (verdict.outcome === outcome) continue;
    code = 1;
    say(`This was to be ${outcome}, and is ${verdict.outcome}.`);
  }
  say(['── All verdicts', '', ...rows].join('\n'));
  return code;
}

const heading = (canvas: Canvas, { number, title }: PullRequest): string =>
  styled(canvas, 'bold', `── #${number} ${title}`);

/** What stands on a pull request: its check, and its comment. */
function shown({ repository }: DemoGitHub, pull: PullRequest, canvas: Canvas): string {
  const check = [...repository.checkRuns.values()].findLast(
    ({ headSha, name }) => headSha === pull.head.sha && name === 'Countersign',
  );
  const comment = [...repository.comments.values()].find(
    ({ number, body }) => number === pull.number && body.includes(COMMENT_MARKER),
  );
  const state = check === undefined ? 'none' : `${check.conclusion ?? check.status}: ${check.title ?? ''}`;
  const body =
    comment === undefined ? '(no comment)' : commentText(comment.body, { ...canvas, columns: canvas.columns - 2 });
  return `Check   Countersign  ${state}\nComment\n${body.replace(/^(?=.)/gm, '  ')}`;
}

/** Shows what is posted from now on, until somebody stops it. */
async function stay(github: DemoGitHub, app: DemoApp, canvas: Canvas, stopped: AbortSignal): Promise<void> {
  const { sandbox, repository, reviewerToken } = github;
  const pulls = `${sandbox.url}/repos/acme/greetings/issues`;
  say(
    [
      'It goes on until you press Ctrl-C. Talk to it as Ana, who may decide:',
      `  curl -H 'Authorization: Bearer ${reviewerToken}' ${pulls}/3/comments -d '{"body":"/countersign help"}'`,
    ].join('\n'),
  );
  app.onVerdict(({ number }) => {
    const pull = repository.pulls.get(number);
    if (pull !== undefined) say(`${heading(canvas, pull)}\n\n${shown(github, pull, canvas)}`);
  });
  const known = new Set(repository.comments.keys());
  const look = setInterval(() => {
    for (const { id, number, body } of repository.comments.values()) {
      if (known.has(id)) continue;
      known.add(id);
      say(`── A comment on #${number}\n\n${commentText(body, canvas)}`);
    }
  }, 200);
  await new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true }));
  clearInterval(look);
  say('Stopping …');
}

function say(text: string): void {
  console.log(`\n${text}`);
}
