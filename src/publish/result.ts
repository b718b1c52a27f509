import type { Refusal } from '../domain/errors.ts';

/** Where a verdict is written to, in the order in which it is: what merging may depend on comes first. */
export const SURFACES = ['check', 'status', 'comment'] as const;
export type Surface = (typeof SURFACES)[number];

/** It stands on GitHub as it was to be. */
export interface Published {
  readonly published: true;
  readonly change: 'created' | 'updated' | 'unchanged';
  /** GitHub's id of the comment, status or check run. */
  readonly id: number;
  /** Its page, or its address in the API where it has none. */
  readonly url: string | null;
}

/** It was left alone, and that is no failure. */
export type Unpublished =
  /** The policy wants no new comment here. */
  | { readonly published: false; readonly why: 'policy' }
  /** The pull request has another head (a commit's id) or base (a branch) than was judged. */
  | { readonly published: false; readonly why: 'moved'; readonly head: string; readonly base: string }
  | { readonly published: false; readonly why: 'closed' }
  /** The log says that another worker publishes there. */
  | { readonly published: false; readonly why: 'superseded' }
  /** The token may not write. The line is to be added to `permissions:` of the workflow's job. */
  | {
      readonly published: false;
      readonly why: 'read-only';
      readonly permission: string;
      readonly line: string;
      readonly refusal: Refusal;
    };

/** What became of one surface. */
export type SurfaceResult = { readonly surface: Surface } & (
  | { readonly result: 'done' | 'unchanged'; readonly what: Published }
  | { readonly result: 'skipped'; readonly what: Unpublished }
  | { readonly result: 'failed'; readonly refusal: Refusal }
);
