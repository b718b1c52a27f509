/** What goes wrong. `when: 'after'` lets the call do its work first: only its answer is lost. */
export type FaultEffect =
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: 500 | 502 | 503; readonly when?: 'before' | 'after' }
  /** 403 with `retry-after`. */
  | { readonly kind: 'secondary-limit'; readonly retryAfter: number }
  /** 429 with `retry-after`. */
  | { readonly kind: 'too-many-requests'; readonly retryAfter: number }
  /** The primary limit is used up: 403 with `x-ratelimit-remaining: 0` and this reset, in seconds from now. */
  | { readonly kind: 'primary-limit'; readonly resetAfter: number }
  | { readonly kind: 'reset'; readonly when?: 'before' | 'after' }
  /** The body breaks off in the middle, and the connection with it. */
  | { readonly kind: 'truncated' }
  /** Something happens before the call is looked at: a push that moves the head, for one. */
  | { readonly kind: 'meanwhile'; readonly act: () => Promise<unknown> };

export interface FaultRule {
  readonly method?: string;
  /** An operation's id (`issues/create-comment`), `graphql`, or a path of the description, with `*` at its end if wanted. */
  readonly route?: string;
  /** Which of the matching calls, from 1. */
  readonly nth?: number | readonly number[];
  /** Each matching call with this probability, by a sequence that `seed` fixes. */
  readonly probability?: number;
  readonly seed?: number;
  /** How often it strikes at most. */
  readonly times?: number;
  readonly effect: FaultEffect;
}

interface ActiveRule {
  readonly rule: FaultRule;
  seen: number;
  struck: number;
  random: number;
}

export interface FaultRules {
  readonly active: ActiveRule[];
}

export const noFaults = (): FaultRules => ({ active: [] });

/** Adds a rule; the answer takes it away again. */
export function addFault(faults: FaultRules, rule: FaultRule): () => void {
  const added = { rule, seen: 0, struck: 0, random: rule.seed ?? 1 };
  faults.active.push(added);
  return () => {
    const at = faults.active.indexOf(added);
    if (at >= 0) faults.active.splice(at, 1);
  };
}

/** The effects that strike a call. Counts it for every rule that it matches. */
export function strike(
  faults: FaultRules,
  { method, route, path }: { readonly method: string; readonly route: string; readonly path: string },
): readonly FaultEffect[] {
  return faults.active.flatMap((active) => {
    const { rule } = active;
    if (rule.method !== undefined && rule.method !== method) return [];
    if (rule.route !== undefined && !matches(rule.route, route, path)) return [];
    active.seen += 1;
    if (rule.times !== undefined && active.struck >= rule.times) return [];
    if (rule.nth !== undefined && ![rule.nth].flat().includes(active.seen)) return [];
    if (rule.probability !== undefined && nextRandom(active) >= rule.probability) return [];
    active.struck += 1;
    return [rule.effect];
  });
}

function matches(wanted: string, route: string, path: string): boolean {
  if (wanted.endsWith('*')) return [route, path].some((one) => one.startsWith(wanted.slice(0, -1)));
  return wanted === route || wanted === path;
}

/** A number from 0 to below 1: the mulberry32 generator, so that a seed gives the same faults everywhere. */
function nextRandom(active: ActiveRule): number {
  active.random = (active.random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(active.random ^ (active.random >>> 15), 1 | active.random);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}
