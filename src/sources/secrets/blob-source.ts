import { decodeText, MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { fileSource, notScanned } from '../../checks/secrets/file-source.ts';
import { linesOf } from '../../checks/secrets/lines.ts';
import type { FindingDraft } from '../../checks/finding.ts';
import type { TextSource } from '../../checks/secrets/findings.ts';
import type { ObjectReader } from '../git-objects.ts';
import { Refusal } from '../../domain/errors.ts';

/** A file whose lines git does not show, with what stood there before. */
export interface BlobChange {
  /** Empty for the index. */
  readonly commit: string;
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
  /** What each parent has there; all zeros where there is nothing. */
  readonly oldOids: readonly string[];
}

/** What is to be scanned of a whole blob, or why it is not; and how many bytes were read. */
export interface BlobSource {
  readonly source?: TextSource;
  readonly finding?: FindingDraft;
  readonly size: number;
}

/**
 * Reads a blob whole: a line is new where no parent's blob has it anywhere.
 * @throws Refusal CS1508 missing or damaged, CS1502
 */
export async function blobSource(objects: ObjectReader, change: BlobChange): Promise<BlobSource> {
  const { path, mode, oid, commit } = change;
  const blob = await objects.read(oid, MAX_SCANNED_BYTES);
  if (blob?.type !== 'blob') throw new Refusal('CS1508', `The content of ${path} is missing.`);
  const { bytes, size } = blob;
  if (bytes === undefined) return { finding: notScanned(path, size, MAX_SCANNED_BYTES), size };
  const { source, finding } = fileSource({ path, mode, bytes });
  if (source === undefined) return { size, ...(finding === undefined ? {} : { finding }) };
  const known = new Set<string>();
  let read = size;
  for (const old of change.oldOids.filter((one) => !/^0+$/.test(one))) {
    const before = await objects.read(old, MAX_SCANNED_BYTES);
    read += before?.bytes?.length ?? 0;
    const decoded = before?.bytes === undefined ? undefined : decodeText(before.bytes);
    if (decoded !== undefined && decoded.kind !== 'too-large') for (const row of linesOf(decoded.text)) known.add(row);
  }
  const lines = linesOf(source.text).map((row, index) => ({ number: index + 1, isAdded: !known.has(row) }));
  return { source: { ...source, lines, ...(commit === '' ? {} : { commit }) }, size: read };
}
