import { MODES } from './words.ts';
import type { Mode } from './words.ts';

/** A day on which the mode becomes stricter by itself. */
export interface Promotion {
  readonly to: 'warn' | 'enforce';
  /** First day of that mode in UTC, as YYYY-MM-DD. */
  readonly on: string;
}

/** A mode and how it changes with time; days ascend. */
export interface Timeline {
  readonly mode: Mode;
  readonly steps: readonly Promotion[];
}

interface Promoted {
  readonly mode: Mode;
  readonly promote?: Promotion | readonly Promotion[] | undefined;
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The mode in force on a day.
 * @param today the day in UTC, as YYYY-MM-DD
 * @throws TypeError where `today` is no such text, a defect of the caller
 */
export function effectiveMode(config: Promoted, today: string): Mode {
  if (!ISO_DAY.test(today)) throw new TypeError(`no day: ${today}`);
  return modeAt(timelineOf(config), today);
}

/** The timeline that `mode` and `promote` of a configuration say. */
export function timelineOf({ mode, promote }: Promoted): Timeline {
  const steps = promote === undefined ? [] : 'to' in promote ? [promote] : promote;
  return { mode, steps };
}

/** Why promotions do not fit their mode, or undefined where they do. */
export function promotionFault(mode: Mode, promote: Promoted['promote']): string | undefined {
  let before: Mode = mode;
  let day = '';
  for (const { to, on } of timelineOf({ mode, promote }).steps) {
    if (rank(to) <= rank(before)) {
      return `must lead to a stricter mode, and \`${to}\` is not stricter than \`${before}\``;
    }
    if (on <= day) return 'must have its days in ascending order';
    before = to;
    day = on;
  }
  return undefined;
}

/** On every day the stricter mode of two timelines; `looser` tells whether `second` was the laxer one on some day. */
export function strictestTimeline(first: Timeline, second: Timeline): Timeline & { readonly looser: boolean } {
  const days = [...new Set([...first.steps, ...second.steps].map(({ on }) => on))].sort();
  const mode = stricterMode(first.mode, second.mode);
  const steps: Promotion[] = [];
  let before = mode;
  let looser = rank(second.mode) < rank(first.mode);
  for (const on of days) {
    const [a, b] = [modeAt(first, on), modeAt(second, on)];
    looser ||= rank(b) < rank(a);
    const to = stricterMode(a, b);
    if (to !== before && to !== 'observe') steps.push({ to, on });
    before = to;
  }
  return { mode, steps, looser };
}

// ISO days are ordered as texts are.
function modeAt({ mode, steps }: Timeline, day: string): Mode {
  return steps.filter(({ on }) => on <= day).reduce<Mode>((strictest, { to }) => stricterMode(strictest, to), mode);
}

function stricterMode(a: Mode, b: Mode): Mode {
  return rank(b) > rank(a) ? b : a;
}

function rank(mode: Mode): number {
  return MODES.indexOf(mode);
}
