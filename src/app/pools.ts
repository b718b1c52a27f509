import { isRefusal } from '../domain/errors.ts';
import { takeIn } from './deliveries/intake.ts';
import type { IntakeTools } from './deliveries/intake.ts';
import { evaluate } from './evaluations/evaluate.ts';
import type { EvaluateTools } from './evaluations/evaluate.ts';
import { errorFields } from './log.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { answersAgainAt, backOff, isOutage, MAX_ATTEMPTS } from './retry.ts';
import type { Circuit } from './retry.ts';
import type { ClaimedDelivery, ClaimedEvaluation, FailRequest, Lease } from './store/queues.ts';
import type { Store } from './store/store.ts';
import { startPool } from './worker.ts';
import type { Job, Pool } from './worker.ts';

export interface PoolTools {
  readonly store: Store;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => number;
  readonly circuit: Circuit;
  /** Who claims: host and process. */
  readonly worker: string;
  readonly random: () => number;
}

/** Seconds after which a crashed process's work is taken over; prolonged three times as often (worker.ts). */
const LEASE_SECONDS = 30;

/** Takes deliveries from the store; most only queue an evaluation, so that few are enough. */
export function deliveryPool(tools: PoolTools & IntakeTools, size: number, onQueued: () => void): Pool {
  const { store, log, now, worker } = tools;
  const job = (claim: ClaimedDelivery): Job => {
    const { lease, event, action, attempts, payload } = claim;
    const fields = { delivery: claim.id, event, action, attempts };
    return {
      fields,
      renew: async () => store.renewDelivery({ lease, now: now(), leaseSeconds: LEASE_SECONDS }),
      work: async () => {
        const outcome = await takeIn(claim, JSON.parse(payload), tools);
        await store.finishDelivery({ lease, now: now(), outcome });
        log.info({ ...fields, outcome }, 'delivery worked off');
        if (outcome === 'requested' || outcome === 'answered') onQueued();
      },
      failed: failing(tools, 'deliveries', fields, lease, attempts, {
        fail: store.failDelivery,
        giveBack: async (notBefore) => store.giveBackDelivery({ lease, now: now(), notBefore }),
      }),
      giveBack: async () => void (await store.giveBackDelivery({ lease, now: now(), notBefore: now() })),
    };
  };
  return startPool({
    ...{ name: 'deliveries', size, log, pauseMs: tools.circuit.pauseMs },
    claim: async () => {
      const claim = await store.claimDelivery({ worker, now: now(), leaseSeconds: LEASE_SECONDS });
      return claim === undefined ? undefined : job(claim);
    },
  });
}

/** Takes pull requests from the queue and judges them. */
export function evaluationPool(tools: PoolTools & EvaluateTools, size: number, onVerdict: OnVerdict): Pool {
  const { store, log, metrics, now, worker, circuit } = tools;
  const job = (claim: ClaimedEvaluation): Job => {
    const { lease, key, reason, attempts } = claim;
    const fields = { pull: key, reason, attempts };
    return {
      fields,
      renew: async () => store.renewEvaluation({ lease, now: now(), leaseSeconds: LEASE_SECONDS }),
      work: async (signal) => {
        const from = now();
        const evaluated = await evaluate(claim, tools, signal);
        circuit.succeeded();
        await store.finishEvaluation({ lease, now: now(), closed: evaluated.is === 'closed' });
        const seconds = (now() - from) / 1000;
        if (evaluated.is !== 'published') {
          const why = evaluated.is === 'closed' ? 'the pull request is closed' : evaluated.why;
          log.info({ ...fields, why, seconds }, 'evaluation dropped');
          metrics.evaluation('dropped', seconds);
          return;
        }
        const { outcome, headline, subject } = evaluated.report;
        metrics.evaluation(outcome, seconds);
        log.info({ ...fields, head: subject.head_sha, outcome, headline, seconds }, 'verdict published');
        for (const warning of evaluated.warnings) log.warn({ ...fields, err: errorFields(warning) }, 'not published');
        onVerdict(claim, evaluated.report);
      },
      failed: failing(tools, 'evaluations', fields, lease, attempts, {
        fail: store.failEvaluation,
        giveBack: async (notBefore) => store.giveBackEvaluation({ lease, now: now(), notBefore }),
      }),
      giveBack: async () => void (await store.giveBackEvaluation({ lease, now: now(), notBefore: now() })),
    };
  };
  return startPool({
    ...{ name: 'evaluations', size, log, pauseMs: circuit.pauseMs },
    claim: async () => {
      const claim = await store.claimEvaluation({ worker, now: now(), leaseSeconds: LEASE_SECONDS });
      return claim === undefined ? undefined : job(claim);
    },
  });
}

export type OnVerdict = (
  claim: ClaimedEvaluation,
  report: Extract<Awaited<ReturnType<typeof evaluate>>, { readonly is: 'published' }>['report'],
) => void;

interface Endings {
  readonly fail: (request: FailRequest) => Promise<'retry' | 'poison' | 'lost'>;
  readonly giveBack: (notBefore: number) => Promise<unknown>;
}

function failing(
  { log, metrics, now, random, circuit }: PoolTools,
  queue: 'deliveries' | 'evaluations',
  fields: Readonly<Record<string, unknown>>,
  lease: Lease,
  attempts: number,
  { fail, giveBack }: Endings,
): (thrown: unknown) => Promise<void> {
  return async (thrown) => {
    if (isRefusal(thrown) && thrown.code === 'CS1804') return log.info({ ...fields }, 'another worker has taken over');
    const retryAt = Math.max(backOff(now(), attempts, random()), answersAgainAt(thrown) ?? 0);
    if (isOutage(thrown)) {
      // A limit is one installation's, an outage everybody's.
      if (isRefusal(thrown) && thrown.code === 'CS1601') circuit.failed();
      log.warn({ ...fields, retryAt: new Date(retryAt).toISOString(), err: errorFields(thrown) }, 'put back');
      metrics.retried(queue, 'retry');
      await giveBack(retryAt);
      return;
    }
    const error =
      thrown instanceof Error ? `${isRefusal(thrown) ? thrown.code : thrown.name} ${thrown.message}` : 'unknown';
    const result = await fail({ lease, now: now(), retryAt, error, maxAttempts: MAX_ATTEMPTS });
    if (result !== 'lost') metrics.retried(queue, result);
    log[result === 'poison' ? 'error' : 'warn']({ ...fields, result, err: errorFields(thrown) }, 'failed');
  };
}
