import { Refusal } from '../../domain/errors.ts';
import type { CommonOptions } from '../session.ts';

export const SCAN_FORMATS = ['text', 'json', 'sarif'] as const;

/** Options of both scans, as commander gives them. */
export interface ScanOptions extends CommonOptions {
  readonly range?: string;
  readonly staged?: boolean;
  readonly all?: boolean;
  readonly message?: string;
  readonly format?: (typeof SCAN_FORMATS)[number];
}

/** What is to be looked at. */
export type ScanTarget =
  | { readonly kind: 'default' }
  | { readonly kind: 'range'; readonly range: string }
  | { readonly kind: 'staged' }
  | { readonly kind: 'all' }
  | { readonly kind: 'paths'; readonly paths: readonly string[] }
  | { readonly kind: 'message'; readonly file: string };

/** @throws Refusal CS1301 where more than one thing is asked for */
export function scanTarget(paths: readonly string[], options: ScanOptions): ScanTarget {
  if (options.json === true && options.format !== undefined && options.format !== 'json')
    throw new Refusal('CS1301', 'Give either --json or another --format, not both.');
  const targets: ScanTarget[] = [
    ...(options.range === undefined ? [] : [{ kind: 'range', range: options.range } as const]),
    ...(options.staged === true ? [{ kind: 'staged' } as const] : []),
    ...(options.all === true ? [{ kind: 'all' } as const] : []),
    ...(options.message === undefined ? [] : [{ kind: 'message', file: options.message } as const]),
    ...(paths.length === 0 ? [] : [{ kind: 'paths', paths } as const]),
  ];
  if (targets.length > 1)
    throw new Refusal('CS1301', 'Say once what is to be looked at: --range, --staged, --all, --message, or paths.');
  return targets[0] ?? { kind: 'default' };
}
