import { APP_MANIFEST } from '../../src/doctor/app-manifest.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import type { RunningSandbox } from '../../src/sandbox/start.ts';
import type { App, Conclusion, PullRequest, Repository } from '../../src/sandbox/state.ts';
import { BRANCHES, CI } from './branches.ts';
import type { DemoRepository } from './repository.ts';

export type DemoOutcome = keyof typeof BRANCHES;

/** A pull request of the demonstration, and how its tests end; undefined: they never do. */
interface DemoPull {
  readonly title: string;
  readonly by: 'coder' | 'ada';
  readonly tests: Conclusion | undefined;
}

const PULLS = {
  verified: { title: 'Refuse empty names', by: 'coder', tests: 'success' },
  'not-governed': { title: 'Say what it does', by: 'ada', tests: 'success' },
  pending: { title: 'Refuse empty names, still testing', by: 'coder', tests: undefined },
  unverified: { title: 'Refuse empty names, trust me', by: 'coder', tests: 'success' },
  failed: { title: 'Refuse empty names, and more', by: 'coder', tests: 'success' },
  incomplete: { title: 'Refuse empty names, in two versions', by: 'coder', tests: 'success' },
} as const satisfies Record<DemoOutcome, DemoPull>;

/** A GitHub to show the App on: an organisation, a repository with rules, people, and the App installed. */
export interface DemoGitHub {
  readonly sandbox: RunningSandbox;
  readonly repository: Repository;
  readonly app: App;
  readonly privateKey: string;
  /** Opens the pull request that stands for an outcome. */
  readonly open: (outcome: DemoOutcome) => Promise<PullRequest>;
  /** A token of the reviewer's, who may decide. */
  readonly reviewerToken: string;
  readonly stop: () => Promise<void>;
}

export async function startDemoGitHub(source: DemoRepository): Promise<DemoGitHub> {
  const sandbox = await startSandbox();
  const ada = sandbox.addUser('ada', { name: 'Ada' });
  const coder = sandbox.addUser('coder', { name: 'Coding Agent', email: 'agent@example.com' });
  const ana = sandbox.addUser('ana', { name: 'Ana' });
  const acme = sandbox.addOrganization('acme', [ada]);
  const repository = await sandbox.addRepository(acme, 'greetings', {
    ...{ files: {}, collaborators: { coder: 'write', ana: 'write' }, protectedBranches: ['main'] },
  });
  const people = { ada, coder };
  // All that the working repository has, under a name of its own; each branch is then pushed by a person.
  source.git('push', '--quiet', repository.folder, 'refs/heads/*:refs/incoming/*');
  await sandbox.push(repository, ada, { branch: 'main', from: 'refs/incoming/main' });
  // GitHub's description, which the sandbox keeps to, does not list the permission for merge queues.
  const { merge_queues: _, metadata: _metadata, ...permissions } = APP_MANIFEST.default_permissions;
  const { app, privateKey } = sandbox.addApp(ada, 'countersign', {
    ...{ name: APP_MANIFEST.name, permissions, events: APP_MANIFEST.default_events },
  });
  sandbox.install(app, acme);
  return {
    ...{ sandbox, repository, app, privateKey, reviewerToken: sandbox.userToken(ana) },
    open: async (outcome) => {
      const { title, by, tests }: DemoPull = PULLS[outcome];
      const branch = BRANCHES[outcome];
      await sandbox.push(repository, people[by], { branch, from: `refs/incoming/${branch}` });
      const pull = await sandbox.openPullRequest(repository, { by: people[by], branch, title, body: '' });
      // Begun by the pull request, as workflows are: what ran before it was opened shows nothing of it.
      const run = await sandbox.startWorkflowRun(repository, { at: pull, path: CI, name: 'CI', jobs: ['test'] });
      if (tests !== undefined) await sandbox.finishJob(repository, run, 'test', tests);
      return pull;
    },
    stop: async () => sandbox.stop(),
  };
}
