import { MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { Refusal } from '../../domain/errors.ts';
import type { GitObject, ObjectReader } from '../git-objects.ts';
import { RENAMES } from '../pull-request/files.ts';
import type { RawChange } from '../pull-request/raw-diff.ts';
import type { CommitDiff } from '../github/content/commit-diffs.ts';
import { changeCollector } from './change-collector.ts';
import type { Changes } from './change-collector.ts';
import { changedLines, likeness } from './changed-lines.ts';
import { MAX_TEXT } from './changes.ts';
import type { PatchedFile } from './patch-stream.ts';

/** Changed files whose contents are asked for together, and bytes of them. */
const WINDOW = { files: 200, bytes: 16 * 1024 * 1024 } as const;

/** Deleted files of a commit that an added one is compared with, to tell whether it was renamed. */
const MAX_CANDIDATES = 10;

/** Likeness from which a deleted and an added file are one, as for git ({@link RENAMES}). */
const LIKE = 0.5;

/** How much git looks at to tell a binary file (`buffer_is_binary` of its xdiff interface). */
const BINARY_PROBE = 8000;

const NOTHING = /^0+$/;
const isFile = (mode: string): boolean => mode.startsWith('100') || mode === '120000';

/**
 * Looks through what each commit adds, by the contents of files before and after: the same as `scanChanges` does by
 * git's patches, for repositories that are not here. A file that is larger than what is scanned is told so, and not read.
 * @param sizeOf bytes of a blob, where they are known
 * @throws Refusal CS1508, CS16xx; CS1502 where there is more text than is looked at
 */
export async function scanTreeChanges(
  objects: ObjectReader,
  sizeOf: (oid: string) => number | undefined,
  diffs: readonly CommitDiff[],
  baseText: (path: string) => Promise<string | undefined>,
  limit = MAX_TEXT,
): Promise<Changes> {
  const collector = changeCollector(objects, baseText, limit);
  const isLarge = (oid: string): boolean => (sizeOf(oid) ?? 0) > MAX_SCANNED_BYTES;
  // All of a window is asked for in one turn; what is found is told in the order of the commits.
  let open: (() => Promise<() => Promise<void>>)[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const tells = await Promise.all(open.map((read) => read()));
    open = [];
    bytes = 0;
    for (const tell of tells) await tell();
  };
  const add = async (oids: readonly string[], read: () => Promise<() => Promise<void>>): Promise<void> => {
    open.push(read);
    for (const oid of oids) bytes += sizeOf(oid) ?? 0;
    if (open.length >= WINDOW.files || bytes >= WINDOW.bytes) await flush();
  };
  for (const diff of diffs) {
    const { sha: commit, cut } = diff.commit;
    if (cut) continue;
    if ('merged' in diff) {
      for (const { path, mode, oid, oldOids } of diff.merged) {
        if (!isFile(mode)) continue;
        const oids = [oid, ...oldOids].filter((one) => !NOTHING.test(one) && !isLarge(one));
        await add(oids, async () => {
          if (isLarge(oid)) {
            const change = { path, mode, oid, oldOid: oldOids[0] ?? oid };
            return () => collector.patched(tooLarge(commit, change, sizeOf(oid) ?? 0));
          }
          await Promise.all(oids.map((one) => objects.read(one, MAX_SCANNED_BYTES)));
          return () => collector.blob({ commit, path, mode, oid, oldOids });
        });
      }
      continue;
    }
    const deleted = diff.changes.filter(({ status, oldMode }) => status === 'deleted' && oldMode.startsWith('100'));
    for (const change of diff.changes) {
      if (!isFile(change.mode)) continue;
      await add([change.oid, change.oldOid], async () => {
        const file = await patchedFile(objects, sizeOf, commit, change, deleted);
        return () => collector.patched(file);
      });
    }
  }
  await flush();
  return collector.changes(diffs.map(({ commit }) => commit.sha));
}

async function patchedFile(
  objects: ObjectReader,
  sizeOf: (oid: string) => number | undefined,
  commit: string,
  change: RawChange,
  deleted: readonly RawChange[],
): Promise<PatchedFile> {
  const { status, path, mode, oid } = change;
  const told = { commit, path, mode, oid, oldOid: change.oldOid };
  const same = status === 'added' ? deleted.find(({ oldOid }) => oldOid === oid)?.oldOid : change.oldOid;
  if (same === oid && status !== 'type-changed')
    return { ...told, oldOid: oid, content: { kind: 'lines', size: 0, text: '', lines: [] } };
  const size = sizeOf(oid) ?? 0;
  if (size > MAX_SCANNED_BYTES) return tooLarge(commit, told, size);
  const [after, before] = await Promise.all([
    objects.read(oid, MAX_SCANNED_BYTES),
    status === 'modified' ? objects.read(change.oldOid, MAX_SCANNED_BYTES) : undefined,
  ]);
  if (after?.type !== 'blob') throw new Refusal('CS1508', `The content of ${path} is missing.`);
  if (after.bytes === undefined) return tooLarge(commit, told, after.size);
  const isRenamable = status === 'added' && mode.startsWith('100');
  const old = isRenamable ? await renamedFrom(objects, sizeOf, after.bytes, path, deleted) : before;
  const oldOid = old?.oid ?? change.oldOid;
  if (isBinary(after.bytes) || (old?.bytes !== undefined && isBinary(old.bytes)))
    return { ...told, oldOid, content: { kind: 'hidden' } };
  const lines = changedLines(old?.bytes?.toString('utf8'), after.bytes.toString('utf8'));
  return { ...told, oldOid, content: { kind: 'lines', ...lines } };
}

function tooLarge(
  commit: string,
  change: Pick<RawChange, 'path' | 'mode' | 'oid' | 'oldOid'>,
  size: number,
): PatchedFile {
  const { path, mode, oid, oldOid } = change;
  return { commit, path, mode, oid, oldOid, content: { kind: 'too-large', size } };
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, BINARY_PROBE).includes(0);
}

/** The deleted file that an added one was made of, if one is like enough to it. */
async function renamedFrom(
  objects: ObjectReader,
  sizeOf: (oid: string) => number | undefined,
  after: Buffer,
  path: string,
  deleted: readonly RawChange[],
): Promise<GitObject | undefined> {
  if (deleted.length > RENAMES.limit) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const candidates = deleted
    .map((change) => ({ change, size: sizeOf(change.oldOid) ?? after.length }))
    .filter(({ size }) => Math.min(size, after.length) >= LIKE * Math.max(size, after.length))
    .map(({ change, size }) => ({
      change,
      // The same name first, then the nearest size.
      order: change.path.endsWith(`/${name}`) || change.path === name ? -1 : Math.abs(size - after.length),
    }))
    .sort((a, b) => a.order - b.order)
    .slice(0, MAX_CANDIDATES);
  const text = after.toString('utf8');
  let best: { readonly object: GitObject; readonly like: number } | undefined;
  const read = await Promise.all(candidates.map(({ change }) => objects.read(change.oldOid, MAX_SCANNED_BYTES)));
  for (const object of read) {
    if (object?.bytes === undefined) continue;
    const like = likeness(object.bytes.toString('utf8'), text);
    if (like >= LIKE && like > (best?.like ?? 0)) best = { object, like };
  }
  return best?.object;
}
