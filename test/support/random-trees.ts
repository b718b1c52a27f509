import * as fc from 'fast-check';
import type { TestRepository } from './repository.ts';

/** What stands at a path: one of a few contents, in one of git's modes, so that equal ones are common. */
export interface RandomFile {
  readonly mode: '100644' | '100755' | '120000' | '160000';
  readonly content: number;
}

/** Files by path. Names are few and alike, so that folders and files take each other's places. */
export type RandomState = Readonly<Record<string, RandomFile>>;

const NAMES = ['a', 'a.b', 'a-', 'b', 'ab', 'é', '\u{1f600}', ' '] as const;

const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((steps) => steps.join('/'));
const file = fc.record({
  mode: fc.constantFrom('100644', '100644', '100644', '100755', '120000', '160000'),
  content: fc.integer({ min: 0, max: 4 }),
}) satisfies fc.Arbitrary<RandomFile>;

/** States in which no file stands where another one needs a folder. */
export const randomState: fc.Arbitrary<RandomState> = fc
  .array(fc.tuple(path, file), { maxLength: 14 })
  .map((entries) => {
    const kept = new Map<string, RandomFile>();
    for (const [at, one] of entries) {
      const clashes = [...kept.keys()].some((other) => other.startsWith(`${at}/`) || at.startsWith(`${other}/`));
      if (!clashes) kept.set(at, one);
    }
    return Object.fromEntries(kept);
  });

/** Writes a state as a tree. @returns its id */
export function writeState({ git, gitWith, blob }: TestRepository, state: RandomState): string {
  const contents = new Map<number, string>();
  const rows = Object.entries(state).map(([at, { mode, content }]) => {
    const oid =
      mode === '160000' ? String(content + 1).repeat(40) : (contents.get(content) ?? blob(`content ${content}\n`));
    if (mode !== '160000') contents.set(content, oid);
    return `${mode} ${oid}\t${at}\0`;
  });
  git('read-tree', '--empty');
  gitWith(rows.join(''), 'update-index', '-z', '--index-info');
  return git('write-tree');
}
