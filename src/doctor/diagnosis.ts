import { isRefusal } from '../domain/errors.ts';
import { codeEntry } from '../domain/codes.ts';

/** `ok`; `warn`: it works, and something is missing or not as it should be; `fail`: verdicts will not be what is meant. */
export type Health = 'ok' | 'warn' | 'fail';

/** One thing that the doctor looked at. */
export interface Diagnosis {
  readonly check: string;
  readonly health: Health;
  readonly detail: string;
  /** Why it matters; only of what is not well. */
  readonly why?: string;
  /** What to do; missing where nothing is to be done. */
  readonly remedy?: string;
  /** Who can do it, where that is not whoever can push. */
  readonly who?: string;
}

export function ok(check: string, detail: string): Diagnosis {
  return { check, health: 'ok', detail };
}

export function bad(check: string, health: 'warn' | 'fail', detail: string, remedy: string): Diagnosis {
  return { check, health, detail, remedy };
}

/** The same with the reason why it matters, and with who can mend it. */
export function ill(
  check: string,
  health: 'warn' | 'fail',
  { detail, why, remedy, who }: Required<Pick<Diagnosis, 'detail' | 'why' | 'remedy' | 'who'>>,
): Diagnosis {
  return { check, health, detail, why, remedy, who };
}

/** A check whose refusals are failures: one that cannot be made hides no other. */
export function diagnose(check: string, body: () => Diagnosis): Diagnosis {
  try {
    return body();
  } catch (thrown) {
    return refused(check, thrown);
  }
}

/** The same for a check that takes calls. */
export async function diagnoseLater(check: string, body: () => Promise<Diagnosis>): Promise<Diagnosis> {
  try {
    return await body();
  } catch (thrown) {
    return refused(check, thrown);
  }
}

function refused(check: string, thrown: unknown): Diagnosis {
  if (!isRefusal(thrown)) throw thrown;
  return bad(check, 'fail', `${thrown.code} ${thrown.message}`, thrown.remedy ?? codeEntry(thrown.code).remedy);
}
