import { randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../domain/errors.ts';
import { canonicalJson } from '../domain/json/canonical.ts';
import { RAPID_OS } from '../domain/project.ts';
import { isErrno } from './disk-tree.ts';

/** Folder of half-done work inside `.rapid-os`; never listed by any reader, ignored by git. */
export const SCRATCH = `${RAPID_OS}/.countersign`;

/**
 * One step of a change to a project's documents; paths are from the root.
 * `create`: a file that must not exist yet. `replace`: a file that may. `place`: a folder that must not exist
 * yet, made of files that are copied in.
 */
export type Step =
  | { readonly step: 'create'; readonly path: string; readonly text: string; readonly taken: () => Refusal }
  | { readonly step: 'replace'; readonly path: string; readonly text: string }
  | {
      readonly step: 'place';
      readonly path: string;
      readonly files: readonly PlacedFile[];
      readonly taken: () => Refusal;
    };

export interface PlacedFile {
  /** Below the placed folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A step as the journal keeps it: what is staged, where it goes. */
interface Move {
  readonly staged: string;
  readonly path: string;
  readonly how: 'create' | 'replace' | 'place';
}

/**
 * Carries out steps so that a kill at any moment leaves either nothing or, after the next writing command,
 * everything: all content is staged and synced first; a journal, renamed into place, is the point of no
 * return; the moves are then made one by one, each of them atomic, and repeated by `finishJournals` if need be.
 * Call it under `withLock`.
 * @throws the `taken` refusal of a step whose place is not free; nothing is changed then
 */
export function applyChange(root: string, steps: readonly Step[]): void {
  for (const step of steps)
    if (step.step !== 'replace' && lstatSync(join(root, step.path), { throwIfNoEntry: false })) throw step.taken();
  const id = `${Date.now()}-${process.pid}-${randomBytes(6).toString('hex')}`;
  const scratch = scratchFolder(root);
  const stage = join(scratch, `stage-${id}`);
  mkdirSync(stage, { recursive: true });
  try {
    const moves = steps.map((step, index): Move => {
      const staged = join(stage, String(index));
      if (step.step === 'place') for (const file of step.files) writeSynced(join(staged, file.path), file.bytes);
      else writeSynced(staged, step.text);
      return { staged: `${SCRATCH}/stage-${id}/${index}`, path: step.path, how: step.step };
    });
    if (steps.length === 1 && steps[0] !== undefined && moves[0] !== undefined) {
      makeMove(root, moves[0], steps[0].step === 'replace' ? undefined : steps[0].taken);
    } else {
      const journal = join(scratch, `journal-${id}.json`);
      writeSynced(`${journal}.part`, `${canonicalJson({ moves })}\n`);
      renameSync(`${journal}.part`, journal);
      syncFolder(scratch);
      for (const move of moves) makeMove(root, move, undefined);
      unlinkSync(journal);
    }
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Finishes changes that a kill interrupted after their point of no return, and clears what came before it. */
export function finishJournals(root: string): void {
  const scratch = join(root, SCRATCH);
  if (!existsSync(scratch)) return;
  const names = readdirSync(scratch).sort();
  for (const name of names.filter((one) => /^journal-[0-9a-f-]+\.json$/.test(one))) {
    for (const move of readJournal(join(scratch, name))) makeMove(root, move, undefined);
    unlinkSync(join(scratch, name));
  }
  for (const name of names.filter((one) => one.startsWith('stage-') || one.endsWith('.part'))) {
    rmSync(join(scratch, name), { recursive: true, force: true });
  }
}

function readJournal(path: string): Move[] {
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const moves =
    typeof parsed === 'object' && parsed !== null && 'moves' in parsed && Array.isArray(parsed.moves)
      ? parsed.moves
      : [];
  return moves.filter(isMove);
}

// A journal could be planted in a checkout: only moves from scratch to a plain place under `.rapid-os` are made.
function isMove(value: unknown): value is Move {
  if (typeof value !== 'object' || value === null) return false;
  const { staged, path, how } = value as Partial<Record<keyof Move, unknown>>;
  const inside = (text: unknown, folder: string): boolean =>
    typeof text === 'string' &&
    text.startsWith(`${folder}/`) &&
    !text.split('/').includes('..') &&
    !text.includes('\0');
  return (
    inside(staged, SCRATCH) && inside(path, RAPID_OS) && (how === 'create' || how === 'replace' || how === 'place')
  );
}

function makeMove(root: string, move: Move, taken: (() => Refusal) | undefined): void {
  const from = join(root, move.staged);
  const to = join(root, move.path);
  if (!existsSync(from)) return; // made before the interruption
  mkdirSync(dirname(to), { recursive: true });
  try {
    if (move.how === 'create') {
      createExclusively(from, to);
    } else if (move.how === 'replace' || !existsSync(to)) {
      renameSync(from, to);
    } else {
      throw taken === undefined ? journalConflict(move.path) : taken();
    }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    if (isErrno(cause, 'EEXIST', 'ENOTEMPTY')) throw taken === undefined ? journalConflict(move.path) : taken();
    throw new Refusal('CS1201', `${move.path} cannot be written.`, { where: move.path, cause });
  }
  syncFolder(dirname(to));
}

// link(2) fails where the target exists, so two writers can never both succeed; some file systems lack it.
function createExclusively(from: string, to: string): void {
  try {
    linkSync(from, to);
    unlinkSync(from);
  } catch (cause) {
    if (!isErrno(cause, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK')) throw cause;
    copyFileSync(from, to, 1 /* COPYFILE_EXCL */);
    unlinkSync(from);
  }
}

function journalConflict(path: string): Refusal {
  return new Refusal('CS1205', `${path} was written by another program while a change to it was being finished.`, {
    where: path,
  });
}

function scratchFolder(root: string): string {
  const scratch = join(root, SCRATCH);
  if (!existsSync(join(scratch, '.gitignore'))) {
    mkdirSync(scratch, { recursive: true });
    writeSynced(join(scratch, '.gitignore'), '*\n');
  }
  return scratch;
}

function writeSynced(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w', 0o644);
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

// A rename is durable once its folder is synced; Windows cannot open folders and needs no such step.
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
