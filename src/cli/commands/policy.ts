import type { Command } from 'commander';
import { loadPolicy } from '../../domain/contracts/policy.ts';
import { initPolicy } from '../../workspace/policies.ts';
import { openProject } from '../../workspace/workspace.ts';
import { answer, group, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { table } from '../terminal.ts';

/** `policy show|init` */
export function addPolicyCommands(program: Command, session: Session): void {
  const policy = group(program, 'policy', 'execution policy: how careful a run has to be');
  leaf(policy, 'show', 'print the policy in force', ['policy show', 'policy show --json']).action(
    (options: CommonOptions) => {
      const active = loadPolicy(openProject(rootOf(session, options)));
      answer(session, options, active, () => {
        const rows = Object.entries(active.policy).map(([key, value]) => [key, shown(value)]);
        return `source ${active.source}, digest ${active.digest}\n\n${table(session.terminal, ['field', 'value'], rows)}`;
      });
    },
  );
  leaf(policy, 'init', 'write the built-in policy as a file to tighten; never overwrites', ['policy init']).action(
    (options: CommonOptions) => {
      const written = initPolicy(rootOf(session, options));
      answer(session, options, written, () => `Wrote ${written.path}. It may only be made stricter.\n`);
    },
  );
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, item]) => `${key}: ${String(item)}`)
      .join(', ');
  return String(value);
}
