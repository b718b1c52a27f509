// The demonstration that `npm start` shows: a real git repository, made on the fly, whose branches an agent wrote.
//   npm start [-- --keep]
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { demoRepository } from './demo/repository.ts';
import type { DemoRepository } from './demo/repository.ts';
import { addEvidence, agentWorks, RUN, setUpMain } from './demo/story.ts';

const CLI = join(import.meta.dirname, '..', 'dist', 'cli.mjs');

if (!existsSync(CLI)) {
  console.error('The bundle of the command line is missing. Make it with: npm run build');
  process.exit(1);
}
const keep = process.argv.includes('--keep');
const repository = demoRepository(CLI);
try {
  tell(repository);
} finally {
  if (!keep) repository.remove();
}
console.log(
  keep
    ? `\nThe repository is kept in ${repository.root}. Look around with: node ${CLI} --help`
    : '\nThat was the demonstration. `npm start -- --keep` keeps its repository; the README tells how to go on with your own.',
);

function tell(demo: DemoRepository): void {
  say('A repository that governs its agents: what they can do is declared in a profile, and locked on main.');
  setUpMain(demo);
  judge(demo, 'main', undefined);

  say(`An agent fixes a bug on a branch. Its ledger (run ${RUN}) says that everything is done; nothing shows it.`);
  agentWorks(demo, 'agent/claims');
  judge(demo, 'agent/claims', 'main');

  say('The same branch after the tests were run and evidence was added: records with artifacts, bound by digest.');
  addEvidence(demo);
  judge(demo, 'agent/claims', 'main');

  say('Another agent waives the tests. It may, under this policy, but not on its own word: a person has to confirm.');
  agentWorks(demo, 'agent/waives', { waiveTests: true });
  addEvidence(demo);
  judge(demo, 'agent/waives', 'main');

  say(
    'A third one says it changed a file that its branch does not change. Evidence that contradicts what is seen fails.',
  );
  agentWorks(demo, 'agent/contradicts');
  addEvidence(demo, { changed: ['src/greet.mjs', 'src/secure.mjs'] });
  judge(demo, 'agent/contradicts', 'main');
}

function say(text: string): void {
  console.log(`\n── ${text}\n`);
}

function judge(demo: DemoRepository, head: string, base: string | undefined): void {
  const argv = base === undefined ? ['validate', '--strict'] : ['evaluate', '--base', base, '--head', head];
  console.log(`$ countersign ${argv.join(' ')}`);
  const { status, output } = demo.countersign(argv, { mayFail: true });
  console.log(`${output.trimEnd()}\n(exit code ${status})`);
}
