import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { EVALUATION_LAWS } from '../../test/domain/properties/evaluation.ts';
import { fuzz } from '../../test/domain/properties/fuzz.ts';
import { JSON_LAWS } from '../../test/domain/properties/json.ts';
import { LEDGER_LAWS } from '../../test/domain/properties/ledger.ts';
import { SEED } from '../../test/support/random.ts';

/** How much of each is tried. */
export interface WorkspaceSoakOptions {
  readonly runs: number;
  readonly fuzz: number;
  readonly kills: number;
  readonly progress: (text: string) => void;
}

/** The laws of the domain with many inputs, mutated vectors, writers that are killed. False where one left a fault. */
export function soakWorkspace({ progress, ...counts }: WorkspaceSoakOptions): boolean {
  console.log(`seed ${SEED}`);
  const laws = [...JSON_LAWS, ...LEDGER_LAWS, ...EVALUATION_LAWS];
  for (const [index, { name, check }] of laws.entries()) {
    progress(`law ${index + 1} of ${laws.length}: ${name}`);
    check(counts.runs);
  }
  console.log(`${laws.length} laws hold for ${counts.runs} inputs each`);

  const step = Math.max(1, Math.floor(counts.fuzz / 20));
  const fuzzed = fuzz(counts.fuzz, SEED, ({ cases }) => {
    if (cases % step === 0) progress(`${cases} of ${counts.fuzz} mutated vectors`);
  });
  console.log(`${fuzzed.cases} mutated vectors: ${fuzzed.answers} answers, ${fuzzed.refusals} refusals, no crash`);

  if (counts.kills > 0) {
    progress(`writers killed ${counts.kills} times each`);
    const root = join(import.meta.dirname, '..', '..');
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    const { status } = spawnSync(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        jest,
        '--coverage=false',
        '--testTimeout=3600000',
        'test/workspace/kill',
      ],
      { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, COUNTERSIGN_KILLS: String(counts.kills) } },
    );
    console.log(
      status === 0 ? `${counts.kills} kills of each writer left sound documents` : 'killed writers left a fault',
    );
    return status === 0;
  }
  return true;
}
