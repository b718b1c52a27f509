/** Seed of everything random in tests; `COUNTERSIGN_SEED` sets another one. */
export const SEED = Number(process.env['COUNTERSIGN_SEED'] ?? 20_260_401);

/** Numbers from 0 up to 1 that a seed determines (the xorshift generator with 32 bits of state). */
export function random(seed: number): () => number {
  let state = (seed | 0) === 0 ? 1 : seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** One of some items. */
export function pick<T>(next: () => number, items: readonly [T, ...T[]]): T {
  return items[Math.floor(next() * items.length)] ?? items[0];
}
