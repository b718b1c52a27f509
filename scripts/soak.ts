// Heavy proofs: the laws of the domain with many inputs, mutated vectors, writers that are killed.
//   npm run soak -- [--runs N] [--fuzz N] [--kills N]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EVALUATION_LAWS } from '../test/domain/properties/evaluation.ts';
import { fuzz } from '../test/domain/properties/fuzz.ts';
import { JSON_LAWS } from '../test/domain/properties/json.ts';
import { LEDGER_LAWS } from '../test/domain/properties/ledger.ts';
import { SEED } from '../test/support/random.ts';

/** Bounds of each count: a soak ends, whatever it is told. */
const MOST = 10_000_000;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5000' },
    fuzz: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '100' },
  },
});
const counts = {
  runs: countOf('runs', values.runs),
  fuzz: countOf('fuzz', values.fuzz),
  kills: countOf('kills', values.kills),
};

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
  const root = join(import.meta.dirname, '..');
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
  if (status !== 0) process.exitCode = 1;
}

function countOf(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0 && count <= MOST) return count;
  console.error(`--${name} must be a number from 0 to ${MOST}, not ${text}`);
  process.exit(2);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
