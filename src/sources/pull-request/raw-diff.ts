import { Refusal } from '../../domain/errors.ts';
import { showBytes, textOfBytes } from '../git-tree.ts';

/** A line of `git diff-tree --raw -z`. Ids are all zeros where nothing stands, modes then are 000000. */
export interface RawChange {
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type-changed';
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly mode: string;
  readonly oldMode: string;
  readonly oid: string;
  readonly oldOid: string;
}

/** Changes under one header, or with none where git printed none. */
export interface RawBlock {
  /** What was compared, as it was asked for. */
  readonly header: string | undefined;
  readonly changes: readonly RawChange[];
  /** Paths, in a form that can be shown, that are no valid UTF-8. */
  readonly unnamed: readonly string[];
}

const ENTRY = /^:([0-7]{6}) ([0-7]{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([A-Z])([0-9]{0,3})$/;
const STATUSES = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
} as const satisfies Record<string, RawChange['status']>;

/**
 * Reads what `git diff-tree -r -z --raw` prints (git-diff-tree(1), "Raw output format"): entries and paths between
 * NULs, so that no path can be taken for anything else; with --stdin, ids as headers in between.
 * @throws Refusal CS1502 for anything else
 */
export function parseRawDiff(bytes: Buffer): RawBlock[] {
  const blocks: { header: string | undefined; changes: RawChange[]; unnamed: string[] }[] = [];
  let at = 0;
  const next = (): Buffer => {
    const nul = bytes.indexOf(0, at);
    if (nul === -1) throw notRaw('an end without NUL');
    const part = bytes.subarray(at, nul);
    at = nul + 1;
    return part;
  };
  while (at < bytes.length) {
    const text = next().toString('latin1');
    if (!text.startsWith(':')) {
      if (!/^[0-9a-f]{40,64}$/.test(text)) throw notRaw(text);
      blocks.push({ header: text, changes: [], unnamed: [] });
      continue;
    }
    const [, oldMode = '', mode = '', oldOid = '', oid = '', letter = ''] = ENTRY.exec(text) ?? [];
    const status = isLetter(letter) ? STATUSES[letter] : undefined;
    if (status === undefined) throw notRaw(text);
    const twoNames = status === 'renamed' || status === 'copied';
    const first = next();
    const last = twoNames ? next() : first;
    const names = [first, last].map(textOfBytes);
    const [from, path] = names;
    if (blocks.length === 0) blocks.push({ header: undefined, changes: [], unnamed: [] });
    const block = blocks[blocks.length - 1];
    if (from === undefined || path === undefined) {
      block?.unnamed.push(showBytes(from === undefined ? first : last));
      continue;
    }
    block?.changes.push({ status, path, oldPath: twoNames ? from : undefined, mode, oldMode, oid, oldOid });
  }
  return blocks;
}

function isLetter(letter: string): letter is keyof typeof STATUSES {
  return Object.hasOwn(STATUSES, letter);
}

function notRaw(text: string): Refusal {
  return new Refusal('CS1502', `git diff-tree printed what is no raw diff: ${text.slice(0, 200)}`);
}
