import type { Command } from 'commander';
import { Option } from 'commander';
import { Refusal } from '../../domain/errors.ts';
import { FORMATS } from '../evaluate-options.ts';
import type { EvaluateOptions } from '../evaluate-options.ts';
import { judge } from '../judge.ts';
import { collect, leaf, rootOf } from '../session.ts';
import type { Session } from '../session.ts';

/** `evaluate` */
export function addEvaluateCommand(program: Command, session: Session): void {
  leaf(program, 'evaluate', 'judge the runs of this project, or a branch as a pull request would be: one verdict', [
    'evaluate',
    'evaluate --base main --head fix-login',
    'evaluate --base main --head fix-login --format markdown',
    'evaluate --base main --head HEAD --write-facts facts.json',
    'evaluate --facts facts.json --json',
  ])
    .option('--base <ref>', 'branch, tag or commit whose rules judge; with it a branch is judged')
    .option('--head <ref>', 'branch, tag or commit that is judged (default: HEAD)')
    .option('--run <run>', 'run that governs, beside those that the branch names (repeatable)', collect)
    .option('--title <text>', 'title of the pull request')
    .option('--body <text>', 'body of the pull request; its Countersign-Run: lines name runs')
    .option('--rerun', "run the base's test command on a disposable worktree at the head")
    .option('--facts <file>', 'judge recorded facts instead of collecting them')
    .option('--write-facts <file>', 'record the facts that were judged')
    .addOption(new Option('--format <format>', 'how the verdict is printed').choices(FORMATS))
    .action(async (options: EvaluateOptions) => {
      checkCombination(options);
      const root = options.facts === undefined ? rootOf(session, options) : session.cwd;
      await judge(session, root, options);
    });
}

function checkCombination(options: EvaluateOptions): void {
  const refuse = (message: string): Refusal => new Refusal('CS1301', message);
  if (options.json === true && options.format !== undefined && options.format !== 'json') {
    throw refuse('Give either --json or another --format, not both.');
  }
  const collecting = [options.base, options.head, options.run, options.rerun, options.title, options.body];
  if (options.facts !== undefined && collecting.some((one) => one !== undefined)) {
    throw refuse(
      'Recorded facts say what is judged: --facts goes with none of --base, --head, --run, --rerun, --title, --body.',
    );
  }
  if (options.base === undefined && options.head !== undefined)
    throw refuse('--head needs --base: whose rules judge it?');
  if (options.base === undefined && options.rerun === true)
    throw refuse("--rerun needs --base: the base's test command is what is run.");
}
