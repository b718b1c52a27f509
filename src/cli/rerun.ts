import { baseRules } from '../gate/base-rules.ts';
import type { Facts } from '../gate/facts.ts';
import { snapshotText } from '../gate/snapshot-tree.ts';
import { PROJECT_CONFIG } from '../process/test-command.ts';
import { line } from '../render/visible.ts';
import { rerunTests } from '../sources/rerun.ts';
import type { Rerun } from '../sources/rerun.ts';
import type { Session } from './session.ts';

/** Characters of a command that progress shows. */
const SHOWN = 200;

/** Runs the base's test command again on the head that the facts are of. */
export async function rerunOf(session: Session, root: string, facts: Facts): Promise<Rerun> {
  const { sha } = facts.subject.head;
  if (sha === null) return { ran: false, why: 'the head is no commit.' };
  return rerunTests({
    root,
    headSha: sha,
    baseConfig: snapshotText(facts.base, PROJECT_CONFIG),
    setup: baseRules(facts).config.evidence.tests.setup,
    onCommand: (argv) => session.terminal.err(`Running ${line(argv.join(' '), SHOWN)} …\n`),
  });
}
