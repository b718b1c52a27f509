import { randomBytes } from 'node:crypto';
import { rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../domain/errors.ts';
import { orRefuse, statOf, syncFolder, writeSynced } from './files.ts';
import { stagedPath, writeJournal } from './journal.ts';
import { makeMove, undoMoves } from './moves.ts';
import type { Move } from './moves.ts';
import { hideScratch, openScratch, SCRATCH } from './scratch.ts';

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

/**
 * Carries out steps so that a kill at any moment leaves either nothing or, after the next writing command,
 * everything: all content is staged and synced first; a journal, renamed into place, is the point of no
 * return; the moves are then made one by one, each of them atomic, and repeated by `finishJournals` if need be.
 * Where a move fails, those before it are taken back; a `replace`, which cannot be, belongs at the end.
 * Call it under `withLock`.
 * @throws the `taken` refusal of a step whose place is not free, CS1201; nothing is changed then
 */
export function applyChange(root: string, steps: readonly Step[]): void {
  for (const step of steps) {
    const standing = orRefuse(step.path, 'read', () => statOf(join(root, step.path)));
    if (step.step !== 'replace' && standing !== undefined) throw step.taken();
  }
  const scratch = openScratch(root);
  const id = `${Date.now()}-${process.pid}-${randomBytes(6).toString('hex')}`;
  const stage = join(scratch, `stage-${id}`);
  let journal: string | undefined;
  const drop = (): void => {
    if (journal !== undefined) unlinkSync(journal);
    rmSync(stage, { recursive: true, force: true });
  };
  let moves: readonly Move[];
  try {
    moves = orRefuse(SCRATCH, 'written', () => {
      hideScratch(scratch);
      const staged = stageSteps(scratch, id, root, steps);
      if (staged.length > 1) journal = writeJournal(scratch, id, staged);
      return staged;
    });
  } catch (thrown) {
    drop();
    throw thrown;
  }
  try {
    for (const [index, step] of steps.entries()) makeStep(root, step, moves[index]);
  } catch (thrown) {
    if (undoMoves(root, moves)) drop();
    throw thrown;
  }
  drop();
}

function makeStep(root: string, step: Step, move: Move | undefined): void {
  if (move === undefined) throw new TypeError('a step that was not staged');
  makeMove(root, move, () => {
    if (step.step !== 'replace') return step.taken();
    return new Refusal('CS1201', `${step.path} is a folder and cannot be replaced.`, { where: step.path });
  });
}

function stageSteps(scratch: string, id: string, root: string, steps: readonly Step[]): Move[] {
  const folders = new Set<string>();
  const write = (path: string, content: string | Uint8Array): void => {
    writeSynced(path, content);
    for (let folder = dirname(path); !folders.has(folder) && folder !== scratch; folder = dirname(folder))
      folders.add(folder);
  };
  const moves = steps.map((step, index): Move => {
    const staged = stagedPath(id, index);
    const path = join(root, staged);
    if (step.step === 'place') for (const file of step.files) write(join(path, file.path), file.bytes);
    else write(path, step.text);
    return { staged, path: step.path, how: step.step };
  });
  // A journal that outlives a loss of power must find what it names.
  for (const folder of folders) syncFolder(folder);
  return moves;
}
