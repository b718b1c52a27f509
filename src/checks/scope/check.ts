import type { ChangedPath } from '../control-plane/check.ts';
import type { FindingDraft } from '../finding.ts';
import type { Severity } from '../rule.ts';
import { SCOPE_RULES } from './rules.ts';

/** The documents of the gate itself belong to every change. */
const OWN_FOLDERS = ['.rapid-os/runs/', '.rapid-os/evidence/', '.rapid-os/evals/', '.rapid-os/specs/'] as const;

/** Declared paths that a message shows. */
const SHOWN = 5;

/** Whether a path lies among runs, evidence, reports or specs: claims, not the work itself. */
export function isClaimPath(path: string): boolean {
  return OWN_FOLDERS.some((folder) => path.startsWith(folder));
}

/** What a run's spec declares. */
export interface DeclaredScope {
  readonly runId: string;
  readonly affectedPaths: readonly string[];
}

/**
 * Compares the changed files with what the specs of the governing runs declare; a file within any of them is
 * in scope, and a rename counts at both places.
 * @param matcherOf whether a path matches any declared path: a glob, or a prefix that ends at a segment
 * @param severity of a file outside, or undefined where that is not looked at
 */
export function scopeFindings(
  files: readonly ChangedPath[],
  scopes: readonly DeclaredScope[],
  matcherOf: (declared: readonly string[]) => (path: string) => boolean,
  severity: Severity | undefined,
): FindingDraft[] {
  if (severity === undefined || scopes.length === 0) return [];
  const undeclared = scopes.filter((scope) => scope.affectedPaths.length === 0);
  const notes = undeclared.map(({ runId }): FindingDraft => ({
    rule: 'scope/undeclared',
    severity: SCOPE_RULES['scope/undeclared'].severity,
    place: { at: 'run', runId },
    subject: '',
    message: `The spec of run '${runId}' declares no affected paths.`,
    remedy: SCOPE_RULES['scope/undeclared'].remedy,
  }));
  if (undeclared.length > 0) return notes;
  const declared = scopes.flatMap((scope) => scope.affectedPaths);
  const isDeclared = matcherOf(declared);
  const more = declared.length > SHOWN ? ` and ${declared.length - SHOWN} more` : '';
  const shown = `${declared.slice(0, SHOWN).join(', ')}${more}`;
  const outside = files.flatMap(({ status, path, old_path }) =>
    (old_path === undefined || status === 'copied' ? [path] : [old_path, path]).filter(
      (name) => !isClaimPath(name) && !isDeclared(name),
    ),
  );
  return outside.map((path) => ({
    rule: 'scope/outside',
    severity,
    place: { at: 'file', path },
    subject: '',
    message: `${path} lies outside the affected paths: ${shown}.`,
    remedy: SCOPE_RULES['scope/outside'].remedy,
  }));
}
