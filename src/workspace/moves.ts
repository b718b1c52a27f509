import { linkSync, renameSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Refusal } from '../domain/errors.ts';
import { isErrno } from './disk-tree.ts';
import { makeFolder, orRefuse, statOf, syncFolder } from './files.ts';

/** How a staged file or folder gets to its place: see `Step`. */
export const MOVE_KINDS = ['create', 'replace', 'place'] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

/** One move of a change; both paths are from the root. */
export interface Move {
  readonly staged: string;
  readonly path: string;
  readonly how: MoveKind;
}

/**
 * Makes a move, or what is left of it after an interruption.
 * @param taken the refusal where something else stands at the place
 * @throws Refusal of `taken`, CS1201
 */
export function makeMove(root: string, move: Move, taken: () => Refusal): void {
  const from = join(root, move.staged);
  const to = join(root, move.path);
  orRefuse(move.path, 'written', () => {
    if (statOf(from) === undefined) return; // made before the interruption
    makeFolder(dirname(to));
    try {
      if (move.how === 'replace') renameSync(from, to);
      else if (move.how === 'create') createExclusively(from, to);
      else if (statOf(to) === undefined) renameSync(from, to);
      else throw taken();
    } catch (cause) {
      throw isErrno(cause, 'EEXIST', 'ENOTEMPTY') ? taken() : cause;
    }
    syncFolder(dirname(to));
  });
}

// link(2) fails where the target exists, so two writers can never both succeed. It leaves two names for a moment:
// a writer that was killed then has its file in place already.
function createExclusively(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (cause) {
    if (isErrno(cause, 'EEXIST') && sameFile(from, to)) return unlinkSync(from);
    if (!isErrno(cause, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw cause;
    return createByRename(from, to);
  }
  unlinkSync(from);
}

// For file systems without links: whole or not at all as well, but exclusive only among holders of the lock.
function createByRename(from: string, to: string): void {
  if (statOf(to) !== undefined) throw Object.assign(new Error('the place is taken'), { code: 'EEXIST' });
  renameSync(from, to);
}

function sameFile(a: string, b: string): boolean {
  const [one, other] = [statOf(a), statOf(b)];
  return one?.ino === other?.ino && one?.dev === other?.dev;
}

/**
 * Takes moves of a change back that cannot be made as a whole, the last one first.
 * @returns whether nothing of them is left; a replaced file cannot be had back
 */
export function undoMoves(root: string, moves: readonly Move[]): boolean {
  try {
    return moves.toReversed().every((move) => undoMove(root, move));
  } catch {
    return false; // the journal stays, and the next writer finishes what can be finished
  }
}

function undoMove(root: string, move: Move): boolean {
  const from = join(root, move.staged);
  const to = join(root, move.path);
  const waiting = statOf(from);
  if (waiting === undefined) {
    if (move.how === 'replace') return false;
    renameSync(to, from);
    syncFolder(dirname(to));
  } else if (move.how === 'create' && sameFile(from, to)) {
    unlinkSync(to);
  }
  return true;
}
