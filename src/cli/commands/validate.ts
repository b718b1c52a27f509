import type { Command } from 'commander';
import { Refusal } from '../../domain/errors.ts';
import { RAPID_OS } from '../../domain/project.ts';
import { validateDocuments } from '../../domain/validation.ts';
import { openProject } from '../../workspace/workspace.ts';
import { answer, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { table } from '../terminal.ts';

/** `validate [--strict]` */
export function addValidateCommand(program: Command, session: Session): void {
  leaf(program, 'validate', `check every document under ${RAPID_OS}`, ['validate', 'validate --strict --json'])
    .option('--strict', 'read as the verdict does, and take warnings for errors')
    .action((options: CommonOptions & { readonly strict?: boolean }) => {
      const project = openProject(rootOf(session, options), options.strict === true ? 'strict' : 'compatible');
      if (project.tree.look(RAPID_OS).kind === 'absent')
        throw new Refusal('CS1302', `There is no ${RAPID_OS} here.`, { where: RAPID_OS });
      const { checked, faults } = validateDocuments(project);
      const errors = faults.filter(({ severity }) => severity === 'error').length;
      const sound = options.strict === true ? faults.length === 0 : errors === 0;
      answer(session, options, { sound, checked, faults }, () => {
        const rows = faults.map(({ severity, code, where, message }) => [
          { text: severity, style: severity === 'error' ? ('red' as const) : ('yellow' as const) },
          code,
          where,
          message,
        ]);
        const counted = `${checked.profiles} profile(s), ${checked.specs} spec(s), ${checked.runs} run(s) checked: ${errors} error(s), ${faults.length - errors} warning(s).\n`;
        return table(session.terminal, ['severity', 'code', 'where', 'what'], rows) + counted;
      });
      if (!sound) session.exit = 1;
    });
}
