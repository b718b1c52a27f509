import { Option } from 'commander';
import type { Command } from 'commander';
import { SCAN_FORMATS } from '../scan/options.ts';
import type { ScanOptions } from '../scan/options.ts';
import { scan } from '../scan/scan.ts';
import { group, leaf } from '../session.ts';
import type { Session } from '../session.ts';

const CONFIG =
  'Modes, allowances and the baseline are those of .github/countersign.yml at HEAD. Exit code 1 says that a finding blocks,\n4 that something could not be looked at.';

/** `scan attribution` and `scan secrets` */
export function addScanCommands(program: Command, session: Session): void {
  const scans = group(program, 'scan', 'run one check by itself, over commits or files');
  common(
    leaf(scans, 'attribution [paths...]', 'look for text that credits a coding agent or a model', [
      'scan attribution',
      'scan attribution --range origin/main..HEAD',
      'scan attribution --message .git/COMMIT_EDITMSG',
      'scan attribution docs README.md --format sarif',
    ])
      .option('--staged', 'the author and committer that git would record now')
      .option('--message <file>', 'a commit message that is not committed yet (- for standard input)'),
    'messages, authors and committers of A..B, or of all that B has',
  )
    .addHelpText(
      'after',
      `\nWithout options it looks at the commits of this branch that the default branch does not have.\n${CONFIG}`,
    )
    .action(async (paths: readonly string[], options: ScanOptions) => {
      await scan(session, 'attribution', paths, options);
    });
  common(
    leaf(scans, 'secrets [paths...]', 'look for credentials and for files that hold secrets', [
      'scan secrets',
      'scan secrets --staged',
      'scan secrets --range main..HEAD --json',
      'scan secrets node_modules/some-package',
    ]).option('--staged', 'what is staged against HEAD'),
    'what the commits of A..B, or all that B has, add; their messages and people',
  )
    .addHelpText('after', `\nWithout options it does what --all does.\n${CONFIG}`)
    .action(async (paths: readonly string[], options: ScanOptions) => {
      await scan(session, 'secrets', paths, options);
    });
}

function common(command: Command, range: string): Command {
  return command
    .option('--range <range>', range)
    .option('--all', 'every file that is tracked or not ignored')
    .addOption(new Option('--format <format>', 'how findings are printed').choices(SCAN_FORMATS));
}
