import { LOCK } from '../../domain/capabilities/lock.ts';
import { HARNESSES } from '../../domain/capabilities/profile.ts';
import { runFolder } from '../../domain/contracts/run-record.ts';
import { POLICY } from '../../domain/contracts/policy.ts';
import { SPECS } from '../../domain/contracts/spec-store.ts';
import { EVALS } from '../../domain/evaluation/report-store.ts';
import { EVIDENCE } from '../../domain/evidence/record.ts';
import { isSlug } from '../../domain/identifiers.ts';
import { RAPID_OS } from '../../domain/project.ts';
import { sortedUnique } from '../../domain/text/order.ts';
import { readTestInput } from '../../config/test-inputs.ts';
import { globMatcher } from '../../config/globs.ts';
import { CONFIG_PATH } from '../../config/extends.ts';
import type { Facts, FileChange, Snapshot } from '../../gate/facts.ts';
import { governingRuns } from '../../gate/governing.ts';
import { snapshotText } from '../../gate/snapshot-tree.ts';
import type { Unread } from '../snapshot/snapshot.ts';

/** Configuration of the program itself, such as the test command. */
export const PROJECT_CONFIG = `${RAPID_OS}/config.json`;

/** Runs whose documents are read; of more the verdict is incomplete. */
export const MAX_RUNS = 500;

/** Where the rules of a base stand; its configuration comes on top. */
export const RULES = [POLICY, HARNESSES, LOCK, PROJECT_CONFIG] as const;

/** Of these it matters whether the head has them: it could be the one that brings the gate in. */
export const PRESENT_AT_HEAD = [LOCK, PROJECT_CONFIG, CONFIG_PATH] as const;

/** The governing runs whose documents are read, and a row for those that are too many. */
export function runsToRead(facts: Facts): { runIds: string[]; unread: Unread[] } {
  const all = governingRuns(facts).map(({ runId }) => runId);
  const why = `more than ${MAX_RUNS} runs are named`;
  const unread = all.length > MAX_RUNS ? [{ what: `${all.length - MAX_RUNS} governing runs`, why }] : [];
  return { runIds: all.slice(0, MAX_RUNS), unread };
}

/** Folders of runs. Names that are no run ids name nothing that could exist, and are left out. */
export function runFolders(runIds: readonly string[]): string[] {
  return runIds.filter(isSlug).flatMap((id) => [runFolder(id), `${EVIDENCE}/${id}`, `${EVALS}/${id}`]);
}

/** Folders of the specs that runs name in their records and contracts, whatever else is wrong with those. */
export function specFolders(snapshot: Snapshot, runIds: readonly string[]): string[] {
  const ids = runIds
    .filter(isSlug)
    .flatMap((id) => [`${runFolder(id)}/run.json`, `${runFolder(id)}/contract.json`])
    .flatMap((path) => specIdOf(snapshotText(snapshot, path)) ?? []);
  return sortedUnique(ids).map((id) => `${SPECS}/${id}`);
}

function specIdOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document !== 'object' || document === null || !('spec_id' in document)) return undefined;
    return typeof document.spec_id === 'string' && isSlug(document.spec_id) ? document.spec_id : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined; // the gate says what is wrong with it
    throw thrown;
  }
}

/** Changed files of which only some keys steer the tests, so that both texts must be compared. */
export function comparedFiles(files: readonly FileChange[], inputs: readonly string[]): string[] {
  const globs = inputs.map(readTestInput).flatMap(({ glob, key }) => (key === undefined ? [] : [glob]));
  if (globs.length === 0) return [];
  const isCompared = globMatcher(globs);
  return files.filter(({ status, path }) => status === 'modified' && isCompared(path)).map(({ path }) => path);
}
