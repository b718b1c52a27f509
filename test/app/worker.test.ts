import { describe, expect, it } from '@jest/globals';
import { createLog } from '../../src/app/log.ts';
import { startPool } from '../../src/app/worker.ts';
import type { Job } from '../../src/app/worker.ts';

const quiet = createLog('fatal', { write: () => undefined });

interface Ends {
  readonly done: string[];
  readonly failed: string[];
  readonly givenBack: string[];
}

function jobOf(
  name: string,
  ends: Ends,
  work: (signal: AbortSignal) => Promise<void>,
  renew: Job['renew'] = async () => Promise.resolve('held'),
): Job {
  return {
    fields: { name },
    renew,
    work: async (signal) => {
      await work(signal);
      ends.done.push(name);
    },
    failed: async () => Promise.resolve(void ends.failed.push(name)),
    giveBack: async () => Promise.resolve(void ends.givenBack.push(name)),
  };
}

const ends = (): Ends => ({ done: [], failed: [], givenBack: [] });
const soon = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await soon();
}
/** Waits until it is cut off. */
const held = async (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

function queueOf(jobs: Job[]): () => Promise<Job | undefined> {
  return async () => Promise.resolve(jobs.shift());
}

describe('a pool', () => {
  it('does all there is, so many at once', async () => {
    const result = ends();
    let now = 0;
    let most = 0;
    const jobs = Array.from({ length: 20 }, (_, at) =>
      jobOf(String(at), result, async () => {
        now += 1;
        most = Math.max(most, now);
        await soon();
        now -= 1;
      }),
    );
    const pool = startPool({ name: 'test', size: 3, log: quiet, claim: queueOf(jobs) });
    await until(() => result.done.length === 20);
    await pool.stop(1000);
    expect(most).toBe(3);
  });

  it('tells what failed, and goes on', async () => {
    const result = ends();
    const jobs = [
      jobOf('bad', result, async () => Promise.reject(new Error('no'))),
      jobOf('good', result, async () => Promise.resolve()),
    ];
    const pool = startPool({ name: 'test', size: 1, log: quiet, claim: queueOf(jobs) });
    await until(() => result.done.length === 1);
    await pool.stop(1000);
    expect(result).toEqual({ done: ['good'], failed: ['bad'], givenBack: [] });
  });

  it('looks at once where it is woken', async () => {
    const result = ends();
    const jobs: Job[] = [];
    const pool = startPool({ name: 'test', size: 2, log: quiet, claim: queueOf(jobs), idleMs: 3_600_000 });
    await soon();
    jobs.push(jobOf('late', result, async () => Promise.resolve()));
    pool.wake();
    await until(() => result.done.length === 1);
    await pool.stop(1000);
  });

  it('cuts off who lost the lease', async () => {
    const result = ends();
    const jobs = [jobOf('lost', result, held, async () => Promise.resolve('lost'))];
    const pool = startPool({ name: 'test', size: 1, log: quiet, claim: queueOf(jobs), renewMs: 5 });
    await until(() => result.failed.length === 1);
    await pool.stop(1000);
  });

  it('goes on where a newer request waits, or the lease could not be prolonged once', async () => {
    const result = ends();
    const answers = ['superseded', 'fault', 'held'];
    const renew: Job['renew'] = async () => {
      const answer = answers.shift() ?? 'held';
      return answer === 'fault' ? Promise.reject(new Error('away')) : Promise.resolve(answer as 'held');
    };
    const jobs = [jobOf('kept', result, async () => until(() => answers.length === 0), renew)];
    const pool = startPool({ name: 'test', size: 1, log: quiet, claim: queueOf(jobs), renewMs: 2 });
    await until(() => result.done.length === 1);
    await pool.stop(1000);
  });

  it('waits for what runs when it stops', async () => {
    const result = ends();
    const jobs = [jobOf('slow', result, soon), jobOf('never', result, soon)];
    const pool = startPool({ name: 'test', size: 1, log: quiet, claim: queueOf(jobs) });
    await until(() => pool.running() === 1);
    await pool.stop(1000);
    expect(result).toEqual({ done: ['slow'], failed: [], givenBack: [] });
  });

  it('puts back what does not end in time', async () => {
    const result = ends();
    const pool = startPool({ name: 'test', size: 1, log: quiet, claim: queueOf([jobOf('stuck', result, held)]) });
    await until(() => pool.running() === 1);
    await pool.stop(10);
    expect(result).toEqual({ done: [], failed: [], givenBack: ['stuck'] });
  });

  it('claims nothing while it has to pause', async () => {
    const result = ends();
    let pause = 20;
    let claimed = 0;
    const jobs = [jobOf('one', result, async () => Promise.resolve())];
    const pool = startPool({
      ...{ name: 'test', size: 1, log: quiet },
      pauseMs: () => (pause -= 10),
      claim: async () => {
        claimed = pause;
        return Promise.resolve(jobs.shift());
      },
    });
    await until(() => result.done.length === 1);
    await pool.stop(1000);
    expect(claimed).toBeLessThanOrEqual(0);
  });

  it('claims again after the store was away', async () => {
    const result = ends();
    let tries = 0;
    const lines: string[] = [];
    const pool = startPool({
      ...{ name: 'test', size: 1, log: createLog('error', { write: (line) => void lines.push(line) }) },
      claim: async () => {
        tries += 1;
        if (tries === 1) return Promise.reject(new Error('the store is away'));
        return Promise.resolve(tries === 2 ? jobOf('after', result, async () => Promise.resolve()) : undefined);
      },
    });
    await until(() => lines.length === 1);
    pool.wake();
    await until(() => result.done.length === 1);
    await pool.stop(1000);
  });
});
