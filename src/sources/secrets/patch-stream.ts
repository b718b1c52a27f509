import { Refusal } from '../../domain/errors.ts';
import { linesInRow } from '../../checks/secrets/patch.ts';
import type { NewSide } from '../../checks/secrets/patch.ts';

/** A file as one commit changes it. */
export interface PatchedFile {
  readonly commit: string;
  /** As git gives it between NULs; bytes that are no UTF-8 as U+FFFD. */
  readonly path: string;
  readonly mode: string;
  /** Ids of the blob before and after; all zeros where there is none. */
  readonly oldOid: string;
  readonly oid: string;
  /**
   * What the file reads in the hunks; or that git shows no lines of it, since it is binary or an attribute says so;
   * or that those lines are more than the limit, and how many bytes.
   */
  readonly content:
    | ({ readonly kind: 'lines'; readonly size: number } & NewSide)
    | { readonly kind: 'hidden' }
    | { readonly kind: 'too-large'; readonly size: number };
}

interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly oldOid: string;
  readonly oid: string;
  /** Patches that git prints for it: a change between file and link is a deletion and an addition. */
  readonly patches: number;
}

interface Open {
  readonly entry: Entry;
  readonly text: string[];
  readonly lines: { number: number; isAdded: boolean }[];
  size: number;
  isHidden: boolean;
}

