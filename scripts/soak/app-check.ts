import { createClients } from '../../src/app/clients.ts';
import { createLog } from '../../src/app/log.ts';
import { openStore } from '../../src/app/store/open.ts';
import type { StorePlace } from '../../src/app/store/open.ts';
import { baseRules } from '../../src/gate/base-rules.ts';
import { OUTCOMES } from '../../src/gate/outcome.ts';
import type { Judged } from '../../src/judge/judged.ts';
import { nameSuffix } from '../../src/judge/open-base.ts';
import { judgeOthers, judgePull } from '../../src/judge/pull.ts';
import { commentWish } from '../../src/publish/comment-policy.ts';
import { checkConclusion, checkOutput } from '../../src/render/check-output.ts';
import { answerMarker } from '../../src/render/command-answer.ts';
import { COMMENT_MARKER, commentMarkdown } from '../../src/render/markdown.ts';
import { PART_CHECKS, partCheckName, partCheckRun, VERDICT_CHECK } from '../../src/render/part-check.ts';
import type { Comment } from '../../src/sandbox/state.ts';
import type { Deeds } from './app-acts.ts';
import type { AppWorld, SoakPull } from './app-world.ts';

/** What is wrong, in words with the place. */
export type Breaches = string[];

const AT_ONCE = 4;

/**
 * Holds what stands on the sandbox against a judgement of its own of each open pull request, made with nothing that the
 * App has kept.
 */
export async function checkPulls(
  world: AppWorld,
  deeds: Deeds,
  progress: (text: string) => void,
  signal?: AbortSignal,
): Promise<Breaches> {
  const clients = createClients({
    settings: {
      ...{ appId: world.app.id, privateKey: world.privateKey, webhookSecrets: ['unused'] },
      ...{ restUrl: world.sandbox.url, graphqlUrl: `${world.sandbox.url}/graphql` },
    },
    userAgent: 'countersign-soak',
    store: { etag: () => Promise.resolve(undefined), putEtag: () => Promise.resolve() },
    log: createLog('fatal'),
    onCall: () => undefined,
  });
  const breaches: string[] = [];
  const waiting = [...world.pulls];
  const check = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      signal?.throwIfAborted();
      breaches.push(...(await checkPull(world, one, deeds, clients)));
      if (waiting.length % 20 === 0) progress(`${waiting.length} pull requests left to judge`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, check));
  return breaches;
}

async function checkPull(
  world: AppWorld,
  one: SoakPull,
  deeds: Deeds,
  clients: ReturnType<typeof createClients>,
): Promise<Breaches> {
  const { repository, pull } = one;
  const owner = world.sandbox.accountById(repository.ownerId);
  const place = `${owner.login}#${pull.number}`;
  const own = verdicts(world, one);
  if (own.length > 1) return [`${place} has ${own.length} verdict comments`];
  if (pull.state === 'closed') return [];
  const installation = world.installations.find(({ accountId }) => accountId === owner.id);
  const api = await clients.installation(installation?.id ?? 0);
  const name = { owner: owner.login, repo: repository.name };
  const judged = await judgePull(api, name, pull.number);
  const all = [judged, ...(await judgeOthers(api, name, judged))] as const;
  return [...checksOf(world, one, deeds, all), ...commentOf(judged, own)].map((what) => `${place} ${what}`);
}

function verdicts(world: AppWorld, { repository, pull }: SoakPull): readonly Comment[] {
  return [...repository.comments.values()].filter(
    ({ number, userId, body }) =>
      number === pull.number && userId === world.app.botId && body.split('\n').includes(COMMENT_MARKER),
  );
}

function commentOf({ facts, report }: Judged, own: readonly Comment[]): Breaches {
  const wish = commentWish(baseRules(facts).config.comment, report);
  const [stands] = own;
  if (stands === undefined) return wish === 'write' ? [`has no comment (${report.outcome})`] : [];
  const due = commentMarkdown(report).trimEnd();
  if (wish === 'none' || stands.body.trimEnd() === due) return [];
  return [`has an old comment: ${differing(stands.body, due)}`];
}

