import type { Command } from 'commander';
import { openProject } from '../../workspace/workspace.ts';
import { EXIT } from '../exit.ts';
import { answer, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import type { Diagnosis, Health } from '../set-up/diagnosis.ts';
import { fileChecks, nodeCheck } from '../set-up/file-checks.ts';
import { gitChecks } from '../set-up/git-checks.ts';
import { table } from '../terminal.ts';
import type { Style, Terminal } from '../terminal.ts';

const STYLES = { ok: 'green', warn: 'yellow', fail: 'red' } as const satisfies Record<Health, Style>;

/** `doctor` */
export function addDoctorCommand(program: Command, session: Session): void {
  leaf(program, 'doctor', 'look at the set-up: git, configuration, lock, workflows, documents', [
    'doctor',
    'doctor --base develop --json',
  ])
    .option('--base <branch>', "branch that pull requests go to (default: origin's default branch, or main)")
    .action(async (options: CommonOptions & { readonly base?: string }) => {
      const root = rootOf(session, options);
      const checks = [
        nodeCheck(process.version),
        ...(await gitChecks(root, options.base)),
        ...fileChecks(openProject(root, 'strict')),
      ];
      const healthy = checks.every(({ health }) => health !== 'fail');
      if (!healthy) session.exit = EXIT.refused.code;
      answer(session, options, { healthy, checks }, () => textOf(session.terminal, checks));
    });
}

function textOf(terminal: Terminal, checks: readonly Diagnosis[]): string {
  const rows = checks.map(({ check, health, detail, remedy }) => [
    { text: health, style: STYLES[health] },
    check,
    remedy === undefined ? detail : `${detail} ${remedy}`,
  ]);
  const count = (health: Health): number => checks.filter((one) => one.health === health).length;
  return `${table(terminal, ['', 'check', 'what'], rows)}${count('ok')} ok, ${count('warn')} warning(s), ${count('fail')} failure(s).\n`;
}
