import type { Json, JsonObject } from '../json.ts';
import { listOf, numberOf, objectOf, textOf } from '../json.ts';
import { branchOf, suiteFor, tellCompleted, tellRun } from '../acts/checks.ts';
import { readCommit } from '../git/objects.ts';
import { ApiError, created, invalid, ok } from '../http/answer.ts';
import { bodyOf, queryText, repo, writer } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { listAnswer, page } from '../http/pages.ts';
import { newId } from '../state.ts';
import type { Annotation, CheckRun, CheckStatus, Conclusion } from '../state.ts';
import { showAnnotation, showCheckRun, suiteOf } from '../show/check.ts';
import { checkRunIn, commitInPath, suiteIn } from './find.ts';

function appOfCaller(call: Call): number {
  const { appId } = writer(call);
  if (appId === null) throw new ApiError(403, 'You must authenticate via a GitHub App.');
  return appId;
}

async function create(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const body = bodyOf(call);
  const headSha = textOf(body, 'head_sha') ?? '';
  if (!/^[0-9a-f]{40}$/.test(headSha) || (await readCommit(repository.folder, headSha)) === undefined) {
    throw new ApiError(422, `No commit found for SHA: ${headSha}`);
  }
  const appId = appOfCaller(call);
  const headBranch = await branchOf(repository, headSha);
  const suite = suiteFor(sandbox, repository, appId, headSha, { headBranch, before: null });
  const run: CheckRun = {
    ...{ id: newId(sandbox.state), suiteId: suite.id, name: textOf(body, 'name') ?? '', headSha },
    ...{ status: 'queued', conclusion: null, startedAt: sandbox.now(), completedAt: null, externalId: null },
    ...{ detailsUrl: null, title: null, summary: null, text: null, annotations: [], actions: [] },
  };
  apply(call, run, body);
  forgetOldest(call, run);
  repository.checkRuns.set(run.id, run);
  suite.updatedAt = sandbox.now();
  const { userId } = writer(call);
  tellRun(sandbox, repository, run, 'check_run.created', userId);
  if (run.status === 'completed') await tellCompleted(sandbox, repository, run, userId);
  return created(showCheckRun(sandbox, repository, run));
}

/** Of one name in a suite only so many are kept. */
function forgetOldest(call: Call, { suiteId, name }: CheckRun): void {
  const { checkRuns } = repo(call);
  const same = [...checkRuns.values()].filter((one) => one.suiteId === suiteId && one.name === name);
  const surplus = same.length + 1 - call.sandbox.limits.checkRunsOfAName;
  same.slice(0, Math.max(0, surplus)).forEach(({ id }) => checkRuns.delete(id));
}

async function update(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const run = checkRunIn(call);
  const suite = suiteOf(repository, run);
  if (suite.appId !== appOfCaller(call))
    throw new ApiError(
      403,
      'Invalid app_id `' + appOfCaller(call) + '` - check run can only be modified by the GitHub App that created it.',
    );
  const was = run.status;
  apply(call, run, bodyOf(call));
  suite.updatedAt = sandbox.now();
  if (run.status === 'completed' && was !== 'completed') {
    await tellCompleted(sandbox, repository, run, writer(call).userId);
  }
  return ok(showCheckRun(sandbox, repository, run));
}

/** Takes over what a body says, after checking all of it: a refused call changes nothing. */
function apply(call: Call, run: CheckRun, body: JsonObject): void {
  const { sandbox } = call;
  const output = objectOf(body, 'output');
  const annotations = output === undefined ? [] : readOutput(call, output);
  const status = textOf(body, 'status') as CheckStatus | undefined;
  const conclusion = textOf(body, 'conclusion') as Conclusion | undefined;
  const completedAt = textOf(body, 'completed_at');
  if (conclusion === 'stale') throw invalid('CheckRun', 'conclusion', 'Only GitHub can set a conclusion of stale');
  if ((status === 'completed' || completedAt !== undefined) && conclusion === undefined && run.conclusion === null) {
    throw new ApiError(422, 'Invalid request.\n\nNo subschema in "anyOf" matched.\nMissing required key "conclusion".');
  }
  const actions = readActions(body);
  run.name = textOf(body, 'name') ?? run.name;
  run.externalId = textOf(body, 'external_id') ?? run.externalId;
  // What a workflow gives as its address is replaced by the job's.
  if (call.caller.kind !== 'workflow') run.detailsUrl = textOf(body, 'details_url') ?? run.detailsUrl;
  const startedAt = textOf(body, 'started_at');
  if (startedAt !== undefined) run.startedAt = Date.parse(startedAt);
  if (conclusion !== undefined) {
    Object.assign(run, { status: 'completed', conclusion } satisfies Partial<CheckRun>);
    run.completedAt = completedAt === undefined ? sandbox.now() : Date.parse(completedAt);
  } else if (status !== undefined) {
    run.status = status;
    // A run that is taken up again has no conclusion.
    if (status !== 'completed') Object.assign(run, { conclusion: null, completedAt: null } satisfies Partial<CheckRun>);
  }
  if (actions !== undefined) run.actions = actions;
  if (output === undefined) return;
  // The whole output is replaced; annotations are added to those that are there.
  run.title = textOf(output, 'title') ?? null;
  run.summary = textOf(output, 'summary') ?? null;
  run.text = textOf(output, 'text') ?? null;
  run.annotations = [...run.annotations, ...annotations];
}

