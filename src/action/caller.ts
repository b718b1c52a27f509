import { absentOr } from '../github/errors.ts';
import type { Caller, Facts } from '../gate/facts.ts';
import type { Inputs } from './inputs.ts';
import type { Session } from './session.ts';

/**
 * Events for which GitHub runs the default branch's workflow, whatever a pull request has in its place; older servers run
 * the base branch's for the first, so the runner has to say it, too.
 */
const OF_DEFAULT_BRANCH: ReadonlySet<string> = new Set(['pull_request_target', 'workflow_run']);

/** Events for which it runs the one of the merge of a pull request, or of a queue, with its base. */
const OF_MERGE: ReadonlySet<string> = new Set(['pull_request', 'pull_request_review', 'merge_group']);

/** Whatever a workflow may call locally stands there, or is an action's own file anywhere. */
const CALLED = /^\.github\/(?:workflows|actions)\/|(?:^|\/)action\.ya?ml$/i;

/** What the inputs ask for, as facts. The workflow counts as changed until {@link withWorkflow} knows better. */
export function callerOf(session: Session): Caller {
  const { inputs, runner } = session;
  const { mode, require, config, failOn } = inputs;
  return {
    ...(runner.workflowPath === undefined ? {} : { workflow: { path: runner.workflowPath, changed: true } }),
    ...(mode === undefined ? {} : { mode }),
    ...(require === undefined ? {} : { require }),
    ...(config === undefined ? {} : { config }),
    ...(failOn === undefined ? {} : { fail_on: [...failOn] }),
  };
}

/** Whether an input could relax a rule: only then it matters where the workflow comes from. */
function asks({ mode, config, failOn }: Inputs): boolean {
  return mode !== undefined || config !== undefined || failOn !== undefined;
}

/**
 * Facts that say whether the workflow with these inputs is the base's. It is not where the pull request edits any
 * workflow, or anything that one may call; nor on a base branch that anybody may push to, since its workflow may have
 * been put there for this pull request.
 * @param workflowSha `GITHUB_WORKFLOW_SHA`: the commit whose workflow runs
 * @throws Refusal CS16xx
 */
export async function withWorkflow(session: Session, facts: Facts, workflowSha: string | undefined): Promise<Facts> {
  const { caller } = facts;
  if (caller?.workflow === undefined || !asks(session.inputs)) return facts;
  const { path } = caller.workflow;
  const changed = !(await isOfBase(session, facts, path, workflowSha));
  return { ...facts, caller: { ...caller, workflow: { path, changed } } };
}

async function isOfBase(
  session: Session,
  { files, subject }: Facts,
  path: string,
  workflowSha: string | undefined,
): Promise<boolean> {
  const { eventName, workflowRef } = session.runner;
  if (OF_DEFAULT_BRANCH.has(eventName)) return workflowRef === `refs/heads/${session.defaultBranch ?? ''}`;
  if (!OF_MERGE.has(eventName) || workflowSha === undefined || subject.base.sha === null) return false;
  const edits = files.some(
    (file) => CALLED.test(file.path) || (file.old_path !== undefined && CALLED.test(file.old_path)),
  );
  if (edits || !(await isGuarded(session, subject.base.ref))) return false;
  const [ran, stands] = await Promise.all([
    blobAt(session, path, workflowSha),
    blobAt(session, path, subject.base.sha),
  ]);
  return ran !== undefined && ran === stands;
}

/** Whether a branch is the default one or protected. */
async function isGuarded({ api, repository, defaultBranch }: Session, branch: string): Promise<boolean> {
  const name = branch.replace(/^refs\/heads\//, '');
  if (name === defaultBranch) return true;
  const found = await absentOr(
    api.request('GET /repos/{owner}/{repo}/branches/{branch}', { ...repository, branch: name }),
  );
  return found?.data.protected === true;
}

/** The blob id of a file at a commit; undefined where there is none. */
async function blobAt({ api, repository }: Session, path: string, ref: string): Promise<string | undefined> {
  const found = await absentOr(api.request('GET /repos/{owner}/{repo}/contents/{path}', { ...repository, path, ref }));
  if (found === undefined || Array.isArray(found.data)) return undefined;
  return found.data.type === 'file' ? found.data.sha : undefined;
}
