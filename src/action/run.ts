import { version } from '../domain/version.ts';
import { createGitHub } from '../github/client.ts';
import { honourProxy } from '../github/proxy.ts';
import { readPayload, targetOf } from './events.ts';
import type { Target } from './events.ts';
import { readInputs } from './inputs.ts';
import { openPulls } from '../judge/pulls.ts';
import type { OpenPull } from '../judge/pulls.ts';
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
    await honourProxy(environment, runner.apiUrl);
    const github = createGitHub({
      ...{ baseUrl: runner.apiUrl, auth: inputs.token, userAgent: `countersign/${version()}` },
      ...(runner.patience === undefined ? {} : { budget: runner.patience }),
      ...(environment['GITHUB_GRAPHQL_URL'] === undefined ? {} : { graphqlUrl: environment['GITHUB_GRAPHQL_URL'] }),
    });
    const session: Session = {
      ...{ inputs, runner, api: github.api, repository: runner.repository },
      defaultBranch: defaultBranchOf(payload),
      now: new Date().toISOString(),
      remark: (remark) => void remarks.push(remark),
    };
    // Asked before the engine is loaded: what is loaded meanwhile would keep the call from being sent.
    const open = await pullsOf(session, target);
    const { judgeTarget, debug } = await import('./engine.ts');
    const code = await judgeTarget(session, target, open, environment['GITHUB_WORKFLOW_SHA'], remarks);
    debug(`Calls of the API: ${JSON.stringify(github.calls())}`);
    return code;
  } catch (thrown) {
    // One module is loaded late, not several: each would leave a file of what it shares on the way to the first call.
    const { finishFailed } = await import('./engine.ts');
    return finishFailed(thrown, remarks);
  }
}

/** The open pull requests among which a target's are. */
async function pullsOf({ api, repository }: Session, target: Target): Promise<readonly OpenPull[]> {
  switch (target.kind) {
    case 'pull-request':
    case 'head':
    case 'ref':
      return openPulls(api, repository);
    case 'merge-group':
      return openPulls(api, repository, target.baseRef.replace(/^refs\/heads\//, ''));
    case 'push':
    case 'nothing':
      return [];
  }
}

function defaultBranchOf(payload: unknown): string | undefined {
  const { repository } = payload as { readonly repository?: { readonly default_branch?: unknown } };
  const name = repository?.default_branch;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
