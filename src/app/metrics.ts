import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Counts } from './store/care.ts';

/** What the App counts, in the text format of Prometheus. Labels are from fixed lists, so that their number is bounded. */
export interface Metrics {
  /** @param outcome what became of it at the door: `stored`, `duplicate`, `refused_signature` … */
  readonly delivery: (event: string, outcome: string) => void;
  readonly evaluation: (outcome: string, seconds: number) => void;
  readonly apiCall: (route: string, status: number) => void;
  /** What is left of a rate limit. */
  readonly remaining: (installation: number, resource: string, left: number) => void;
  readonly retried: (queue: 'deliveries' | 'evaluations', result: 'retry' | 'poison') => void;
  /** The text, with the queues as they are now. */
  readonly text: (counts: Counts | undefined) => Promise<string>;
  readonly contentType: string;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'countersign_' });
  const registers = [registry];
  const deliveries = new Counter({
    name: 'countersign_deliveries_total',
    help: 'Deliveries by event and by what became of them at the door.',
    labelNames: ['event', 'outcome'],
    registers,
  });
  const ended = new Gauge({
    name: 'countersign_deliveries_ended_total',
    help: 'Deliveries that were worked off, by event and outcome, since the store was made.',
    labelNames: ['event', 'outcome'],
    registers,
  });
  const verdicts = new Counter({
    name: 'countersign_verdicts_total',
    help: 'Verdicts by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'countersign_evaluation_seconds',
    help: 'Seconds from taking a pull request up to having published its verdict.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  const calls = new Counter({
    name: 'countersign_api_calls_total',
    help: 'Calls of the API by route and status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const left = new Gauge({
    name: 'countersign_api_remaining',
    help: 'What is left of the rate limits.',
    labelNames: ['installation', 'resource'],
    registers,
  });
  const retries = new Counter({
    name: 'countersign_failures_total',
    help: 'Failed tries by queue, and whether another one follows.',
    labelNames: ['queue', 'result'],
    registers,
  });
  const depth = new Gauge({
    name: 'countersign_queue_depth',
    help: 'Rows of the queues by state.',
    labelNames: ['queue', 'state'],
    registers,
  });
  const age = new Gauge({
    name: 'countersign_queue_oldest_age_seconds',
    help: 'Age of what waits longest.',
    labelNames: ['queue'],
    registers,
  });
  const storeUp = new Gauge({ name: 'countersign_store_up', help: 'Whether the store answers.', registers });
  return {
    delivery: (event, outcome) => void deliveries.inc({ event, outcome }),
    evaluation: (outcome, taken) => {
      verdicts.inc({ outcome });
      seconds.observe(taken);
    },
    apiCall: (route, status) => void calls.inc({ route, status: String(status) }),
    remaining: (installation, resource, value) =>
      void left.set({ installation: String(installation), resource }, value),
    retried: (queue, result) => void retries.inc({ queue, result }),
    text: async (counts) => {
      storeUp.set(counts === undefined ? 0 : 1);
      if (counts !== undefined) {
        for (const queue of ['deliveries', 'evaluations'] as const) {
          const { queued, running, poison, oldestAge } = counts[queue];
          for (const [state, value] of Object.entries({ queued, running, poison })) depth.set({ queue, state }, value);
          age.set({ queue }, oldestAge / 1000);
        }
        for (const { event, outcome, count } of counts.ended) ended.set({ event, outcome }, count);
      }
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
