import { isRefusal } from '../../../domain/errors.ts';

/** What one call may carry. */
export interface BatchBounds<K> {
  readonly count: number;
  /** Sum of weights in one call; a single key may weigh more. */
  readonly weight: number;
  weightOf(key: K): number;
}

/** Calls that are under way at once; the client bounds them all together once more. */
const PARALLEL = 8;

/** How often a call that fails for its size is halved. */
const HALVINGS = 2;

/**
 * Gathers what is asked for in one turn, and asks for it together. While calls are under way only full ones are added:
 * what is asked for next mostly depends on their answers.
 * @param send answers each key, in order. What it throws is thrown to whoever asked.
 */
export function gather<K, V>(
  bounds: BatchBounds<K>,
  send: (keys: readonly K[]) => Promise<readonly V[]>,
): (key: K) => Promise<V> {
  const queue: Waiting<K, V>[] = [];
  let weight = 0;
  let underWay = 0;
  let scheduled = false;

  const take = (): Waiting<K, V>[] => {
    const batch: Waiting<K, V>[] = [];
    let taken = 0;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      if (batch.length >= bounds.count || (batch.length > 0 && taken + next.weight > bounds.weight)) break;
      queue.shift();
      batch.push(next);
      taken += next.weight;
    }
    weight -= taken;
    return batch;
  };
  const isFull = (): boolean => queue.length >= bounds.count || weight >= bounds.weight;
  const start = (): void => {
    scheduled = false;
    const all = underWay === 0;
    while (queue.length > 0 && underWay < PARALLEL && (all || isFull())) {
      underWay += 1;
      void dispatch(take()).finally(() => {
        underWay -= 1;
        schedule();
      });
    }
  };
  const schedule = (): void => {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    setImmediate(start);
  };
  const dispatch = async (batch: readonly Waiting<K, V>[]): Promise<void> => {
    try {
      const values = await sendHalving(
        batch.map(({ key }) => key),
        send,
        HALVINGS,
      );
      for (const [index, waiting] of batch.entries()) waiting.resolve(values[index] as V);
    } catch (thrown) {
      for (const waiting of batch) waiting.reject(thrown);
    }
  };
  return (key) =>
    new Promise((resolve, reject) => {
      const own = bounds.weightOf(key);
      queue.push({ key, weight: own, resolve, reject });
      weight += own;
      schedule();
    });
}

interface Waiting<K, V> {
  readonly key: K;
  readonly weight: number;
  resolve(value: V): void;
  reject(why: unknown): void;
}

// A query that takes GitHub too long ends in a 502 or in an answer without data, whatever it is asked again; its
// halves may be quick enough.
async function sendHalving<K, V>(
  keys: readonly K[],
  send: (keys: readonly K[]) => Promise<readonly V[]>,
  left: number,
): Promise<readonly V[]> {
  try {
    return await send(keys);
  } catch (thrown) {
    const halves = isRefusal(thrown) && (thrown.code === 'CS1601' || thrown.code === 'CS1606');
    if (!halves || left === 0 || keys.length < 2) throw thrown;
    const middle = keys.length >> 1;
    const first = await sendHalving(keys.slice(0, middle), send, left - 1);
    return [...first, ...(await sendHalving(keys.slice(middle), send, left - 1))];
  }
}
