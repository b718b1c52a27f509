import { CONFIG_PATH } from '../../config/extends.ts';
import type { Project } from '../../domain/project.ts';
import { snapshotTree } from '../../gate/snapshot-tree.ts';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { documentCollector, MAX_HELD } from '../pull-request/documents.ts';
import { RULES } from '../pull-request/governed.ts';
import { githubSnapshot } from '../snapshot/github.ts';
import { openBlobs } from './content/blob-store.ts';
import { openTrees } from './content/tree-store.ts';

const WORKFLOWS = '.github/workflows';

/**
 * The documents that make the rules of a branch, and its workflows, read strictly as a verdict reads them: policy,
 * profiles, lock, configuration. Nothing else can be looked at in it.
 * @param commit full id
 * @throws Refusal CS1508, CS16xx
 */
export async function readRuleDocuments(api: GitHubApi, repository: RepositoryName, commit: string): Promise<Project> {
  const trees = openTrees(api, repository);
  const blobs = openBlobs(api, repository, (oid) => trees.sizeOf(oid));
  const source = githubSnapshot(trees, blobs, commit);
  const documents = documentCollector(source, { left: MAX_HELD }, 'the default branch');
  await documents.add([...RULES, CONFIG_PATH, WORKFLOWS]);
  return { tree: snapshotTree(documents.snapshot()), reading: 'strict' };
}
