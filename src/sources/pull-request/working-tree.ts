import { isRefusal } from '../../domain/errors.ts';
import { runIds } from '../../domain/contracts/run-record.ts';
import type { Facts } from '../../gate/facts.ts';
import { openProject, projectRoot } from '../../workspace/workspace.ts';
import { headBranch, openRepository } from '../git.ts';
import type { GitRepository } from '../git.ts';
import { resolveCommit } from '../git-names.ts';
import { withObjects } from '../git-objects.ts';
import { workingCopySecrets } from '../secrets/working-copy.ts';
import { workingTreeSnapshot } from '../snapshot/working-tree.ts';
import { documentCollector, MAX_HELD } from './documents.ts';
import { runFolders, runsToRead, specFolders } from './governed.ts';
import { addRules, COLLECTED_NOWHERE, organisationOf } from './rules.ts';
import { boundedUnread } from './unread.ts';

export interface WorkingTreeOptions {
  /** The project's folder. */
  readonly root: string;
  /** Ids of the runs to judge; all that stand there where not given. */
  readonly runs?: readonly string[];
  /** The time of the collection, ISO 8601 with offset. */
  readonly now: string;
  /** Version of this program. */
  readonly engine: string;
  /** The organisation's configuration, where the caller has it. */
  readonly organisationConfig?: Facts['organisation_config'];
  /** Environment that git is found and run in; by default this process's. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Collects what the documents on disk show, with nothing to compare them with: base and head are the same, and no
 * file counts as changed. Without named runs all runs are judged. Works outside git too.
 * @throws Refusal CS1203 where the root is no folder, CS1201 where it cannot be read, RAPID1008
 */
export async function collectWorkingTree(options: WorkingTreeOptions): Promise<Facts> {
  const root = projectRoot(options.root);
  const { ref, sha } = await headOf(root, options.environment);
  const facts: Facts = {
    schema_version: 1,
    engine: options.engine,
    profile: 'local',
    now: options.now,
    subject: { kind: 'working-tree', title: '', body: '', base: { ref, sha }, head: { ref, sha }, merge_base: sha },
    named_runs: [...(options.runs ?? runIds(openProject(root)))],
    commits: [],
    files: [],
    base: { covers: [], entries: [] },
    head: { covers: [], entries: [] },
    ...COLLECTED_NOWHERE,
    unread: [],
  };
  const secrets = workingCopySecrets(root, options.environment);
  const documents = documentCollector(workingTreeSnapshot(root), { left: MAX_HELD }, 'the working tree');
  const { organisation } = await addRules(facts, documents, (config) =>
    Promise.resolve(options.organisationConfig ?? organisationOf(config)),
  );
  const { runIds: governing, unread } = runsToRead(facts);
  await documents.add(runFolders(governing));
  await documents.add(specFolders(documents.snapshot(), governing));
  const snapshot = documents.snapshot();
  const found = await secrets;
  return {
    ...facts,
    base: snapshot,
    head: snapshot,
    organisation_config: organisation,
    secrets: found.secrets,
    unread: boundedUnread([...unread, ...documents.unread(), ...found.unread]),
  };
}

/** Branch and commit that are checked out; neither where there is no git, no repository or no commit yet. */
async function headOf(
  root: string,
  environment: NodeJS.ProcessEnv | undefined,
): Promise<{ ref: string; sha: string | null }> {
  const nothing = { ref: '', sha: null };
  let repository: GitRepository;
  try {
    repository = await openRepository(root, environment);
  } catch (thrown) {
    if (isRefusal(thrown) && (thrown.code === 'CS1503' || thrown.code === 'CS1504')) return nothing;
    throw thrown;
  }
  const ref = (await headBranch(repository)) ?? 'HEAD';
  try {
    return { ref, sha: await withObjects(repository, (objects) => resolveCommit(repository, objects, 'HEAD')) };
  } catch (thrown) {
    if (isRefusal(thrown) && thrown.code === 'CS1505') return { ref, sha: null };
    throw thrown;
  }
}
