import { appProcess } from './app-process.ts';
import type { AppProcess, Queues } from './app-process.ts';

/** Some processes of the App that share one store, as behind a balancer that sends each delivery to one that runs. */
export interface AppCluster {
  readonly start: () => Promise<void>;
  /** Kills one, keeps it away for a while, and starts it again. */
  readonly strike: (next: () => number, away: () => Promise<void>) => Promise<void>;
  /** Ends all in good order: exit codes. */
  readonly stop: () => Promise<readonly (number | null)[]>;
  /** Has one sweep at once. */
  readonly sweep: () => void;
  /** What the queues hold, by any that answers. */
  readonly queues: () => Promise<Queues | undefined>;
  /** Kills those that run. */
  readonly end: () => Promise<void>;
}

/**
 * @param env settings; HOST and PORT are set for each
 * @param deliverTo told where deliveries are to go; at first to the first process
 */
export async function appCluster(
  count: number,
  env: Readonly<Record<string, string>>,
  logFile: string,
  deliverTo: (webhookUrl: string) => void,
): Promise<AppCluster> {
  const all: AppProcess[] = [];
  for (let at = 0; at < count; at += 1) all.push(await appProcess(env, logFile));
  const [first] = all;
  if (first === undefined) throw new Error('There is no process.');
  const running = (): readonly AppProcess[] => all.filter((one) => one.pid() !== undefined);
  deliverTo(first.webhookUrl);
  return {
    start: async () => {
      for (const one of all) await one.start();
    },
    strike: async (next, away) => {
      const struck = all[Math.floor(next() * all.length)] ?? first;
      await struck.kill();
      // Where it was alone, what is delivered meanwhile fails.
      const others = running();
      deliverTo((others[Math.floor(next() * others.length)] ?? struck).webhookUrl);
      await away();
      await struck.start();
    },
    stop: () => Promise.all(all.map((one) => one.stop())),
    sweep: () => running()[0]?.sweep(),
    queues: async () => {
      for (const one of running()) {
        const found = await one.queues();
        if (found !== undefined) return found;
      }
      return undefined;
    },
    end: async () => {
      for (const one of all) await one.end();
    },
  };
}
