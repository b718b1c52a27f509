import { sortedUnique } from '../../domain/text/order.ts';
import type { Config } from '../../config/schema.ts';
import type { Facts } from '../../gate/facts.ts';
import { localCalls } from '../../gate/local-calls.ts';
import { snapshotText } from '../../gate/snapshot-tree.ts';
import type { SourceSnapshot, Unread } from '../snapshot/snapshot.ts';
import { documentCollector, MAX_HELD } from './documents.ts';
import type { Budget, DocumentCollector } from './documents.ts';
import { comparedFiles, PRESENT_AT_HEAD, runFolders, runsToRead, specFolders } from './governed.ts';
import { addRules } from './rules.ts';
import type { CollectedRules } from './rules.ts';

/** What of base and head is needed to judge a branch. */
export interface BranchDocuments extends CollectedRules {
  readonly base: Facts['base'];
  readonly head: Facts['head'];
  readonly unread: readonly Unread[];
}

/**
 * Gathers the documents that a branch is judged by: the rules at the base first, since they name the baseline and the
 * files that are compared, then the governing runs and their specs.
 * @param facts without documents
 * @param organisationOf gives the organisation's layer for the repository's own configuration
 * @throws Refusal CS1508, CS1502, CS16xx
 */
export async function branchDocuments(
  facts: Facts,
  atBase: SourceSnapshot,
  atHead: SourceSnapshot,
  organisationOf: (config: Config) => Promise<Facts['organisation_config']>,
): Promise<BranchDocuments> {
  const budget: Budget = { left: MAX_HELD };
  const base = documentCollector(atBase, budget, 'the base');
  const head = documentCollector(atHead, budget, 'the head');
  const rules = await addRules(facts, base, organisationOf);
  const inputs = sortedUnique(rules.configs.flatMap((config) => config.evidence.tests.inputs));
  const { runIds, unread } = runsToRead(facts);
  const shared = [...runFolders(runIds), ...comparedFiles(facts.files, inputs)];
  await base.add(shared);
  await addCalled(base, sortedUnique(rules.configs.flatMap(workflowsOf)));
  await head.add(PRESENT_AT_HEAD, 'digest');
  await head.add(shared);
  await head.add(specFolders(head.snapshot(), runIds));
  return {
    ...rules,
    base: base.snapshot(),
    head: head.snapshot(),
    unread: [...unread, ...base.unread(), ...head.unread()],
  };
}

const workflowsOf = ({ evidence }: Config): string[] => evidence.tests.workflows.map(({ path }) => path);

/** Adds the workflows that run the tests and the actions that they call: what these may run the tests rest on. */
async function addCalled(base: DocumentCollector, workflows: readonly string[]): Promise<void> {
  for (let known = 0; ;) {
    const snapshot = base.snapshot();
    const { files } = localCalls((path) => snapshotText(snapshot, path), workflows);
    if (files.length === known) return;
    known = files.length;
    await base.add(files);
  }
}