function checksOf(
  world: AppWorld,
  { repository, pull }: SoakPull,
  { rerun }: Deeds,
  [own, ...others]: readonly [Judged, ...Judged[]],
): Breaches {
  // Verdicts on bases that anybody may push to stand by names of their own.
  const suffix = nameSuffix(own.facts);
  const all = [own, ...others.filter(({ facts }) => nameSuffix(facts) === suffix)];
  // Of several pull requests with one head the worst counts; of those that are equally bad, any.
  const most = Math.max(...all.map(({ report }) => OUTCOMES.indexOf(report.outcome)));
  const worst = all.filter(({ report }) => OUTCOMES.indexOf(report.outcome) === most);
  const due = [
    {
      name: VERDICT_CHECK + suffix,
      rights: worst.map(({ report }) => ({ conclusion: checkConclusion(report), title: checkOutput(report).title })),
    },
    ...PART_CHECKS.map((part) => {
      const runs = all.map(({ report }) => partCheckRun(report, part));
      const bad = runs.filter(({ conclusion }) => conclusion.conclusion !== 'success');
      const rights = (bad.length > 0 ? bad : runs).map(({ conclusion, output: { title } }) => ({ conclusion, title }));
      return { name: partCheckName(part) + suffix, rights };
    }),
  ];
  return due.flatMap(({ name, rights }) => {
    const runs = [...repository.checkRuns.values()].filter(
      (run) =>
        run.headSha === pull.head.sha &&
        run.name === name &&
        repository.suites.get(run.suiteId)?.appId === world.app.id,
    );
    // Of several the newest counts; but for those that somebody asked for there is one.
    const run = runs.at(-1);
    if (run === undefined || (runs.length > 1 && !rerun.has(pull.head.sha)))
      return [`has ${runs.length} check runs "${name}" at its head`];
    const stands = `${run.status} ${run.conclusion ?? ''}: ${run.title ?? ''}`;
    const right = rights.map(({ conclusion, title }) => {
      const end = conclusion.status === 'completed' ? conclusion.conclusion : '';
      return `${conclusion.status} ${end}: ${title}`;
    });
    return right.includes(stands)
      ? []
      : [`has the check run "${name}" as "${stands}" and not "${right.join('" or "')}"`];
  });
}

// The first line that differs, so that a breach can be read.
function differing(stands: string, due: string): string {
  const lines = due.split('\n');
  const at = stands.split('\n').findIndex((line, index) => line !== lines[index]);
  return JSON.stringify([stands.split('\n')[at]?.slice(0, 200), lines[at]?.slice(0, 200)]);
}

/** No check run is left in progress on a commit that no pull request has as its head any more. */
export function checkOvertaken({ repositories, pulls, app, sandbox }: AppWorld): Breaches {
  const heads = new Set(pulls.map(({ pull }) => pull.head.sha));
  return repositories.flatMap((repository) =>
    [...repository.checkRuns.values()]
      .filter(({ suiteId }) => repository.suites.get(suiteId)?.appId === app.id)
      .filter(({ status, headSha }) => status !== 'completed' && !heads.has(headSha))
      .map(({ name, headSha, title }) => {
        const { login } = sandbox.accountById(repository.ownerId);
        return `${login} has "${name}" (${title ?? ''}) in progress on ${headSha}, which nothing stands at`;
      }),
  );
}

/** Every command that asks for an answer has one. */
export function checkAnswers(world: AppWorld, { toAnswer }: Deeds): Breaches {
  const texts = world.repositories.flatMap((repository) =>
    [...repository.comments.values()].flatMap(({ userId, body }) => (userId === world.app.botId ? [body] : [])),
  );
  const marked = texts.flatMap((body) => body.match(/<!-- countersign:answer \d{1,15} -->/g) ?? []);
  const counts = new Map<string, number>();
  for (const marker of marked) counts.set(marker, (counts.get(marker) ?? 0) + 1);
  const twice = [...counts]
    .filter(([, count]) => count > 1)
    .map(([marker, count]) => `${marker} stands ${count} times`);
  const missing = [...toAnswer].filter((id) => !counts.has(answerMarker(id)));
  return [...twice, ...missing.map((id) => `comment ${id} was not answered`)];
}

/** Deliveries of which no try arrived. */
export function undelivered(world: AppWorld): readonly string[] {
  const { deliveries } = world.sandbox.state;
  const arrived = new Set(
    deliveries.filter(({ statusCode }) => statusCode >= 200 && statusCode < 300).map(({ guid }) => guid),
  );
  return [...new Set(deliveries.map(({ guid }) => guid))].filter((guid) => !arrived.has(guid));
}

/** The store, once nobody uses it: nothing waits, and nothing was set aside. */
export async function checkStore(place: StorePlace): Promise<Breaches> {
  const store = await openStore(place);
  try {
    const { deliveries, evaluations } = await store.counts({ now: Date.now() });
    const poison = await store.poison({ limit: 100 });
    const open = {
      deliveries: deliveries.queued + deliveries.running,
      evaluations: evaluations.queued + evaluations.running,
    };
    return [
      ...Object.entries(open).flatMap(([name, count]) =>
        count > 0 ? [`${count} ${name} were left in the store`] : [],
      ),
      ...poison.map(({ kind, id, what, error }) => `${kind} ${id} (${what}) is poison: ${error}`),
    ];
  } finally {
    await store.close();
  }
}
