import { demoRepository } from './repository.ts';
import type { DemoRepository } from './repository.ts';
import { addEvidence, agentWorks, RUN, setUpMain } from './story.ts';

/**
 * The story on the command line alone: a real git repository, made on the fly, whose branches an agent wrote.
 * @param cli path of the bundled command line
 * @param keep leaves the repository there
 */
export function showLocal(cli: string, keep: boolean): void {
  const repository = demoRepository(cli);
  try {
    tell(repository);
  } finally {
    if (!keep) repository.remove();
  }
  console.log(
    keep
      ? `\nThe repository is kept in ${repository.root}. Look around with: node ${cli} --help`
      : '\nThat was the demonstration. With --keep its repository stays; the README tells how to go on with your own.',
  );
}

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
