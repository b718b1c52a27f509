import type { TreeItem } from './git-tree.ts';

/** Tree objects by id, wherever they are kept. */
export interface TreeSource {
  /** @throws Refusal CS1508 missing or damaged; CS16xx where the platform fails */
  tree(oid: string): Promise<readonly TreeItem[]>;
}
