import type { CodeEntry } from './codes/entry.ts';
import { LOCAL_CODES } from './codes/local.ts';
import { PLATFORM_CODES } from './codes/platform.ts';
import { RAPID_CODES } from './codes/rapid.ts';

export type { CodeEntry };
export { RAPID_CODES };

/** Countersign's own codes: 11xx strict reading, 12xx workspace, 13xx command line, 14xx configuration, 15xx checks and sources, 16xx GitHub, 17xx the Action, 18xx the App, 19xx set-up. */
export const CS_CODES = { ...LOCAL_CODES, ...PLATFORM_CODES } as const;

export type RapidCode = keyof typeof RAPID_CODES;
export type CsCode = keyof typeof CS_CODES;
export type RefusalCode = RapidCode | CsCode;

/** Title and standard remedy of a code. */
export function codeEntry(code: RefusalCode): CodeEntry {
  return code in RAPID_CODES ? RAPID_CODES[code as RapidCode] : CS_CODES[code as CsCode];
}