const ENTRY = /^:[0-7]{6} ([0-7]{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([AMDRCT])[0-9]{0,3}$/;
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const OID = /^[0-9a-f]{40,64}$/;
const NONE = /^0+$/;
/** First bytes of the lines outside of hunks that tell something: `diff`, `@@`, `index`, `Binary`. */
const TELLING = new Set([...'d@iB'].map((letter) => letter.charCodeAt(0)));
const [NUL, LF] = [0x00, 0x0a];

/**
 * Reads what `git diff-tree --stdin -r -z --raw -p --full-index` prints: for each commit its id, then entries and
 * paths between NULs, an empty field, and a patch for each entry in the same order. Paths are taken from the entries
 * and never from the patch, whose lines anybody can write; a hunk's header says how many lines are its own.
 * @param limit bytes of lines of one file; of more only the number is told
 */
export function patchStream(limit: number): { push(chunk: Buffer): PatchedFile[]; end(): PatchedFile[] } {
  let out: PatchedFile[] = [];
  let state: 'header' | 'entries' | 'patch' | 'hunk' = 'header';
  let commit = '';
  let fields: Buffer[] = [];
  let queue: Entry[] = [];
  let open: Open | undefined;
  let [oldLeft, newLeft, number] = [0, 0, 0];
  // The piece of a line or field that the last chunk ended with.
  let parts: Buffer[] = [];
  let partSize = 0;

  const close = (): void => {
    if (open === undefined) return;
    const { entry, text, lines, size, isHidden } = open;
    open = undefined;
    const { path, mode, oldOid, oid } = entry;
    const content: PatchedFile['content'] = isHidden
      ? { kind: 'hidden' }
      : size > limit
        ? { kind: 'too-large', size }
        : { kind: 'lines', size, text: text.join('\n'), lines };
    out.push({ commit, path, mode, oldOid, oid, content });
  };

  const startCommit = (field: Buffer): void => {
    close();
    const id = field.toString('latin1');
    if (!OID.test(id) || queue.length > 0) throw fault(id);
    commit = id;
    fields = [];
    state = 'entries';
  };

  const startPatch = (): void => {
    close();
    const entry = queue.shift();
    if (entry === undefined) throw fault('a patch without an entry');
    if (entry.patches > 1) queue.unshift({ ...entry, patches: entry.patches - 1 });
    open = { entry, text: [], lines: [], size: 0, isHidden: false };
  };

  const headerLine = (row: Buffer): void => {
    if (!TELLING.has(row[0] ?? 0)) return;
    const text = row.toString('latin1');
    if (text.startsWith('diff --git ')) return startPatch();
    const hunk = HUNK.exec(text);
    if (hunk !== null && open !== undefined) {
      oldLeft = Number(hunk[1] ?? 1);
      newLeft = Number(hunk[3] ?? 1);
      number = Number(hunk[2]);
      if (open.lines.length > 0) {
        open.text.push('');
        open.lines.push({ number, isAdded: false });
      }
      state = oldLeft + newLeft > 0 ? 'hunk' : 'patch';
    } else if (text.startsWith('index ') && open !== undefined) {
      const { oid } = open.entry;
      const to = /^index [0-9a-f]+\.\.([0-9a-f]+)/.exec(text)?.[1] ?? '';
      if (to !== oid && !NONE.test(to)) throw fault(`a patch of another file: ${text.slice(0, 200)}`);
    } else if (text.startsWith('Binary files ') && open !== undefined) {
      open.isHidden = true;
    }
  };

  // `size` counts the bytes of the row that were dropped too.
  const hunkLine = (row: Buffer, size: number): void => {
    const sign = row[0];
    if (sign === 0x5c) return; // "\ No newline at end of file"
    if (sign !== 0x2b) oldLeft -= 1;
    if (sign !== 0x2d) newLeft -= 1;
    if (oldLeft + newLeft <= 0) state = 'patch';
    if (sign === 0x2d || open === undefined) return;
    open.size += size;
    number += 1;
    if (open.size > limit) {
      open.text.length = 0;
      open.lines.length = 0;
      return;
    }
    const content = row.toString('utf8', 1);
    open.text.push(content);
    for (let left = linesInRow(content); left > 0; left -= 1)
      open.lines.push({ number: number - 1, isAdded: sign === 0x2b });
  };

  const endEntries = (): void => {
    queue = entriesOf(fields);
    state = 'patch';
  };

  const take = (row: Buffer, terminator: number, size: number): void => {
    switch (state) {
      case 'header':
        return startCommit(row);
      case 'entries':
        if (row.length > 0) fields.push(row);
        else endEntries();
        return;
      case 'patch':
        return terminator === NUL ? startCommit(row) : headerLine(row);
      case 'hunk':
        return hunkLine(row, size);
    }
  };

  const endOf = (chunk: Buffer, at: number): number => {
    if (state === 'hunk') return chunk.indexOf(LF, at);
    if (state !== 'patch') return chunk.indexOf(NUL, at);
    // Outside of hunks only a commit's id ends with NUL.
    const lf = chunk.indexOf(LF, at);
    const nul = chunk.subarray(at, lf === -1 ? undefined : lf).indexOf(NUL);
    return nul === -1 ? lf : at + nul;
  };

  return {
    push: (chunk) => {
      for (let at = 0; at < chunk.length;) {
        const end = endOf(chunk, at);
        const part = chunk.subarray(at, end === -1 ? undefined : end);
        if (end === -1 || parts.length > 0) {
          partSize += part.length;
          // Of a line that is too long its start tells what it is, and nobody needs the rest.
          if (partSize <= limit + 1 || parts.length === 0) parts.push(part);
        }
        if (end === -1) break;
        const row = parts.length === 0 ? part : Buffer.concat(parts);
        const size = parts.length === 0 ? part.length : partSize;
        parts = [];
        partSize = 0;
        take(row, chunk[end] ?? LF, size);
        at = end + 1;
      }
      const done = out;
      out = [];
      return done;
    },
    end: () => {
      if (partSize > 0 || state === 'hunk' || state === 'entries' || queue.length > 0) throw fault('an early end');
      close();
      return out;
    },
  };
}

function entriesOf(fields: readonly Buffer[]): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < fields.length;) {
    const text = fields[at]?.toString('latin1') ?? '';
    const [, mode = '', oldOid = '', oid = '', status = ''] = ENTRY.exec(text) ?? [];
    const names = status === 'R' || status === 'C' ? 2 : 1;
    const path = fields[at + names];
    if (status === '' || path === undefined) throw fault(text.slice(0, 200));
    entries.push({ path: path.toString('utf8'), mode, oldOid, oid, patches: status === 'T' ? 2 : 1 });
    at += 1 + names;
  }
  return entries;
}

function fault(what: string): Refusal {
  return new Refusal('CS1502', `git diff-tree printed what is no patch: ${what}`);
}
