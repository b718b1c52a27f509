import type { FindingDraft } from '../finding.ts';
import { isBorneOut, kindByContent, secretFileKind } from './secret-files.ts';
import { SECRET_RULES, type SecretRuleId } from './rules.ts';

/** What is known about a file that may hold secrets. */
export interface FileFacts {
  readonly path: string;
  /** `dangling-link`: its target does not exist. */
  readonly kind: 'file' | 'link' | 'dangling-link' | 'submodule';
  /** Its text, or undefined where it was not read. Never that of a link's target. */
  readonly text?: string;
  readonly isTracked: boolean;
  /** Whether a rule ignores it, tracked or not (`git check-ignore --no-index`). */
  readonly isIgnored: boolean;
}

/**
 * Files that hold secrets by their name or content.
 * @param files in a `snapshot` (a pull request's head, or a commit) those to be judged, all of them tracked and none
 *   that the change removes; in a `working-copy` all files that are tracked or not ignored
 */
export function secretFileFindings(files: readonly FileFacts[], scan: 'snapshot' | 'working-copy'): FindingDraft[] {
  return files.flatMap((file) => {
    const isTracked = file.isTracked || scan === 'snapshot';
    if (!isTracked && file.isIgnored) return [];
    const kind = kindOf(file, isTracked);
    if (kind === undefined) return [];
    const rule: SecretRuleId = !isTracked
      ? 'secrets/file-not-ignored'
      : file.isIgnored
        ? 'secrets/file-tracked-ignored'
        : 'secrets/file-tracked';
    return [
      {
        rule,
        severity: SECRET_RULES[rule].severity,
        place: { at: 'file', path: file.path },
        subject: kind,
        message: MESSAGES[rule](kind),
        remedy: remedyFor(rule, file.path),
      },
    ];
  });
}

const MESSAGES = {
  'secrets/file-tracked': (kind: string) => `A file of this kind holds secrets and is tracked: ${kind}.`,
  'secrets/file-tracked-ignored': (kind: string) =>
    `An ignore rule names this file, but it is tracked, so the rule does nothing: ${kind}.`,
  'secrets/file-not-ignored': (kind: string) => `A file of this kind holds secrets and nothing ignores it: ${kind}.`,
} as const satisfies Partial<Record<SecretRuleId, (kind: string) => string>>;

// A link's blob is a path. Git records nothing else of it, and its target is a file of its own. In a working copy a
// link that leads somewhere is shown all the same: tools that read it read the target.
function kindOf(file: FileFacts, isTracked: boolean): string | undefined {
  if (file.kind === 'submodule' || file.kind === 'dangling-link') return undefined;
  const named = secretFileKind(file.path);
  if (file.kind === 'link') return isTracked ? undefined : named?.kind;
  if (named !== undefined) {
    // What nobody committed yet may get its token tomorrow: there the name is enough, but for public keys.
    const isJudged = isTracked || named.kind === 'key file';
    if (file.text === undefined || !isJudged || isBorneOut(file.path, named, file.text)) return named.kind;
    return undefined;
  }
  return file.text === undefined ? undefined : kindByContent(file.text);
}

function remedyFor(rule: SecretRuleId, path: string): string {
  const quoted = `'${path.replaceAll("'", String.raw`'\''`)}'`;
  const commands = rule === 'secrets/file-not-ignored' ? '' : `\n    git rm --cached -- ${quoted}`;
  return `${SECRET_RULES[rule].remedy}${commands}`;
}
