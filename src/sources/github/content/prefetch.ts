import { CONFIG_PATH } from '../../../config/extends.ts';
import { DEFAULT_CONFIG } from '../../../config/schema.ts';
import { SPECS } from '../../../domain/contracts/spec-store.ts';
import { MAX_DOCUMENT_SIZE } from '../../../domain/json/read.ts';
import type { Facts } from '../../../gate/facts.ts';
import { PRESENT_AT_HEAD, RULES, runFolders, runsToRead } from '../../pull-request/governed.ts';
import type { SnapshotItem, SourceSnapshot } from '../../snapshot/snapshot.ts';

/** Documents that are asked for before it is known that they are needed: as many as a few queries carry. */
const MOST = { files: 400, specs: 60, workflows: 30 } as const;

/** Bytes from which a document is left until it is needed. */
const LARGE = 1024 * 1024;

/**
 * Asks for the documents that a branch is most likely judged by, all in one turn. What fails is asked for again by
 * whoever needs it.
 */
export async function prefetch(facts: Facts, atBase: SourceSnapshot, atHead: SourceSnapshot): Promise<void> {
  const runs = runFolders(runsToRead(facts).runIds);
  const { baseline } = DEFAULT_CONFIG.secrets;
  const asked = facts.caller?.config;
  const base = [...RULES, CONFIG_PATH, baseline, ...(asked === undefined ? [] : [asked]), ...runs];
  await Promise.allSettled([
    read(atBase, base, MOST.files),
    // Which of them run the tests stands in the configuration; few are all read.
    read(atBase, ['.github/workflows'], MOST.workflows),
    read(atHead, [...PRESENT_AT_HEAD, ...runs], MOST.files),
    // Which specs the runs have stands in their documents; few are all read.
    ...(runs.length === 0 ? [] : [read(atHead, [SPECS], MOST.specs)]),
  ]);
}

async function read(snapshot: SourceSnapshot, paths: readonly string[], most: number): Promise<void> {
  const listed = await Promise.all(paths.map((path) => snapshot.list(path, most + 1)));
  const items = new Map(
    listed.flatMap(({ items: some }) => some.map((item): [string, SnapshotItem] => [item.path, item])),
  );
  if (items.size > most && paths.length === 1) return;
  await Promise.allSettled(
    [...items.keys()].slice(0, most).map(async (path) => {
      const shown = await snapshot.look(path);
      if (shown?.size !== undefined && shown.size <= LARGE) await snapshot.read(path, MAX_DOCUMENT_SIZE);
    }),
  );
}
