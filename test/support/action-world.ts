import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readObject } from '../../src/sandbox/git/objects.ts';
import { readRef } from '../../src/sandbox/git/refs.ts';
import type { PushCommit } from '../../src/sandbox/builders/repositories.ts';
import type { FileChange } from '../../src/sandbox/git/write.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import type {
  Account,
  Comment,
  CommitStatus,
  Conclusion,
  MergeGroup,
  PullRequest,
  Repository,
  SandboxEvent,
  WorkflowRun,
} from '../../src/sandbox/state.ts';
import { isRule } from './facts.ts';
import { governedProject } from './governed.ts';
import type { GovernedOptions } from './governed.ts';
import { runAction } from './run-action.ts';
import type { ActionResult } from './run-action.ts';
import { actionJob } from './workflow-file.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'docs', 'examples');
export const CI = '.github/workflows/ci.yml';
/** Where the example under test stands in the repository. */
export const WORKFLOW = '.github/workflows/countersign.yml';
export const CONFIG = '.github/countersign.yml';

/** The config of the examples: `ci.yml` shows that the tests ran. */
export const CONFIG_TEXT = `evidence:\n  tests:\n    workflows:\n      - path: ${CI}\n        jobs: [test]\n`;

export type Files = Readonly<Record<string, FileChange>>;

export interface ActionWorldOptions {
  /** Which of docs/examples runs the Action. */
  readonly example?: string;
  /** The run that pull requests bring; null: nothing is governed, there is no lock and no run. */
  readonly governed?: GovernedOptions | null;
  /** Null: none. */
  readonly config?: string | null;
  /** Further files of the base. */
  readonly base?: Files;
  readonly sandbox?: SandboxOptions;
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
}

export interface ActOptions {
  /** Inputs besides those of the example. */
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** An earlier event instead of the newest: a run that is started again. */
  readonly event?: SandboxEvent;
  readonly token?: string;
}

