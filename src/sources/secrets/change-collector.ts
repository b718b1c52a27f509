import type { FindingDraft } from '../../checks/finding.ts';
import { standingOnBase } from '../../checks/secrets/allow.ts';
import { MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { notScanned } from '../../checks/secrets/file-source.ts';
import type { TextSource } from '../../checks/secrets/findings.ts';
import { scanText } from '../../checks/secrets/scan.ts';
import { kindByContent, secretFileKind } from '../../checks/secrets/secret-files.ts';
import { Refusal } from '../../domain/errors.ts';
import type { ObjectReader } from '../git-objects.ts';
import { blobSource } from './blob-source.ts';
import type { BlobChange } from './blob-source.ts';
import type { PatchedFile } from './patch-stream.ts';

const ALLOW = 'countersign:allow';

/** A file that a commit, or the index, leaves behind. */
export interface Sighting {
  /** Empty for the index. */
  readonly commit: string;
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
}

/** What commits, or the index, add. */
export interface Changes {
  /** Only texts in which something was found or excepted, commits in order. */
  readonly sources: readonly TextSource[];
  readonly findings: readonly FindingDraft[];
  /** The latest of each path whose name or content is that of a secret-bearing file. */
  readonly secretFiles: ReadonlyMap<string, Sighting>;
}

/** Looks through changed files as they come; keeps only those in which there is something. */
export interface ChangeCollector {
  patched(file: PatchedFile): Promise<void>;
  blob(change: BlobChange): Promise<void>;
  /** @param order the commits in theirs */
  changes(order: readonly string[]): Changes;
}

/**
 * @param baseText what the base has at a path, for exceptions that stood there
 * @param limit bytes of text that are looked at in all; over it the collector refuses (CS1502)
 */
export function changeCollector(
  objects: ObjectReader,
  baseText: (path: string) => Promise<string | undefined>,
  limit: number,
): ChangeCollector {
  const found: TextSource[] = [];
  const tooLarge = new Map<string, FindingDraft>();
  const secretFiles = new Map<string, Sighting>();
  let left = limit;
  const spend = (size: number): void => {
    left -= size;
    if (left < 0) throw new Refusal('CS1502', `The changes have more than ${limit / 1024 / 1024} MiB of text in all.`);
  };
  const see = ({ commit, path, mode, oid }: Sighting, text: string): void => {
    if (secretFileKind(path) !== undefined || kindByContent(text) !== undefined)
      secretFiles.set(path, { commit, path, mode, oid });
  };
  const keep = async (source: TextSource, path: string): Promise<void> => {
    const hasAllowance = source.isBinary !== true && source.text.includes(ALLOW);
    if (!hasAllowance && (await scanText(source.text)).length === 0) return;
    const base = hasAllowance ? await baseText(path) : undefined;
    const standing = base === undefined ? {} : { standing: standingOnBase(source.text, base) };
    found.push({ ...source, ...standing });
  };
  const blob = async (change: BlobChange): Promise<void> => {
    const { source, finding, size } = await blobSource(objects, change);
    spend(size);
    see(change, source?.text ?? '');
    if (finding !== undefined && !tooLarge.has(change.path)) tooLarge.set(change.path, finding);
    if (source !== undefined) await keep(source, change.path);
  };
  const patched = async (file: PatchedFile): Promise<void> => {
    const { commit, path, mode, oid, oldOid, content } = file;
    if (mode === '000000' || mode === '160000') return;
    switch (content.kind) {
      case 'hidden':
        return blob({ commit, path, mode, oid, oldOids: [oldOid] });
      case 'too-large':
        spend(content.size);
        see(file, '');
        if (!tooLarge.has(path)) tooLarge.set(path, notScanned(path, content.size, MAX_SCANNED_BYTES));
        return;
      case 'lines':
        spend(content.size);
        see(file, content.text);
        return keep({ place: { at: 'file', path }, text: content.text, lines: content.lines, ...named(commit) }, path);
    }
  };
  return {
    patched,
    blob,
    changes: (commits) => {
      const order = new Map(commits.map((sha, at) => [sha, at]));
      const at = (source: TextSource): number => order.get(source.commit ?? '') ?? 0;
      const sources = [...found].sort((a, b) => at(a) - at(b));
      return { sources, findings: [...tooLarge.values()], secretFiles };
    },
  };
}

/** The index has no commit: its findings name none. */
function named(commit: string): { readonly commit?: string } {
  return commit === '' ? {} : { commit };
}
