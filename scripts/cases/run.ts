import { availableParallelism } from 'node:os';
import type { Case } from './case.ts';
import { isList } from './json.ts';
import type { Json } from './json.ts';
import { commitMsg } from './commit-msg.ts';
import { inTemporary } from './world.ts';
import { gitConfigCredentials, sensitiveFiles } from './working-copy.ts';

/** Processes that a case starts cost more than it computes: more at once would only wait. */
const PARALLEL = Math.max(1, Math.min(8, availableParallelism()));

/** Features whose guards are other programs' or not there yet. Nothing else is ever left out. */
const SKIPPED: ReadonlySet<string> = new Set([
  'attribution-pretooluse',
  'attribution-git-e2e',
  'read-guard',
  'token-budget',
  'strict-tdd',
  'precedence-protocol',
]);

/** Asks the program, with its files below `base`; `strict` is the attribution mode `forbid-mention`. */
type Driver = (base: string, row: Case, strict: boolean) => Promise<Json>;

const DRIVERS: Readonly<Record<string, Driver>> = {
  'attribution-commit-msg': (base, row, strict) => commitMsg(base, row, strict ? 'forbid-mention' : 'forbid'),
  'sensitive-file-scan': sensitiveFiles,
  'git-config-credentials': gitConfigCredentials,
};

/** What came of one case. */
export type Result =
  | { readonly state: 'passed' | 'skipped'; readonly id: string }
  | { readonly state: 'failed'; readonly id: string; readonly differences: readonly string[] };

/** Runs cases, a few at once, and gives their results in the order of the file. */
export async function runCases(
  cases: readonly Case[],
  step: (done: number, total: number) => void = () => undefined,
): Promise<readonly Result[]> {
  return inTemporary((base) => runAll(base, cases, step));
}

async function runAll(
  base: string,
  cases: readonly Case[],
  step: (done: number, total: number) => void,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      const row = cases[at];
      if (row === undefined) return;
      results[at] = await runCase(base, row);
      done += 1;
      step(done, cases.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return results;
}

// In each mode for which it says what is expected.
async function runCase(base: string, row: Case): Promise<Result> {
  const { id, feature } = row;
  const driver = Object.hasOwn(DRIVERS, feature) ? DRIVERS[feature] : undefined;
  if (driver === undefined && !SKIPPED.has(feature)) {
    return { state: 'failed', id, differences: [`${id}: the feature ${JSON.stringify(feature)} is not known`] };
  }
  if (driver === undefined || row.layer === 'server') return { state: 'skipped', id };
  const differences: string[] = [];
  const compare = async (name: string, expected: Json, strict: boolean): Promise<void> => {
    const got = await answer(() => driver(base, row, strict));
    const wanted = shown(expected);
    if (got !== wanted) differences.push(`${name}: expected ${wanted} got ${got}`);
  };
  await compare(id, row.expected, false);
  if (row.expectedStrict !== undefined) await compare(`${id} (forbid-mention)`, row.expectedStrict, true);
  return differences.length === 0 ? { state: 'passed', id } : { state: 'failed', id, differences };
}

async function answer(body: () => Promise<Json>): Promise<string> {
  try {
    return shown(await body());
  } catch (thrown) {
    return `no answer (${thrown instanceof Error ? thrown.message : String(thrown)})`;
  }
}

// Lists of paths are sets: the order is no part of the answer.
function shown(value: Json): string {
  return JSON.stringify(isList(value) ? [...value].sort() : value);
}