/** A repository on a GitHub to test on, with one of the examples in it, and everything that happens there. */
export async function startActionWorld(options: ActionWorldOptions = {}) {
  const sandbox = await startSandbox(options.sandbox);
  const governed = options.governed === null ? undefined : governedProject(options.governed);
  const documents = Object.fromEntries((governed?.entries() ?? []).map(({ path, text = '' }) => [path, text]));
  const example = options.example ?? 'status.yml';
  const exampleText = readFileSync(join(EXAMPLES, example), 'utf8');
  const ada = sandbox.addUser('ada', { name: 'Ada' });
  const coder = sandbox.addUser('coder', { name: 'Coder', email: 'coder@example.com' });
  const ana = sandbox.addUser('ana', { name: 'Ana' });
  const eve = sandbox.addUser('eve', { name: 'Eve' });
  const acme = sandbox.addOrganization('acme', [ada]);
  const config = options.config === undefined ? CONFIG_TEXT : options.config;
  const repository = await sandbox.addRepository(acme, 'widgets', {
    files: {
      'README.md': '# Widgets\n',
      'src/app.ts': 'export const app = 1;\n',
      [CI]: readFileSync(join(EXAMPLES, 'ci.yml'), 'utf8'),
      [WORKFLOW]: exampleText,
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
    await sandbox.push(from, by, {
      ...{ branch, commits: [first, ...(given.commits ?? [])] },
      ...(given.base === undefined ? {} : { from: given.base }),
    });
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

  /** A run of the tests at a pull request's head; without a conclusion it goes on. */
  const tests = async (pull: PullRequest, conclusion?: Conclusion, path = CI): Promise<WorkflowRun> => {
    const run = await sandbox.startWorkflowRun(repository, { at: pull, path, name: 'CI', jobs: ['test'] });
    if (conclusion !== undefined) await sandbox.finishJob(repository, run, 'test', conclusion);
    return run;
  };

  const newest = (event: string): SandboxEvent => {
    const source = event === 'pull_request_target' ? 'pull_request' : event;
    const found = sandbox.events().findLast((one) => one.event === source && one.repositoryId === repository.id);
    if (found === undefined) throw new Error(`Nothing of the kind ${event} has happened.`);
    return found;
  };

  /** Runs the example's job for the newest event of a kind, with the token and inputs that the file gives it. */
  const act = async (eventName: string, given: ActOptions = {}): Promise<ActionResult> => {
    const event = given.event ?? newest(eventName);
    const number = numberOf(event.payload);
    const pull = number === undefined ? undefined : repository.pulls.get(number);
    const { sha, ref } = await placeOf(repository, eventName, event, pull);
    const text = await textAt(repository, sha, WORKFLOW);
    if (text === undefined) throw new Error(`There is no ${WORKFLOW} at ${sha}.`);
    const job = actionJob(text, eventName, event.action);
    if (job === undefined) throw new Error(`${example} does not run for ${eventName} (${event.action ?? 'no type'}).`);
    const permissions = Object.fromEntries(
      Object.entries(job.permissions).map(([name, access]) => [name.replaceAll('-', '_'), access]),
    );
    const lesser = eventName === 'pull_request' || eventName === 'pull_request_review';
    const token = given.token ?? sandbox.workflowToken(repository, permissions, lesser ? pull : undefined);
    return runAction({
      ...{ token, eventName, payload: event.payload, with: { ...job.with, ...given.with } },
      env: {
        GITHUB_REPOSITORY: 'acme/widgets',
        GITHUB_API_URL: sandbox.url,
        GITHUB_GRAPHQL_URL: `${sandbox.url}/graphql`,
        GITHUB_SERVER_URL: 'https://github.example',
        GITHUB_RUN_ID: '4711',
        GITHUB_RUN_ATTEMPT: '1',
        GITHUB_SHA: sha,
        GITHUB_REF: ref,
        GITHUB_WORKFLOW_REF: `acme/widgets/${WORKFLOW}@${ref}`,
        GITHUB_WORKFLOW_SHA: sha,
        COUNTERSIGN_FACTS: '1',
        ...given.env,
      },
    });
  };

  return {
    ...{ sandbox, repository, ada, coder, ana, eve, acme, documents, runId: governed?.runId ?? '' },
    ...{ contractDigest: governed?.contractDigest ?? '', exampleText, open, tests, act, newest },
    approve: (pull: PullRequest, by: Account = ana) => sandbox.review(repository, pull, by, 'APPROVED'),
    /** The commit status that stands: the newest, which the sandbox has first. */
    status: (sha: string): CommitStatus | undefined =>
      repository.statuses.find((one) => one.sha === sha && one.context === 'countersign'),
    comments: (pull: PullRequest): Comment[] =>
      [...repository.comments.values()].filter(({ number }) => number === pull.number),
    /** Stops everything. @throws Error where the sandbox broke GitHub's description on the way */
    stop: async (): Promise<void> => {
      await sandbox.stop();
      governed?.remove();
      const wrong = sandbox.violations();
      if (wrong.length > 0) throw new Error(`The sandbox is not as GitHub describes it:\n${wrong.join('\n')}`);
    },
  };
}

export type ActionWorld = Awaited<ReturnType<typeof startActionWorld>>;

/** Runs a scenario in a world of its own. */
export async function inWorld(
  options: ActionWorldOptions,
  scenario: (world: ActionWorld) => Promise<void>,
): Promise<void> {
  const world = await startActionWorld(options);
  try {
    await scenario(world);
  } finally {
    await world.stop();
  }
}

function numberOf(payload: unknown): number | undefined {
  const pull = (payload as { readonly pull_request?: { readonly number?: unknown } }).pull_request;
  return typeof pull?.number === 'number' ? pull.number : undefined;
}

/** `GITHUB_SHA` and `GITHUB_REF` by event (Actions docs, "Events that trigger workflows"). */
async function placeOf(
  repository: Repository,
  eventName: string,
  { payload }: SandboxEvent,
  pull: PullRequest | undefined,
): Promise<{ readonly sha: string; readonly ref: string }> {
  const branch = `refs/heads/${repository.defaultBranch}`;
  const tip = async (ref: string): Promise<string> => {
    const sha = await readRef(repository.folder, ref);
    if (sha === undefined) throw new Error(`There is no ${ref}.`);
    return sha;
  };
  const body = payload as Readonly<Record<string, unknown>>;
  switch (eventName) {
    case 'pull_request':
    case 'pull_request_review': {
      const ref = `refs/pull/${pull?.number ?? 0}/merge`;
      return { sha: await tip(ref), ref };
    }
    case 'merge_group': {
      const group = body['merge_group'] as { readonly head_sha: string; readonly head_ref: string };
      return { sha: group.head_sha, ref: group.head_ref };
    }
    case 'push': {
      const after = String(body['after']);
      const gone = /^0+$/.test(after);
      return { sha: gone ? await tip(branch) : after, ref: gone ? branch : String(body['ref']) };
    }
    case 'workflow_dispatch': {
      const ref = String(body['ref']);
      return { sha: await tip(ref), ref };
    }
    default:
      return { sha: await tip(branch), ref: branch };
  }
}

async function textAt(repository: Repository, sha: string, path: string): Promise<string | undefined> {
  const found = await readObject(repository.folder, `${sha}:${path}`);
  return found === undefined ? undefined : Buffer.from(found.bytes).toString('utf8');
}

export type { MergeGroup };
