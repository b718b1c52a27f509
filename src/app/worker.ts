import { errorFields } from './log.ts';
import type { Logger } from './log.ts';

/** One thing to do, claimed from the store. */
export interface Job {
  /** What it is, for the log. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Prolongs the lease. `lost`: somebody else has it. */
  readonly renew: () => Promise<'held' | 'superseded' | 'lost'>;
  /** Does it. The signal is aborted where the lease is lost, or the process has to end. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** What becomes of it where `work` threw. */
  readonly failed: (thrown: unknown) => Promise<void>;
  /** Puts it back as it was: the process ends. */
  readonly giveBack: () => Promise<void>;
}

export interface PoolOptions {
  readonly name: string;
  readonly size: number;
  readonly claim: () => Promise<Job | undefined>;
  readonly log: Logger;
  /** Milliseconds between two looks at an empty queue. */
  readonly idleMs?: number;
  /** Milliseconds between two prolongations of a lease. */
  readonly renewMs?: number;
  /** Milliseconds to wait before the next claim; positive while a circuit is open. */
  readonly pauseMs?: () => number;
}

export interface Pool {
  /** Something was queued: look at once. */
  readonly wake: () => void;
  /** Claims nothing more; waits for what runs, and puts back what is not done after `graceMs`. */
  readonly stop: (graceMs: number) => Promise<void>;
  /** Jobs under way. */
  readonly running: () => number;
}

const IDLE_MS = 1_000;
const RENEW_MS = 10_000;
/** Waiting after the store itself failed, so that its log is not flooded. */
const FAULT_MS = 2_000;

/** Workers that claim jobs until they are stopped. A failed claim is logged and tried again: a store comes back. */
export function startPool(options: PoolOptions): Pool {
  const { name, size, claim, log, idleMs = IDLE_MS, renewMs = RENEW_MS, pauseMs = () => 0 } = options;
  const sleepers = new Set<() => void>();
  const active = new Map<Job, AbortController>();
  let stopping = false;
  const sleep = async (ms: number): Promise<void> => {
    if (stopping) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        sleepers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      sleepers.add(done);
    });
  };
  const loop = async (): Promise<void> => {
    while (!stopping) {
      const pause = pauseMs();
      if (pause > 0) {
        await sleep(pause);
        continue;
      }
      let job: Job | undefined;
      try {
        job = await claim();
      } catch (thrown) {
        log.error({ pool: name, err: errorFields(thrown) }, 'nothing could be claimed');
        await sleep(FAULT_MS);
        continue;
      }
      if (job === undefined) await sleep(idleMs);
      else await carryOut(job);
    }
  };
  const carryOut = async (job: Job): Promise<void> => {
    const controller = new AbortController();
    active.set(job, controller);
    const heart = setInterval(() => {
      job.renew().then(
        (result) => {
          if (result === 'lost') controller.abort(new Error('the lease was lost'));
        },
        (thrown: unknown) => log.warn({ pool: name, ...job.fields, err: errorFields(thrown) }, 'lease not prolonged'),
      );
    }, renewMs);
    try {
      await job.work(controller.signal);
    } catch (thrown) {
      await settle(job, thrown);
    } finally {
      clearInterval(heart);
      active.delete(job);
    }
  };
  // What cannot be written down stays leased, and is taken up again once the lease has expired.
  const settle = async (job: Job, thrown: unknown): Promise<void> => {
    try {
      await (stopping ? job.giveBack() : job.failed(thrown));
    } catch (failure) {
      log.error({ pool: name, ...job.fields, err: errorFields(failure) }, 'the end of a job could not be kept');
    }
  };
  const loops = Array.from({ length: size }, async () => loop());
  return {
    wake: () => {
      for (const wake of [...sleepers]) wake();
    },
    running: () => active.size,
    stop: async (graceMs) => {
      stopping = true;
      for (const wake of [...sleepers]) wake();
      const cut = setTimeout(() => {
        for (const controller of active.values()) controller.abort(new Error('the process ends'));
      }, graceMs);
      await Promise.all(loops);
      clearTimeout(cut);
    },
  };
}
