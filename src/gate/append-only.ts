import type { FindingDraft } from '../checks/finding.ts';
import type { Rule } from '../checks/rule.ts';
import { isRefusal } from '../domain/errors.ts';
import { canonicalJson } from '../domain/json/canonical.ts';
import { isObject } from '../domain/json/node.ts';
import type { JsonObject } from '../domain/json/node.ts';
import { readJson } from '../domain/json/read.ts';
import type { Facts, FileChange, LedgerChange } from './facts.ts';
import { snapshotText } from './snapshot-tree.ts';

export const LEDGER_RULES = {
  'ledger/rewritten': {
    title: 'A file of a run, its evidence or its reports is changed or deleted.',
    severity: 'block',
    why: 'Ledgers are append-only: a record that can be rewritten after the fact proves nothing about what happened.',
    remedy:
      'Take the commit that did it out of the branch (`git rebase`), since one that restores the file rewrites it once more. Add what is new as a new state, record or report.',
    example: 'modified .rapid-os/evidence/login-r1-run-001/records/E002.json',
  },
  'ledger/spent': {
    title: 'A run that had ended at the base is named again.',
    severity: 'block',
    why: 'A run speaks for the change it was made for. One that had ended before this pull request says nothing about this one.',
    remedy: 'Create a new run for this change: `countersign run create <spec> --harness <harness>`.',
    example: 'Countersign-Run: login-r1-run-001, finished at the base',
  },
} as const satisfies Record<string, Rule>;

const APPEND_ONLY = ['.rapid-os/runs/', '.rapid-os/evidence/', '.rapid-os/evals/'] as const;
const RUN_RECORD = /^\.rapid-os\/runs\/[^/]+\/run\.json$/;

/**
 * Findings for every commit, and for the pull request as a whole, that changes or deletes what may only be
 * added to. A run record may move forward: everything stays but a rising state revision.
 */
export function ledgerFindings(facts: Facts): FindingDraft[] {
  const draft = (path: string, place: FindingDraft['place'], message: string): FindingDraft => ({
    rule: 'ledger/rewritten',
    severity: 'block',
    place,
    subject: path,
    message,
    remedy: LEDGER_RULES['ledger/rewritten'].remedy,
  });
  const byCommit = facts.commits.flatMap((commit) =>
    commit.ledger_changes.filter(isRewrite).map((change) => {
      const path = change.old_path ?? change.path;
      return draft(
        path,
        { at: 'commit', sha: commit.sha, part: 'message' },
        `Commit ${commit.sha.slice(0, 12)} rewrites ${path} (${change.status}).`,
      );
    }),
  );
  const seen = new Set(byCommit.map((one) => one.subject));
  const byWhole = facts.files
    .filter((file) => isRewrite(wholeChange(facts, file)))
    .map((file) => file.old_path ?? file.path)
    .filter((path) => !seen.has(path))
    .map((path) => draft(path, { at: 'file', path }, `${path} differs from what the base holds.`));
  return [...byCommit, ...byWhole];
}

function isRewrite(change: LedgerChange): boolean {
  const inLedger = (path: string): boolean => APPEND_ONLY.some((folder) => path.startsWith(folder));
  if (change.status === 'added' || change.status === 'copied') return false;
  if (!inLedger(change.old_path ?? change.path)) return false;
  if (change.status !== 'modified' || !RUN_RECORD.test(change.path)) return true;
  return !movesForward(change.before, change.after);
}

// The whole diff carries no texts: those of a run record are in the snapshots, else in the commits.
function wholeChange(facts: Facts, { status, path, old_path }: FileChange): LedgerChange {
  const change: LedgerChange = { status, path, ...(old_path === undefined ? {} : { old_path }) };
  if (status !== 'modified' || !RUN_RECORD.test(path)) return change;
  const [before, after] = [snapshotText(facts.base, path), snapshotText(facts.head, path)];
  if (before !== undefined && after !== undefined && before !== after) return { ...change, before, after };
  // In a working tree base and head are the same documents.
  const steps = facts.commits.flatMap((commit) => commit.ledger_changes).filter((one) => one.path === path);
  if (facts.subject.kind === 'working-tree') return { ...change, status: 'added' };
  return { ...change, ...pick('before', steps.at(0)?.before), ...pick('after', steps.at(-1)?.after) };
}

function pick(key: 'before' | 'after', text: string | undefined): Partial<LedgerChange> {
  return text === undefined ? {} : { [key]: text };
}

function movesForward(before: string | undefined, after: string | undefined): boolean {
  const [old, next] = [parse(before), parse(after)];
  if (old === undefined || next === undefined) return false;
  const rest = (record: JsonObject): string =>
    canonicalJson(new Map([...record].filter(([key]) => key !== 'current_state_revision')));
  const [from, to] = [old.get('current_state_revision'), next.get('current_state_revision')];
  return typeof from === 'number' && typeof to === 'number' && to > from && rest(old) === rest(next);
}

function parse(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const node = readJson(text, { code: 'RAPID1001', file: 'run.json', reading: 'strict' });
    return isObject(node) ? node : undefined;
  } catch (thrown) {
    if (isRefusal(thrown)) return undefined; // what cannot be read has not moved forward
    throw thrown;
  }
}
