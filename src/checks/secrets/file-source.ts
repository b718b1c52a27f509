import type { FindingDraft } from '../finding.ts';
import { decodeText } from './decode.ts';
import type { TextSource } from './findings.ts';
import { SECRET_RULES } from './rules.ts';

/** A file of a snapshot: its path, git's mode, its bytes. */
export interface SnapshotFile {
  readonly path: string;
  /** As in a tree object: `100644`, `100755`, `120000` (link), `160000` (submodule). */
  readonly mode: string;
  readonly bytes: Uint8Array;
}

const LINK = '120000';
const SUBMODULE = '160000';

/**
 * What is to be scanned of a file: its text; or a finding that says why it is not; or neither, for a link (its blob
 * is the path of its target, which is never read) and for a submodule.
 */
export function fileSource(file: SnapshotFile, limit?: number): { source?: TextSource; finding?: FindingDraft } {
  if (file.mode === LINK || file.mode === SUBMODULE) return {};
  const { path } = file;
  const decoded = decodeText(file.bytes, limit);
  switch (decoded.kind) {
    case 'text':
      return { source: { place: { at: 'file', path }, text: decoded.text } };
    case 'binary':
      return { source: { place: { at: 'file', path }, text: decoded.text, isBinary: true } };
    case 'too-large':
      return { finding: notScanned(path, decoded.size, decoded.limit) };
  }
}

/** The finding that a file is larger than what is scanned, both in bytes. */
export function notScanned(path: string, size: number, limit: number): FindingDraft {
  return {
    rule: 'secrets/not-scanned',
    severity: SECRET_RULES['secrets/not-scanned'].severity,
    place: { at: 'file', path },
    subject: 'too-large',
    message: `${size} bytes were not scanned: the limit is ${limit}.`,
    remedy: SECRET_RULES['secrets/not-scanned'].remedy,
  };
}
