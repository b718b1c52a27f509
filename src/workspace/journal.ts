import { readdirSync, readFileSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../domain/errors.ts';
import { canonicalJson } from '../domain/json/canonical.ts';
import { isObject } from '../domain/json/node.ts';
import type { JsonNode } from '../domain/json/node.ts';
import { readJson } from '../domain/json/read.ts';
import { relativePathFault } from '../domain/paths.ts';
import { RAPID_OS } from '../domain/project.ts';
import { diskTree } from './disk-tree.ts';
import { orRefuse, statOf, syncFolder, writeSynced } from './files.ts';
import { makeMove, MOVE_KINDS } from './moves.ts';
import type { Move } from './moves.ts';
import { SCRATCH, scratchIfAny } from './scratch.ts';

const JOURNAL_NAME = /^journal-([0-9a-f-]{1,80})\.json$/;

/** Where the file or folder of a change's step waits, as a path from the root. */
export function stagedPath(id: string, index: number): string {
  return `${SCRATCH}/stage-${id}/${index}`;
}

/** Writes down what is about to be moved: the point of no return of a change. @returns the journal's file */
export function writeJournal(scratch: string, id: string, moves: readonly Move[]): string {
  const journal = join(scratch, `journal-${id}.json`);
  writeSynced(`${journal}.part`, `${canonicalJson({ moves: moves.map(({ path, how }) => ({ path, how })) })}\n`);
  renameSync(`${journal}.part`, journal);
  syncFolder(scratch);
  return journal;
}

/**
 * Finishes changes that a kill interrupted after their point of no return, and clears what came before it.
 * Call it under the lock.
 * @throws Refusal CS1205 for a journal that is none of this program's or cannot be finished; CS1201
 */
export function finishJournals(root: string): void {
  const scratch = scratchIfAny(root);
  if (scratch === undefined) return;
  const names = orRefuse(SCRATCH, 'read', () => readdirSync(scratch).sort());
  for (const name of names) {
    const id = JOURNAL_NAME.exec(name)?.[1];
    if (id !== undefined) finishJournal(root, scratch, name, id);
  }
  orRefuse(SCRATCH, 'written', () => {
    for (const name of names) {
      if (/^(?:stage|takeover)-|\.part$/.test(name)) rmSync(join(scratch, name), { recursive: true, force: true });
    }
  });
}

function finishJournal(root: string, scratch: string, name: string, id: string): void {
  const where = `${SCRATCH}/${name}`;
  const moves = readJournal(root, join(scratch, name), where, id);
  for (const move of moves) makeMove(root, move, () => refuseJournal(where, `${move.path} was written meanwhile`));
  orRefuse(where, 'written', () => {
    unlinkSync(join(scratch, name));
  });
}

// A checkout can bring a planted journal: it moves only what lies in its own stage, only to places inside
// `.rapid-os` that no link leads out of, and either every move is such a one or none is made.
function readJournal(root: string, path: string, where: string, id: string): Move[] {
  const text = orRefuse(where, 'read', () => (statOf(path)?.isFile() === true ? readFileSync(path, 'utf8') : ''));
  const node = readJson(text, { code: 'CS1205', file: where, reading: 'strict' });
  const list = isObject(node) ? node.get('moves') : undefined;
  if (!Array.isArray(list)) throw refuseJournal(where, 'it is no journal of this program');
  return list.map((item, index) => readMove(root, item, stagedPath(id, index), where));
}

function readMove(root: string, node: JsonNode, staged: string, where: string): Move {
  const [path, kind] = isObject(node) ? [node.get('path'), node.get('how')] : [];
  const how = MOVE_KINDS.find((one) => one === kind);
  if (typeof path !== 'string' || how === undefined) throw refuseJournal(where, 'it is no journal of this program');
  const inside = path.startsWith(`${RAPID_OS}/`) && !`${path}/`.startsWith(`${SCRATCH}/`);
  if (!inside || relativePathFault(path) !== undefined) throw refuseJournal(where, `it would write to ${path}`);
  const entry = diskTree(root).look(path);
  if (entry.kind === 'escapes' || entry.kind === 'not-a-folder' || entry.kind === 'unreadable')
    throw refuseJournal(where, `it would write to ${path}, which lies behind a link or a file`);
  for (const part of [staged.slice(0, staged.lastIndexOf('/')), staged]) {
    const stat = statOf(join(root, part));
    const fits = part === staged && how !== 'place' ? stat?.isFile() : stat?.isDirectory();
    if (stat !== undefined && fits !== true) throw refuseJournal(where, `${part} is not what it put there`);
  }
  return { staged, path, how };
}

function refuseJournal(where: string, why: string): Refusal {
  return new Refusal('CS1205', `The interrupted change in ${where} cannot be finished: ${why}.`, {
    where,
    remedy: `Look at \`git status\`, restore what is wrong under ${RAPID_OS}, and remove ${SCRATCH}.`,
  });
}
