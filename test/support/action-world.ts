import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readObject } from '../../src/sandbox/git/objects.ts';
import { readRef } from '../../src/sandbox/git/refs.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import type { CommitStatus, MergeGroup, PullRequest, Repository, SandboxEvent } from '../../src/sandbox/state.ts';
import { addCast, EXAMPLES, governedRepository } from './governed-repository.ts';
import type { GovernedRepositoryOptions } from './governed-repository.ts';
import { runAction } from './run-action.ts';
import type { ActionResult } from './run-action.ts';
import { actionJob } from './workflow-file.ts';

/** Where the example under test stands in the repository. */
export const WORKFLOW = '.github/workflows/countersign.yml';

export { CI, CONFIG, CONFIG_TEXT } from './governed-repository.ts';
export type { Files, NewPull } from './governed-repository.ts';

export interface ActionWorldOptions extends Omit<GovernedRepositoryOptions, 'name'> {
  /** Which of docs/examples runs the Action. */
  readonly example?: string;
  readonly sandbox?: SandboxOptions;
}

export interface ActOptions {
  /** Inputs besides those of the example. */
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** An earlier event instead of the newest: a run that is started again. */
  readonly event?: SandboxEvent;
  readonly token?: string;
  /** Another bundle than the one that the tests build. */
  readonly bundle?: string;
}

/** A repository on a GitHub to test on, with one of the examples in it, and everything that happens there. */
export async function startActionWorld(options: ActionWorldOptions = {}) {
  const sandbox = await startSandbox(options.sandbox);
  const cast = addCast(sandbox);
  const example = options.example ?? 'status.yml';
  const exampleText = readFileSync(join(EXAMPLES, example), 'utf8');
  const governed = await governedRepository(sandbox, cast, {
    ...options,
    base: { [WORKFLOW]: exampleText, ...options.base },
  });
  const { repository, remove, ...scene } = governed;

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
      ...(given.bundle === undefined ? {} : { bundle: given.bundle }),
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
    ...{ ...scene, ...cast, sandbox, repository, exampleText, act, newest },
    /** The commit status that stands: the newest, which the sandbox has first. */
    status: (sha: string): CommitStatus | undefined =>
      repository.statuses.find((one) => one.sha === sha && one.context === 'countersign'),
    /** Stops everything. @throws Error where the sandbox broke GitHub's description on the way */
    stop: async (): Promise<void> => {
      await sandbox.stop();
      remove();
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
