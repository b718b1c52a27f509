import { version } from '../domain/version.ts';
import { createGitHub } from '../github/client.ts';
import { readPayload, targetOf } from './events.ts';
import type { Target } from './events.ts';
import { readInputs } from './inputs.ts';
import { openPullsAt, openPullsOf } from './pulls.ts';
import type { OpenPull } from './pulls.ts';
import { readRunner } from './runner.ts';
import type { Remark, Session } from './session.ts';

/**
 * Runs the Action: from the runner's environment to the job's exit code. Everything that it says goes through the
 * toolkit; what fails is said there too, and never thrown.
 */
export async function run(environment: NodeJS.ProcessEnv): Promise<number> {
  const remarks: Remark[] = [];
  try {
    const inputs = readInputs(environment);
    const runner = readRunner(environment);
    const payload = readPayload(runner.eventPath);
    const target = targetOf(runner.eventName, payload, environment['GITHUB_SHA']);
    const github = createGitHub({
      ...{ baseUrl: runner.apiUrl, auth: inputs.token, userAgent: `countersign/${version()}` },
      ...(environment['GITHUB_GRAPHQL_URL'] === undefined ? {} : { graphqlUrl: environment['GITHUB_GRAPHQL_URL'] }),
    });
    const session: Session = {
      ...{ inputs, runner, api: github.api, repository: runner.repository },
      defaultBranch: defaultBranchOf(payload),
      now: new Date().toISOString(),
      remark: (remark) => void remarks.push(remark),
    };
    // The first call is under way while the engine is being loaded.
    const first = pullsOf(session, target);
    first.catch(() => undefined);
    const { judgeTarget } = await import('./engine.ts');
    const code = await judgeTarget(session, target, first, environment['GITHUB_WORKFLOW_SHA'], remarks);
    const { debug } = await import('./toolkit.ts');
    debug(`Calls of the API: ${JSON.stringify(github.calls())}`);
    return code;
  } catch (thrown) {
    const { finishFailed } = await import('./finish.ts');
    return finishFailed(thrown, remarks);
  }
}

/** The open pull requests that a target is about; undefined where it is about none. */
async function pullsOf(session: Session, target: Target): Promise<readonly OpenPull[] | undefined> {
  const { api, repository } = session;
  switch (target.kind) {
    case 'pull-request':
    case 'head':
      return openPullsAt(api, repository, target.headSha, target.branch);
    case 'ref': {
      const branch = /^refs\/heads\/(.+)$/.exec(target.ref)?.[1];
      if (branch === undefined || branch === session.defaultBranch) return [];
      return openPullsOf(api, repository, { owner: repository.owner, name: branch });
    }
    case 'merge-group':
    case 'push':
    case 'nothing':
      return undefined;
  }
}

function defaultBranchOf(payload: unknown): string | undefined {
  const { repository } = payload as { readonly repository?: { readonly default_branch?: unknown } };
  const name = repository?.default_branch;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
