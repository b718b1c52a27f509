import { Refusal } from '../../../domain/errors.ts';
import { isTelling } from '../../secrets/head-files.ts';
import { below, isImpossibleName, MAX_LISTED } from '../../snapshot/snapshot.ts';
import type { TreeSource } from '../../tree-source.ts';

/**
 * Paths of a tree for which {@link isTelling} holds; folders of one level are asked for at once.
 * @throws Refusal CS1502 where it has more folders than are looked at; CS1508 and the client's
 */
export async function tellingPaths(trees: TreeSource, root: string): Promise<string[]> {
  const paths: string[] = [];
  let level = [{ path: '', oid: root }];
  let count = 0;
  while (level.length > 0) {
    count += level.length;
    if (count > MAX_LISTED) throw new Refusal('CS1502', `More than ${MAX_LISTED} folders stand there.`);
    const read = await Promise.all(
      level.map(async ({ path, oid }) =>
        (await trees.tree(oid)).flatMap(({ name, kind, oid: id }) =>
          name === undefined || isImpossibleName(name) ? [] : [{ path: below(path, name), kind, oid: id }],
        ),
      ),
    );
    const items = read.flat();
    for (const { path, kind } of items) if (kind !== 'folder' && isTelling(path)) paths.push(path);
    level = items.filter(({ kind }) => kind === 'folder');
  }
  return paths;
}
