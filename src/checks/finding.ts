import { canonicalJson, sha256 } from '../domain/json/canonical.ts';
import type { Severity } from './rule.ts';

/** Where a finding stands. Lines and columns count from 1; columns in UTF-16 units. */
export type Place =
  | { readonly at: 'file'; readonly path: string; readonly line?: number; readonly column?: number }
  | {
      readonly at: 'commit';
      readonly sha: string;
      readonly part: 'author' | 'committer' | 'message';
      readonly line?: number;
    }
  | { readonly at: 'pull-request'; readonly part: 'title' | 'body' | 'squash-message'; readonly line?: number }
  | { readonly at: 'run'; readonly runId: string }
  | { readonly at: 'repository' };

/** One thing that a check found. */
export interface Finding {
  /** Stable: made of rule, place, subject and ordinal, never of a secret's value or a line number. */
  readonly id: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly place: Place;
  /** What was found: one sentence of plain text, without any secret. May quote text that others wrote. */
  readonly message: string;
  /** What to do: plain text; lines that start with four spaces are commands to paste. */
  readonly remedy: string;
}

/** A finding before it has its id. */
export interface FindingDraft extends Omit<Finding, 'id'> {
  /** What tells apart findings of one rule at one place: a key name, a provider, a trailer's name. */
  readonly subject: string;
}

/** Hex digits of a finding's id: enough for one repository, short enough to type in a slash command. */
const ID_LENGTH = 12;

/**
 * Gives findings their ids. Findings of equal rule, place (without line and column) and subject are told
 * apart by their order.
 */
export function identify(drafts: readonly FindingDraft[]): Finding[] {
  const counts = new Map<string, number>();
  return drafts.map(({ subject, ...finding }) => {
    const key = canonicalJson([finding.rule, placeKey(finding.place), subject]);
    const ordinal = (counts.get(key) ?? 0) + 1;
    counts.set(key, ordinal);
    return { id: sha256(canonicalJson([key, ordinal])).slice(0, ID_LENGTH), ...finding };
  });
}

// Line numbers move with every edit above them; an id must not.
function placeKey(place: Place): readonly string[] {
  switch (place.at) {
    case 'file':
      return [place.at, place.path];
    case 'commit':
      return [place.at, place.sha, place.part];
    case 'pull-request':
      return [place.at, place.part];
    case 'run':
      return [place.at, place.runId];
    case 'repository':
      return [place.at];
  }
}
