import type { CommonOptions } from './session.ts';

/** Forms in which a verdict is printed. */
export const FORMATS = ['text', 'markdown', 'json', 'sarif', 'annotations'] as const;
export type Format = (typeof FORMATS)[number];

/** Options of `evaluate`, as commander gives them. */
export interface EvaluateOptions extends CommonOptions {
  readonly base?: string;
  readonly head?: string;
  readonly run?: readonly string[];
  readonly facts?: string;
  readonly writeFacts?: string;
  readonly rerun?: boolean;
  readonly title?: string;
  readonly body?: string;
  readonly format?: Format;
}
