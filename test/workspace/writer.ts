// A writer to be run as a process of its own: node writer.ts WHAT ROOT COUNT. Prints a line after each change.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeTask } from '../../src/domain/contracts/transitions.ts';
import { addEvidence } from '../../src/workspace/evidence.ts';
import { withLock } from '../../src/workspace/lock.ts';
import { appendState } from '../../src/workspace/runs.ts';
import { RUN } from '../support/sample.ts';

const [what = '', root = '', count = '1'] = process.argv.slice(2);

const changes: Readonly<Record<string, (n: number) => string>> = {
  evidence: (n) => {
    const node = new Map<string, string | string[] | Map<string, string | number>>([
      ['kind', 'command_result'],
      ['producer', `writer-${process.pid}`],
      ['summary', `Change ${n}`],
      [
        'payload',
        new Map<string, string | number>([
          ['label', 'build'],
          ['exit_code', 0],
        ]),
      ],
      ['artifacts', ['log.txt']],
    ]);
    return addEvidence(root, RUN, { from: 'object', node }).id;
  },
  task: () =>
    String(
      appendState(root, RUN, (run, state) => {
        const status = state.tasks[0]?.status === 'in_progress' ? 'blocked' : 'in_progress';
        return changeTask(run.contract, state, 'T001', status);
      }).revision,
    ),
  count: () =>
    withLock(root, () => {
      const file = join(root, 'count.txt');
      const next = Number(readFileSync(file, 'utf8')) + 1;
      writeFileSync(file, String(next));
      return String(next);
    }),
};

console.log('ready');
for (let n = 1; n <= Number(count); n += 1) console.log(changes[what]?.(n));