function readOutput(call: Call, output: JsonObject): Annotation[] {
  const { limits } = call.sandbox;
  const given = listOf(output, 'annotations');
  if (given.length > limits.annotations) {
    throw new ApiError(
      422,
      `Invalid request.\n\nNo more than ${limits.annotations} items are allowed; ${given.length} were supplied.`,
    );
  }
  if (textOf(output, 'title') === undefined) {
    throw new ApiError(422, 'Invalid request.\n\n"title" wasn\'t supplied.');
  }
  const summary = textOf(output, 'summary');
  if (summary !== undefined && Buffer.byteLength(summary) > limits.checkTextCharacters) {
    throw new ApiError(
      422,
      `Invalid request.\n\nOnly ${limits.checkTextCharacters} bytes are allowed in output.summary.`,
    );
  }
  return given.map((one) => readAnnotation(one as JsonObject));
}

function readAnnotation(from: JsonObject): Annotation {
  const start = numberOf(from, 'start_line') ?? 0;
  const end = numberOf(from, 'end_line') ?? 0;
  const columns = ['start_column', 'end_column'].map((key) => numberOf(from, key) ?? null);
  const [startColumn = null, endColumn = null] = columns;
  if (end < start) throw invalid('CheckAnnotation', 'end_line', 'must not be before start_line');
  if (start !== end && columns.some((one) => one !== null)) {
    throw invalid('CheckAnnotation', 'start_column', 'columns are only for annotations of a single line');
  }
  return {
    ...{ path: textOf(from, 'path') ?? '', startLine: start, endLine: end, startColumn, endColumn },
    ...{ level: textOf(from, 'annotation_level') ?? '', title: textOf(from, 'title') ?? null },
    ...{ message: textOf(from, 'message') ?? '', rawDetails: textOf(from, 'raw_details') ?? null },
  };
}

function readActions(body: JsonObject): readonly Json[] | undefined {
  return body['actions'] === undefined ? undefined : listOf(body, 'actions');
}

/** Check runs that a query asks for; by default of each name and app only the newest. */
function filtered(call: Call, runs: readonly CheckRun[]): readonly CheckRun[] {
  const repository = repo(call);
  const name = queryText(call, 'check_name');
  const status = queryText(call, 'status');
  const appId = call.query['app_id'];
  const wanted = runs
    .filter((run) => name === undefined || run.name === name)
    .filter((run) => status === undefined || run.status === status)
    .filter((run) => appId === undefined || suiteOf(repository, run).appId === appId)
    .reverse();
  if (queryText(call, 'filter') === 'all') return wanted;
  const seen = new Set<string>();
  return wanted.filter((run) => {
    const key = `${suiteOf(repository, run).appId} ${run.name}`;
    return !seen.has(key) && seen.add(key);
  });
}

function list(call: Call, runs: readonly CheckRun[]) {
  const wanted = filtered(call, runs);
  const { items, headers } = page(call, wanted);
  const shown = items.map((run) => showCheckRun(call.sandbox, repo(call), run));
  return ok({ total_count: wanted.length, check_runs: shown }, headers);
}

export const CHECK_RUN_ROUTES = {
  'checks/create': create,
  'checks/update': update,
  'checks/get': (call) => ok(showCheckRun(call.sandbox, repo(call), checkRunIn(call))),
  'checks/list-annotations': (call) => {
    const run = checkRunIn(call);
    return listAnswer(call, run.annotations, (one) => showAnnotation(call.sandbox, repo(call), run, one));
  },
  'checks/list-for-ref': async (call) => {
    const sha = await commitInPath(call);
    return list(
      call,
      [...repo(call).checkRuns.values()].filter(({ headSha }) => headSha === sha),
    );
  },
  'checks/list-for-suite': (call) => {
    const { id } = suiteIn(call);
    return list(
      call,
      [...repo(call).checkRuns.values()].filter(({ suiteId }) => suiteId === id),
    );
  },
  'checks/rerequest-run': (call) => {
    const run = checkRunIn(call);
    tellRun(call.sandbox, repo(call), run, 'check_run.rerequested', writer(call).userId);
    return created({});
  },
} satisfies Routes;
