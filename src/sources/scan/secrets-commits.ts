import { secretFindings } from '../../checks/secrets/findings.ts';
import { decodeText, MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import type { FindingDraft } from '../../checks/finding.ts';
import { isRefusal } from '../../domain/errors.ts';
import type { ScanSink } from '../../gate/scan-report.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import { changedFiles } from '../pull-request/files.ts';
import { mergeBase } from '../pull-request/commits.ts';
import { commitSources } from '../secrets/branch.ts';
import { scanChanges } from '../secrets/changes.ts';
import { branchSecretFiles, ignoreChanges } from '../secrets/head-files.ts';
import { commitSnapshot } from '../snapshot/commit.ts';
import type { TreeCache } from '../snapshot/commit.ts';
import type { SourceSnapshot } from '../snapshot/snapshot.ts';
import type { ScanRange } from './range.ts';
import type { ScanSettings } from './settings.ts';

/** The tree without entries; git knows it without having it (object-file.c, `cached_objects`). */
export const EMPTY_TREE = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const;

/** Text of a range in all; only what is found of it is kept in memory. */
const MAX_RANGE_TEXT = 64 * 1024 * 1024 * 1024;

/**
 * Secrets in commits: what each of them adds, its message and people; secret-bearing files at the end of the range;
 * ignore rules that it takes away. Exceptions in files count as they stand where the range begins.
 * @throws Refusal CS1508, CS1502, CS1507
 */
export async function rangeSecrets(
  repository: GitRepository,
  objects: ObjectReader,
  { from, to, commits }: ScanRange,
  { baseline }: ScanSettings,
  sink: ScanSink,
): Promise<FindingDraft[]> {
  const trees: TreeCache = new Map();
  const at = (commit: string): SourceSnapshot => commitSnapshot(repository, objects, commit, trees);
  const nothing = EMPTY_TREE[repository.objectFormat];
  const begins = from === undefined ? nothing : await ancestorOf(repository, from, to, nothing);
  const [head, base] = [at(to), at(from ?? nothing)];
  // A whole history has no base: what stands at its end was let in.
  const baseText = textReader(from === undefined ? head : base);
  const changes = await scanChanges(repository, objects, commits, baseText, MAX_RANGE_TEXT);
  const changed = await changedFiles(repository, objects, begins, to);
  for (const { what, why } of changed.unread) sink.miss(what, why);
  if (changed.count > changed.files.length + changed.unread.length)
    sink.miss('changed files', `only the first ${changed.files.length} are looked at`);
  sink.saw({ files: changed.files.length });
  const files = await branchSecretFiles(changed.files, changes.secretFiles, head, base, objects);
  const rules =
    from === undefined || begins === nothing
      ? []
      : await ignoreChanges(
          repository,
          changed.files,
          { commit: begins, snapshot: at(begins) },
          { commit: to, snapshot: head },
        );
  const texts = await secretFindings([...commits.flatMap(commitSources), ...changes.sources], baseline);
  return [...texts.findings, ...changes.findings, ...files, ...rules];
}

async function ancestorOf(repository: GitRepository, from: string, to: string, nothing: string): Promise<string> {
  try {
    return await mergeBase(repository, from, to);
  } catch (thrown) {
    if (isRefusal(thrown) && thrown.code === 'CS1506') return nothing;
    throw thrown;
  }
}

/** Texts of a state, by path; undefined for what is none. */
export function textReader(snapshot: SourceSnapshot): (path: string) => Promise<string | undefined> {
  return async (path) => {
    const bytes = (await snapshot.read(path, MAX_SCANNED_BYTES))?.bytes;
    const decoded = bytes === undefined ? undefined : decodeText(bytes);
    return decoded?.kind === 'text' ? decoded.text : undefined;
  };
}
