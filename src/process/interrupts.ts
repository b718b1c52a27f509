/** What asks this process to end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type InterruptSignal = (typeof SIGNALS)[number];

/** Thrown as the reason of an aborted signal; never leaves this folder's callers. */
export interface Interruption {
  readonly signal: InterruptSignal;
}

let holders = 0;
let controller = new AbortController();
let received: InterruptSignal | undefined;
const insisting = new Set<() => void>();

function onSignal(signal: NodeJS.Signals): void {
  if (received !== undefined) for (const insist of insisting) insist();
  received = SIGNALS.find((one) => one === signal) ?? 'SIGTERM';
  controller.abort();
}

/**
 * Holds back signals that would end this process while `body` runs, so that it can stop what it started and clean up.
 * Calls may nest. Who started the outermost one ends the process afterwards: see `interruption`.
 * @param body gets a signal that is aborted as soon as one comes
 */
export async function holdingInterrupts<T>(body: (abort: AbortSignal) => Promise<T>): Promise<T> {
  if (holders === 0) for (const signal of SIGNALS) process.on(signal, onSignal);
  holders += 1;
  try {
    return await body(controller.signal);
  } finally {
    holders -= 1;
    if (holders === 0) {
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
      controller = new AbortController();
    }
  }
}

/** The signal that was held back, if one came: the process should end by it once it has cleaned up. */
export function interruption(): InterruptSignal | undefined {
  return received;
}

/** Calls `insist` when a second signal comes, of someone who does not want to wait. @returns how to stop that */
export function onInsisting(insist: () => void): () => void {
  insisting.add(insist);
  return () => void insisting.delete(insist);
}
