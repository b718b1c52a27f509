import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { version } from '../domain/version.ts';
import { createClients } from './clients.ts';
import type { RulesOptions } from '../github/rules.ts';
import { healthPages } from './http/health.ts';
import { listen } from './http/server.ts';
import { webhookHandler } from './http/webhook.ts';
import { judgeOthers, judgePull } from '../judge/pull.ts';
import { publishMergeGroup } from './evaluations/merge-group.ts';
import { createLog, errorFields } from './log.ts';
import type { Logger } from './log.ts';
import { createMetrics } from './metrics.ts';
import { deliveryPool, evaluationPool } from './pools.ts';
import type { OnVerdict } from './pools.ts';
import { createCircuit } from './retry.ts';
import type { Settings } from './settings.ts';
import { openStore } from './store/open.ts';
import { release, RELEASE_MS, sweep, SWEEP_TASKS } from './sweep.ts';
import type { SweepTask } from './sweep.ts';

/** A running App. */
export interface RunningApp {
  /** Where it listens. */
  readonly url: string;
  /** Where deliveries come to. */
  readonly webhookUrl: string;
  /** Takes nothing new, finishes or puts back what runs, and lets go of the store; within {@link GRACE_MS}. */
  readonly stop: () => Promise<void>;
  /** Sweeps now, whatever the clock says. */
  readonly sweep: () => Promise<void>;
}

export interface StartOptions {
  readonly log?: Logger;
  /** Told of each verdict that was published. */
  readonly onVerdict?: OnVerdict;
  readonly rules?: Pick<RulesOptions, 'time' | 'timeout'>;
}

/** Milliseconds that a shutdown may take: orchestrators kill after ten seconds or more. */
export const GRACE_MS = 8_000;

/** Milliseconds that a sweep is waited for; one that is cut off is done again by whoever comes next. */
const SWEEP_GRACE_MS = 2_000;

/** Milliseconds between two looks whether a task of the sweep is due. */
const SWEEP_LOOK_MS = 15_000;

/** Deliveries that are worked off at once. */
const DELIVERY_WORKERS = 2;

/**
 * Starts the App: store, workers, sweep, and the server last, so that nothing is taken in that could not be worked off.
 * @throws Refusal CS1802 (address), CS181x (store)
 */
export async function startApp(settings: Settings, options: StartOptions = {}): Promise<RunningApp> {
  const log = options.log ?? createLog(settings.logLevel);
  const metrics = createMetrics();
  const now = (): number => Date.now();
  const store = await openStore(settings.store);
  const circuit = createCircuit(now);
  const worker = `${hostname()}:${process.pid}`;
  const clients = createClients({
    ...{ settings, store, log, userAgent: `countersign/${version()}` },
    onCall: ({ route, status, resource, remaining }, installation) => {
      metrics.apiCall(route, status ?? 0);
      if (installation !== undefined && remaining !== null) metrics.remaining(installation, resource, remaining);
    },
    ...(options.rules === undefined ? {} : { rules: options.rules }),
  });
  const common = { store, clients, log, metrics, now, circuit, worker, random: Math.random };
  const evaluations = evaluationPool(
    { ...common, judge: judgePull, judgeOthers, commitStatus: settings.commitStatus },
    settings.workers,
    options.onVerdict ?? (() => undefined),
  );
  const deliveries = deliveryPool(
    {
      ...common,
      commands: { store, clients, now, judge: judgePull },
      judgeMergeGroup: async (event) => publishMergeGroup(event, { clients }),
      onInstalled: () => void sweepOnce(['installations', 'pulls']),
    },
    DELIVERY_WORKERS,
    evaluations.wake,
  );
  const intervalMs = settings.sweepMinutes * 60_000;
  const stop = new AbortController();
  const sweepTools = {
    ...{ store, clients, log, now, worker, intervalMs },
    keepDays: settings.keepDays,
    wake: evaluations.wake,
    signal: stop.signal,
  };
  let sweeping: Promise<void> = Promise.resolve();
  const sweepOnce = async (early: readonly SweepTask[] = []): Promise<void> => {
    sweeping = sweeping.then(async () => (stop.signal.aborted ? undefined : sweep(sweepTools, early)));
    return sweeping;
  };
  const end = async (): Promise<void> => {
    stop.abort();
    clearInterval(timer);
    clearInterval(releasing);
    await Promise.all([
      deliveries.stop(GRACE_MS),
      evaluations.stop(GRACE_MS),
      Promise.race([sweeping, sleep(SWEEP_GRACE_MS)]),
    ]);
    await store.close();
  };
  // Each task of a sweep has its own turn, and may ask for another one soon.
  const timer = setInterval(() => void sweepOnce(), SWEEP_LOOK_MS);
  // Beside the sweeps: one over many repositories takes long, and what a crashed worker held waits for no sweep.
  const releasing = setInterval(() => void release(sweepTools), RELEASE_MS);
  try {
    const server = await listen(
      settings,
      {
        [settings.webhookPath]: webhookHandler({
          ...{ store, metrics, log, now, secrets: settings.webhookSecrets, onStored: deliveries.wake },
        }),
        ...healthPages({
          ...{ store, metrics, now, version: version() },
          notReady: () => (stop.signal.aborted ? 'it is shutting down' : undefined),
        }),
      },
      log,
    );
    log.info({ url: server.url, store: store.kind, workers: settings.workers }, 'listening');
    void release(sweepTools);
    // What came while the App was down was not delivered, and nobody wants to wait half an hour for it.
    void sweepOnce(['deliveries']).catch((thrown: unknown) =>
      log.error({ err: errorFields(thrown) }, 'first sweep failed'),
    );
    return {
      url: server.url,
      webhookUrl: server.url + settings.webhookPath,
      sweep: async () => {
        await release(sweepTools);
        await sweepOnce(SWEEP_TASKS);
      },
      stop: async () => {
        stop.abort();
        await server.stop(1_000);
        await end();
        log.info('stopped');
      },
    };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}
