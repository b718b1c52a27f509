import type { Command } from 'commander';
import { commitMsgText } from '../../hooks/commit-msg-text.ts';
import { checkCommitMessage } from '../../hooks/commit-msg.ts';
import { EXIT } from '../exit.ts';
import { group } from '../session.ts';
import type { Session } from '../session.ts';

/** `hook commit-msg` */
export function addHookCommands(program: Command, session: Session): void {
  group(program, 'hook', 'what git runs: checks for its hooks')
    .command('commit-msg')
    .description('refuse a commit whose message, author or committer credits a coding agent')
    // Git always names it. Without one the hook refuses in its own words, as for a file that cannot be read.
    .argument('[file]', 'the message file that git hands to the hook')
    .addHelpText('after', '\nExamples:\n  $ countersign hook commit-msg .git/COMMIT_EDITMSG')
    .action(async (file: string | undefined) => {
      const verdict = await checkCommitMessage({
        file,
        folder: session.cwd,
        environment: process.env,
        today: new Date().toISOString().slice(0, 10),
      });
      session.terminal.err(commitMsgText(verdict));
      if (verdict.state === 'checked' && !verdict.passes) session.exit = EXIT.refused.code;
    });
}
