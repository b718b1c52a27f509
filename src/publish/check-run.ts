import { isUncertain } from '../github/errors.ts';
import type { CheckConclusion, CheckOutput } from '../render/check-output.ts';
import { bytesOf, CHECK_TEXT_LIMIT, CHECK_TITLE_LIMIT } from '../render/limits.ts';
import { assertActions } from './check-actions.ts';
import type { CheckAction } from './check-actions.ts';
import { apiAnnotations, batchesOf, missingAnnotations } from './check-annotations.ts';
import type { ApiAnnotation, FileAnnotation } from './check-annotations.ts';
import { settle } from './context.ts';
import type { PublishContext } from './context.ts';
import { logged } from './log.ts';
import type { Superseded } from './log.ts';
import type { Published } from './result.ts';

/** The app that writes checks: by its id, or by its slug where that is not known (another server's Actions). */
export type CheckApp = { readonly id: number } | { readonly slug: string };

/** The app that a workflow's `GITHUB_TOKEN` acts as, on every server. */
export const GITHUB_ACTIONS_APP = { slug: 'github-actions' } as const satisfies CheckApp;

export interface CheckRunPlace extends PublishContext {
  /** The head commit. */
  readonly sha: string;
  readonly name: string;
  readonly app: CheckApp;
  /** The id of the evaluation that writes it; for a re-run the one by which it finds its own check run again. */
  readonly externalId: string;
  /** Somebody asked for a re-run: a new check run takes the old one's place, unless this evaluation has made it. */
  readonly rerun?: boolean;
  /** A workflow's token has it replaced by its job's address. */
  readonly detailsUrl?: URL;
}

export interface CheckRunToPublish extends CheckRunPlace {
  readonly conclusion: CheckConclusion;
  readonly output: CheckOutput;
  readonly annotations: readonly FileAnnotation[];
  /** At most three. Absent: those that are there stay. */
  readonly actions?: readonly CheckAction[];
}

type WrittenRun = Pick<StandingRun, 'id' | 'html_url'>;

/** A check run as the API gives it, so far as it is read here. */
interface StandingRun {
  readonly id: number | bigint;
  readonly html_url: string | null;
  readonly name: string;
  readonly external_id: string | null;
  readonly status: string;
  readonly conclusion: string | null;
  readonly app: { readonly id: number | bigint; readonly slug?: string } | null;
  readonly output: {
    readonly title: string | null;
    readonly summary: string | null;
    readonly text: string | null;
    readonly annotations_count: number;
  };
}

/** After a call whose end is not known it is looked again, and what is missing written, so often. */
const TRIES = 3;

/**
 * Creates check runs in progress where this head has none of their names: the first sign that it is looked at. One
 * that is there is left as it is, so that a concluded verdict does not flicker; but for a re-run.
 * @throws Refusal CS1603 where the token may not, CS16xx of the API
 */
export async function startCheckRuns(
  place: Omit<CheckRunPlace, 'name'> & {
    readonly names: readonly string[];
    readonly title: string;
    readonly summary: string;
  },
): Promise<readonly Published[]> {
  const { title, summary, names } = place;
  const output = { title, summary, text: '' };
  assertOutput(output);
  let known: readonly StandingRun[] | undefined;
  const started: Published[] = [];
  for (const name of names) {
    const here = { ...place, name };
    started.push(
      await repeated(here, async (attempt) => {
        // One list shows all of them, unless it is not known what became of the call before.
        if (known === undefined || attempt > 1) known = await listRuns(here);
        const run = standingAmong(known, here);
        if (run !== undefined) return published('unchanged', run);
        return published('created', await createRun(here, { status: 'in_progress', output: { title, summary } }));
      }),
    );
  }
  return started;
}

/**
 * Writes a verdict to its check run: the newest of this name, head and app, or a new one. The output is replaced as a
 * whole, only annotations that it lacks are added, and the conclusion comes with the last of them. What stands already
 * is not written again. Annotations of an earlier verdict on the same head stay: GitHub has no way to take them back.
 * @throws Refusal CS1603 where the token may not, CS16xx of the API
 */
export async function publishCheckRun(given: CheckRunToPublish): Promise<Published | Superseded> {
  const { sha, name, output, actions, log, conclusion } = given;
  assertOutput(output);
  if (actions !== undefined) assertActions(actions);
  const wanted = apiAnnotations(given.annotations);
  const text = JSON.stringify([conclusion, output, wanted]);
  return logged<Published>(log, { surface: 'check', target: `${sha} ${name}`, text }, () =>
    repeated(given, async (attempt) => {
      const run = await standing(given);
      const missing = run === undefined ? wanted : await missingAnnotations(given, run, wanted);
      if (run === undefined) return published('created', await writeAll(given, undefined, missing));
      if (missing.length === 0 && isSame(run, given)) return published(attempt === 1 ? 'unchanged' : 'updated', run);
      return published('updated', await writeAll(given, run, missing));
    }),
  );
}

