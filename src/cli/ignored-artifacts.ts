import { isRefusal } from '../domain/errors.ts';
import type { EvidenceRecord } from '../domain/evidence/record.ts';
import { line } from '../render/visible.ts';
import { askIgnored } from '../sources/ignore.ts';

/** Characters of a path that a warning shows. */
const SHOWN = 200;

/**
 * A warning where git ignores artifacts of a record: committed without them, the record would fail. Rules such as
 * `*.log` are common, and logs are what artifacts mostly are. Undefined where nothing is ignored or there is no git.
 */
export async function ignoredArtifactsWarning(root: string, record: EvidenceRecord): Promise<string | undefined> {
  try {
    const verdicts = await askIgnored(
      root,
      record.artifacts.map(({ path }) => path),
    );
    const ignored = [...verdicts].find(([, verdict]) => verdict.isIgnored);
    if (ignored === undefined) return undefined;
    const [path, { rule }] = ignored;
    const by = rule === undefined ? '' : ` (${line(`${rule.path}:${rule.line}: ${rule.pattern}`, SHOWN)})`;
    return `Warning: git ignores ${line(path, SHOWN)}${by}. Without it the record fails where the branch is judged: commit it with git add --force, or exempt evidence with a line !/.rapid-os/evidence/** in .gitignore.\n`;
  } catch (thrown) {
    if (isRefusal(thrown)) return undefined; // no repository, so nothing is ignored
    throw thrown;
  }
}
