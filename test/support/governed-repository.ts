import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PushCommit } from '../../src/sandbox/builders/repositories.ts';
import type { FileChange } from '../../src/sandbox/git/write.ts';
import type { RunningSandbox } from '../../src/sandbox/start.ts';
import type { Account, Comment, Conclusion, PullRequest, Repository, WorkflowRun } from '../../src/sandbox/state.ts';
import { isRule } from './facts.ts';
import { governedProject } from './governed.ts';
import type { GovernedOptions } from './governed.ts';

export const EXAMPLES = join(import.meta.dirname, '..', '..', 'docs', 'examples');
export const CI = '.github/workflows/ci.yml';
export const CONFIG = '.github/countersign.yml';

/** The config of the examples: `ci.yml` shows that the tests ran. */
export const CONFIG_TEXT = `evidence:\n  tests:\n    workflows:\n      - path: ${CI}\n        jobs: [test]\n`;

export type Files = Readonly<Record<string, FileChange>>;

/** People on a GitHub to test on: an owner, who writes the code, who reviews it, and somebody from outside. */
export interface Cast {
  readonly ada: Account;
  readonly coder: Account;
  readonly ana: Account;
  readonly eve: Account;
  /** The organisation, which ada owns. */
  readonly acme: Account;
}

export function addCast(sandbox: RunningSandbox): Cast {
  const ada = sandbox.addUser('ada', { name: 'Ada' });
  return {
    ada,
    coder: sandbox.addUser('coder', { name: 'Coder', email: 'coder@example.com' }),
    ana: sandbox.addUser('ana', { name: 'Ana' }),
    eve: sandbox.addUser('eve', { name: 'Eve' }),
    acme: sandbox.addOrganization('acme', [ada]),
  };
}

export interface GovernedRepositoryOptions {
  /** By default `widgets`. */
  readonly name?: string;
  /** The run that pull requests bring; null: nothing is governed, there is no lock and no run. */
  readonly governed?: GovernedOptions | null;
  /** Null: none. */
  readonly config?: string | null;
  /** Further files of the base. */
  readonly base?: Files;
}

export interface NewPull {
  /** The run's documents are brought unless told otherwise. */
  readonly ledger?: boolean;
  /** Changes the run's documents before they are committed; null deletes one. */
  readonly edit?: (documents: Record<string, FileChange>) => Record<string, FileChange>;
  readonly files?: Files;
  /** Further commits on top. */
  readonly commits?: readonly PushCommit[];
  readonly message?: string;
  readonly branch?: string;
  readonly base?: string;
  readonly title?: string;
  readonly body?: string;
  readonly by?: Account;
  /** From a fork of this account's. */
  readonly fork?: Account;
  readonly draft?: boolean;
  /** The tests end so before the pull request is opened. */
  readonly tested?: Conclusion;
}

/** A repository whose base has rules, and what people do in it. */
export async function governedRepository(
  sandbox: RunningSandbox,
  { coder, ana, acme }: Cast,
  options: GovernedRepositoryOptions,
) {
  const governed = options.governed === null ? undefined : governedProject(options.governed);
  const documents = Object.fromEntries((governed?.entries() ?? []).map(({ path, text = '' }) => [path, text]));
  const config = options.config === undefined ? CONFIG_TEXT : options.config;
  const repository = await sandbox.addRepository(acme, options.name ?? 'widgets', {
    files: {
      'README.md': '# Widgets\n',
      'src/app.ts': 'export const app = 1;\n',
      [CI]: readFileSync(join(EXAMPLES, 'ci.yml'), 'utf8'),
      ...(config === null ? {} : { [CONFIG]: config }),
      ...Object.fromEntries(Object.entries(documents).filter(([path]) => isRule(path))),
      ...options.base,
    },
    collaborators: { coder: 'write', ana: 'write' },
    protectedBranches: ['main'],
  });
  const forks = new Map<number, Repository>();

  /** A branch with the run's documents and a change of `src/app.ts`, and its pull request. */
  const open = async (given: NewPull = {}): Promise<PullRequest> => {
    const by = given.by ?? given.fork ?? coder;
    const branch = given.branch ?? 'feature';
    const from = given.fork === undefined ? repository : await forkOf(given.fork);
    const brought = Object.fromEntries(Object.entries(documents).filter(([path]) => !isRule(path)));
    const ledger = given.ledger === false ? {} : (given.edit ?? ((same) => same))(brought);
    const files = { 'src/app.ts': 'export const app = 2;\n', ...ledger, ...given.files };
    const first: PushCommit = { message: given.message ?? 'Add the demo', files };
    const sha = await sandbox.push(from, by, {
      ...{ branch, commits: [first, ...(given.commits ?? [])] },
      ...(given.base === undefined ? {} : { from: given.base }),
    });
    if (given.tested !== undefined) await ended(await startTests({ sha, branch }, CI, 'push'), given.tested);
    return sandbox.openPullRequest(repository, {
      ...{ by, branch, from, title: given.title ?? 'Add the demo', body: given.body ?? '' },
      ...(given.base === undefined ? {} : { base: given.base }),
      ...(given.draft === undefined ? {} : { draft: given.draft }),
    });
  };

  const forkOf = async (owner: Account): Promise<Repository> => {
    const fork = forks.get(owner.id) ?? (await sandbox.fork(repository, owner));
    forks.set(owner.id, fork);
    return fork;
  };

  const startTests = async (
    at: PullRequest | { readonly sha: string; readonly branch: string },
    path = CI,
    event = 'pull_request',
  ) => sandbox.startWorkflowRun(repository, { at, path, event, name: 'CI', jobs: ['test'] });
  const ended = async (run: WorkflowRun, conclusion: Conclusion): Promise<void> =>
    sandbox.finishJob(repository, run, 'test', conclusion);

  /** A run of the tests at a pull request's head; without a conclusion it goes on. */
  const tests = async (pull: PullRequest, conclusion?: Conclusion, path = CI): Promise<WorkflowRun> => {
    const run = await startTests(pull, path);
    if (conclusion !== undefined) await ended(run, conclusion);
    return run;
  };

  return {
    ...{ repository, documents, open, tests, forkOf, runId: governed?.runId ?? '' },
    ...{ contractDigest: governed?.contractDigest ?? '' },
    /** One more commit on the pull request's branch, which comes from the repository itself. */
    push: (pull: PullRequest, files: Files, message = 'Once more', by: Account = coder): Promise<string> =>
      sandbox.push(repository, by, { branch: pull.head.ref, files, message }),
    approve: (pull: PullRequest, by: Account = ana) => sandbox.review(repository, pull, by, 'APPROVED'),
    comments: (pull: PullRequest): Comment[] =>
      [...repository.comments.values()].filter(({ number }) => number === pull.number),
    remove: (): void => governed?.remove(),
  };
}

export type GovernedRepository = Awaited<ReturnType<typeof governedRepository>>;
