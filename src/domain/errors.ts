import type { RefusalCode } from './codes.ts';

/** Where a refusal applies and what a person can do about it. */
export interface RefusalDetails {
  /** The document or folder concerned, as a path from the project's root. */
  readonly where?: string;
  /** One sentence that tells what to do; replaces the standard one of the code. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/**
 * An orderly "no": the input was understood well enough to say what is wrong with it.
 * Everything that is not a Refusal is a defect of this program (exit code 70).
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly where: string | undefined;
  readonly remedy: string | undefined;

  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Refusal';
    this.code = code;
    this.where = details.where;
    this.remedy = details.remedy;
  }
}

/** Narrows anything that was thrown to a Refusal. */
export function isRefusal(thrown: unknown): thrown is Refusal {
  return thrown instanceof Refusal;
}

/**
 * Runs `body`; a Refusal whose code is in `from` (or any, where `from` is "any") is thrown again with
 * code `to`, keeping the original as the cause. Rapid OS reports some faults under the caller's code.
 */
export function recode<T>(to: RefusalCode, from: readonly RefusalCode[] | 'any', body: () => T): T {
  try {
    return body();
  } catch (thrown) {
    if (!isRefusal(thrown) || thrown.code.startsWith('CS') || (from !== 'any' && !from.includes(thrown.code))) {
      throw thrown;
    }
    throw new Refusal(to, thrown.message, {
      ...(thrown.where === undefined ? {} : { where: thrown.where }),
      ...(thrown.remedy === undefined ? {} : { remedy: thrown.remedy }),
      cause: thrown,
    });
  }
}
