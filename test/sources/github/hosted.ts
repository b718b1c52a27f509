import { execFileSync } from 'node:child_process';
import type { GitHubApi } from '../../../src/github/api.ts';
import { createGitHub } from '../../../src/github/client.ts';
import { SYSTEM_TIME } from '../../../src/github/time.ts';
import { startSandbox } from '../../../src/sandbox/start.ts';
import type { SandboxOptions } from '../../../src/sandbox/start.ts';
import type { TestRepository } from '../../support/repository.ts';

/** What a test repository's commits are at a GitHub, and a client of it. */
export interface Hosted {
  readonly api: GitHubApi;
  readonly repository: { readonly owner: string; readonly repo: string };
  readonly sandbox: Awaited<ReturnType<typeof startSandbox>>;
  /** Calls by route since the last question. */
  readonly calls: () => Record<string, number>;
  /** Opens a pull request of a branch. @returns its number */
  readonly open: (branch: string, base?: string, body?: string) => Promise<number>;
}

// What fails is asked for again at once.
const NO_WAITING = { ...SYSTEM_TIME, sleep: () => Promise.resolve() };

/** Runs `body` with a sandbox whose repository acme/widgets has all objects of a repository, and its branches. */
export async function withHosted(
  { root, git }: TestRepository,
  body: (hosted: Hosted) => Promise<void>,
  options: SandboxOptions = {},
): Promise<void> {
  const sandbox = await startSandbox(options);
  try {
    const ada = sandbox.addUser('ada');
    const acme = sandbox.addOrganization('acme', [ada]);
    const widgets = await sandbox.addRepository(acme, 'widgets', { files: {}, protectedBranches: ['main'] });
    // Objects made by hand too, which no fetch would take.
    execFileSync('cp', ['-r', `${root}/.git/objects/.`, `${widgets.folder}/objects/`]);
    const branches = git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads').split('\n');
    for (const line of branches.filter((one) => one !== '')) {
      const [ref = '', oid = ''] = line.split(' ');
      execFileSync('git', ['update-ref', ref, oid], { cwd: widgets.folder });
    }
    const auth = sandbox.workflowToken(widgets, { contents: 'read', pull_requests: 'read', actions: 'read' });
    const { api } = createGitHub({ baseUrl: sandbox.url, auth, userAgent: 'countersign-test', time: NO_WAITING });
    let before: Readonly<Record<string, number>> = {};
    await body({
      api,
      sandbox,
      repository: { owner: 'acme', repo: 'widgets' },
      open: async (branch, base = 'main', body = '') =>
        (await sandbox.openPullRequest(widgets, { by: ada, branch, base, title: 'title', body })).number,
      calls: () => {
        const now = sandbox.calls();
        const fresh = Object.entries(now).map(([route, count]) => [route, count - (before[route] ?? 0)] as const);
        before = { ...now };
        return Object.fromEntries(fresh.filter(([, count]) => count > 0));
      },
    });
  } finally {
    await sandbox.stop();
  }
  const wrong = sandbox.violations();
  if (wrong.length > 0) throw new Error(`The sandbox is not as GitHub describes it:\n${wrong.join('\n')}`);
}
