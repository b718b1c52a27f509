import { isRefusal } from '../../domain/errors.ts';
import { codeEntry } from '../../domain/codes.ts';

/** `ok`; `warn`: it works, and something is missing or not as it should be; `fail`: verdicts will not be what is meant. */
export type Health = 'ok' | 'warn' | 'fail';

/** One thing that the doctor looked at. */
export interface Diagnosis {
  readonly check: string;
  readonly health: Health;
  readonly detail: string;
  /** What to do; missing where nothing is to be done. */
  readonly remedy?: string;
}

export function ok(check: string, detail: string): Diagnosis {
  return { check, health: 'ok', detail };
}

export function bad(check: string, health: 'warn' | 'fail', detail: string, remedy: string): Diagnosis {
  return { check, health, detail, remedy };
}

/** A check whose refusals are failures: one that cannot be made hides no other. */
export function diagnose(check: string, body: () => Diagnosis): Diagnosis {
  try {
    return body();
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    return bad(check, 'fail', `${thrown.code} ${thrown.message}`, thrown.remedy ?? codeEntry(thrown.code).remedy);
  }
}
