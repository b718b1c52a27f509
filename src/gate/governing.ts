import { isSlug } from '../domain/identifiers.ts';
import { compareCodePoints } from '../domain/text/order.ts';
import type { Facts } from './facts.ts';

/** A run that a pull request names, and how. */
export interface NamedRun {
  readonly runId: string;
  /** `input`, `trailer`, `branch`, `changed`, sorted. */
  readonly namedBy: readonly string[];
}

/** Runs that are judged; of more the verdict is incomplete. */
export const MAX_RUNS = 500;

const TRAILER = /^(?:Countersign-Run|Rapid-Run)[ \t]{0,8}:[ \t]{0,8}(\S{1,200})[ \t]{0,8}$/i;
const BRANCH = /^rapid\/([^/]{1,200})$/;
const RUN_FOLDER = /^\.rapid-os\/(?:runs|evidence|evals)\/([^/]+)\//;

/**
 * The runs that a pull request governs: those given by the caller, in trailers of its body and commits, by its
 * branch, and those whose folders it changes. All of them must hold. Names that are no run ids are kept: they
 * name a run that cannot exist.
 */
export function governingRuns(facts: Facts): NamedRun[] {
  const runs = new Map<string, Set<string>>();
  const add = (runId: string, by: string): void => void runs.set(runId, (runs.get(runId) ?? new Set()).add(by));
  for (const runId of facts.named_runs) add(runId, 'input');
  for (const text of [facts.subject.body, ...facts.commits.map((commit) => commit.message)]) {
    for (const runId of trailerRuns(text)) add(runId, 'trailer');
  }
  const branch = BRANCH.exec(facts.subject.head.ref.replace(/^refs\/heads\//, ''))?.[1];
  if (branch !== undefined && isSlug(branch)) add(branch, 'branch');
  const changed = [...facts.files, ...facts.commits.flatMap((commit) => commit.ledger_changes)];
  for (const { status, path, old_path } of changed) {
    for (const name of [path, status === 'copied' ? undefined : old_path]) {
      const runId = name === undefined ? undefined : RUN_FOLDER.exec(name)?.[1];
      if (runId !== undefined) add(runId, 'changed');
    }
  }
  return [...runs]
    .map(([runId, by]) => ({ runId, namedBy: [...by].sort() }))
    .sort((a, b) => compareCodePoints(a.runId, b.runId));
}

/**
 * Run ids in `Countersign-Run:` and `Rapid-Run:` lines of a text. A body of a pull request is edited by hand, so
 * every line counts that stands on its own, outside fenced code, not only those of a last paragraph.
 */
export function trailerRuns(text: string): string[] {
  let fence: string | undefined;
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const mark = FENCE.exec(line);
    if (mark?.[1] !== undefined) {
      // A fence ends with its own character, at least as often, and nothing behind (CommonMark 0.31.2, section 4.5).
      if (fence === undefined) fence = mark[1];
      else if (mark[1].startsWith(fence) && (mark[2] ?? '').trim() === '') fence = undefined;
      return [];
    }
    const runId = fence === undefined ? TRAILER.exec(line.trimEnd())?.[1] : undefined;
    return runId === undefined ? [] : [runId];
  });
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