/** Does it again, from looking on, where the end of a call is not known. */
async function repeated(place: CheckRunPlace, write: (attempt: number) => Promise<Published>): Promise<Published> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write(attempt);
    } catch (thrown) {
      if (!isUncertain(thrown) || attempt === TRIES) throw thrown;
      await settle(place);
    }
  }
}

const published = (change: Published['change'], { id, html_url: url }: WrittenRun): Published => ({
  published: true,
  change,
  id: Number(id),
  url,
});

/** The newest check run of this name, head and app; for a re-run only this evaluation's own. */
async function standing(place: CheckRunPlace): Promise<StandingRun | undefined> {
  return standingAmong(await listRuns(place), place);
}

/**
 * The latest check runs of a head: of one app all, so that one address, and one ETag, serves all its names; else those
 * of one name, since a workflow's jobs may be many.
 */
async function listRuns({ api, repository, sha, name, app }: CheckRunPlace): Promise<readonly StandingRun[]> {
  const { data } = await api.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
    ...{ ...repository, ref: sha, filter: 'latest', per_page: 100 },
    ...('id' in app ? { app_id: app.id } : { check_name: name }),
  });
  return data.check_runs;
}

function standingAmong(
  runs: readonly StandingRun[],
  { app, name, rerun = false, externalId }: CheckRunPlace,
): StandingRun | undefined {
  const own = runs.filter(
    (run) => run.name === name && ('id' in app ? Number(run.app?.id) === app.id : run.app?.slug === app.slug),
  );
  // Of several suites each has its latest.
  const latest = own.toSorted((a, b) => Number(b.id) - Number(a.id))[0];
  return latest === undefined || (rerun && latest.external_id !== externalId) ? undefined : latest;
}

type Concluding = Pick<CheckRunToPublish, 'conclusion' | 'output'>;

/** Whether it says the same. Which evaluation said it first does not matter: one that finds nothing new writes nothing. */
function isSame(run: StandingRun, { conclusion, output }: Concluding): boolean {
  const same = (stands: string | null, text: string): boolean => (stands ?? '').trimEnd() === text.trimEnd();
  return (
    run.status === conclusion.status &&
    run.conclusion === conclusion.conclusion &&
    (['title', 'summary', 'text'] as const).every((key) => same(run.output[key], output[key]))
  );
}

/** Writes all, in as many calls as the annotations take; the last concludes. */
async function writeAll(
  given: CheckRunToPublish,
  run: StandingRun | undefined,
  annotations: readonly ApiAnnotation[],
): Promise<WrittenRun> {
  const { conclusion, output, actions } = given;
  const batches = batchesOf(annotations);
  let written: WrittenRun | undefined = run;
  for (const [at, batch] of batches.entries()) {
    const end = at === batches.length - 1 ? ending(conclusion) : {};
    const fields = {
      ...(actions === undefined ? {} : { actions: [...actions] }),
      ...end,
      output: { ...output, annotations: [...batch] },
    };
    written =
      written === undefined
        ? await createRun(given, { status: 'in_progress', ...fields })
        : await updateRun(given, Number(written.id), fields);
  }
  if (written === undefined) throw new TypeError('no batch of annotations');
  return written;
}

const ending = (conclusion: CheckConclusion) =>
  conclusion.status === 'completed'
    ? { status: 'completed' as const, conclusion: conclusion.conclusion }
    : { status: 'in_progress' as const };

interface RunFields {
  readonly status?: 'in_progress' | 'completed';
  readonly conclusion?: 'success' | 'failure' | 'action_required';
  readonly output: {
    readonly title: string;
    readonly summary: string;
    readonly text?: string;
    readonly annotations?: ApiAnnotation[];
  };
  readonly actions?: CheckAction[];
}

const placed = ({ externalId, detailsUrl }: CheckRunPlace) => ({
  external_id: externalId,
  ...(detailsUrl === undefined ? {} : { details_url: detailsUrl.href }),
});

async function createRun(place: CheckRunPlace, fields: RunFields) {
  const { api, repository, sha, name } = place;
  const route = 'POST /repos/{owner}/{repo}/check-runs';
  const where = { ...repository, name, head_sha: sha, ...placed(place) };
  return (await api.request(route, { ...where, ...fields })).data;
}

async function updateRun(place: CheckRunPlace, id: number, fields: RunFields) {
  const { api, repository } = place;
  const route = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}';
  return (await api.request(route, { ...repository, check_run_id: id, ...placed(place), ...fields })).data;
}

/** @throws TypeError for texts over the limits, which renderers keep */
function assertOutput({ title, summary, text }: CheckOutput): void {
  if (title === '' || summary === '') throw new TypeError('a check run without title or summary');
  if (title.length > CHECK_TITLE_LIMIT) throw new TypeError('a title of a check run that is too long');
  if ([summary, text].some((one) => bytesOf(one) > CHECK_TEXT_LIMIT))
    throw new TypeError(`a text of a check run of more than ${CHECK_TEXT_LIMIT} bytes`);
}
