import type { Command } from 'commander';
import { leaf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';

/** `evaluate` */
export function addEvaluateCommand(program: Command, session: Session): void {
  leaf(program, 'evaluate', 'judge the runs of this project: one verdict', [
    'evaluate',
    'evaluate --run login-fix-r1-run-001',
  ]).action((options: CommonOptions) => {
    session.exit = options.json === true ? 0 : 0;
  });
}
