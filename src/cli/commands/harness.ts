import type { Command } from 'commander';
import { CAPABILITIES, CAPABILITY_IDS } from '../../domain/capabilities/catalogue.ts';
import { activeProfiles, loadLock, LOCK, lockDifferences, lockedProfileOf } from '../../domain/capabilities/lock.ts';
import { declarationOf, loadProfile } from '../../domain/capabilities/profile.ts';
import type { Support } from '../../domain/capabilities/profile.ts';
import { resolve } from '../../domain/capabilities/resolution.ts';
import type { Compatibility, Resolution } from '../../domain/capabilities/resolution.ts';
import { loadContract } from '../../domain/contracts/contract-store.ts';
import { initProfile, writeLock } from '../../workspace/harnesses.ts';
import { openProject } from '../../workspace/workspace.ts';
import { answer, collect, group, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { styled, table } from '../terminal.ts';
import type { Style, Terminal } from '../terminal.ts';

const SUPPORT_STYLE = { supported: 'green', unsupported: 'red', unknown: 'yellow' } as const satisfies Record<
  Support,
  Style
>;
const STATUS_STYLE = { compatible: 'green', incompatible: 'red', unresolved: 'yellow' } as const satisfies Record<
  Compatibility,
  Style
>;

interface ResolveOptions extends CommonOptions {
  readonly run: string;
  readonly locked?: boolean;
  readonly require?: readonly string[];
  readonly requireCompatible?: boolean;
}

/** `harness list|show|init|lock|resolve` */
export function addHarnessCommands(program: Command, session: Session): void {
  const harness = group(program, 'harness', 'harness profiles: what an agent program declares it can do');
  leaf(harness, 'list', 'list the harnesses and where their profiles come from', ['harness list']).action(
    (options: CommonOptions) => {
      const profiles = activeProfiles(openProject(rootOf(session, options)));
      const data = profiles.map(({ id, source, profile_digest }) => ({ id, source, profile_digest }));
      answer(session, options, data, () =>
        table(
          session.terminal,
          ['harness', 'source', 'digest'],
          profiles.map(({ id, source, profile_digest }) => [id, source, profile_digest.slice(0, 12)]),
        ),
      );
    },
  );

  leaf(harness, 'show <harness>', 'print the profile in force of a harness', [
    'harness show codex',
    'harness show codex --json',
  ]).action((id: string, options: CommonOptions) => {
    const active = loadProfile(openProject(rootOf(session, options)), id);
    answer(session, options, active, () => {
      const rows = CAPABILITY_IDS.map((capability) => {
        const { status, reason } = declarationOf(active.profile, capability);
        return [capability, CAPABILITIES[capability].category, { text: status, style: SUPPORT_STYLE[status] }, reason];
      });
      return `${active.id}  (${active.source}, ${active.profile_digest})\n\n${table(session.terminal, ['capability', 'category', 'status', 'reason'], rows)}`;
    });
  });

  leaf(
    harness,
    'init <harness>',
    'write a profile to edit: a copy of the built-in one, or a template; never overwrites',
    ['harness init codex', 'harness init my-agent'],
  ).action((id: string, options: CommonOptions) => {
    const written = initProfile(rootOf(session, options), id);
    answer(session, options, written, () => {
      const next = written.template
        ? 'It declares nothing yet: state what the harness can do, and how you know.'
        : 'It is a copy of the built-in profile.';
      // A digest that no longer fits would refuse the edit; it is optional, and the lock holds its own.
      return `Wrote ${written.path}. ${next}\nNext: edit it, delete its line "content_digest" (with the comma before it), then countersign harness lock\n`;
    });
  });

  leaf(harness, 'lock', 'write all profiles in force into the lock, which verdicts resolve against', [
    'harness lock',
    'harness lock --check',
  ])
    .option('--check', 'write nothing; exit 1 where the lock is stale')
    .action((options: CommonOptions & { readonly check?: boolean }) => {
      const root = rootOf(session, options);
      if (options.check === true) return checkLock(session, options, root);
      const lock = writeLock(root);
      answer(
        session,
        options,
        lock,
        () => `Wrote ${LOCK}: ${lock.profiles.length} profiles, digest ${lock.content_digest}.\nNext: commit it.\n`,
      );
    });

  leaf(harness, 'resolve', "resolve a run's requirements against what its harness declares", [
    'harness resolve --run demo-r1-run-001 --locked',
    'harness resolve --run demo-r1-run-001 --locked --require-compatible',
  ])
    .requiredOption('--run <run>', 'run whose contract is resolved')
    .option('--locked', 'against the lock instead of the live profile')
    .option('--require <capability>', 'require a capability on top (repeatable)', collect)
    .option('--require-compatible', 'exit 1 (RAPID1110) unless compatible')
    .action((options: ResolveOptions) => {
      const project = openProject(rootOf(session, options));
      const { contract } = loadContract(project, options.run);
      const profile =
        options.locked === true
          ? lockedProfileOf(loadLock(project), contract.harness)
          : loadProfile(project, contract.harness);
      const resolution = resolve(contract, profile, options.require);
      answer(session, options, resolution, () => resolutionText(session.terminal, resolution));
      if (options.requireCompatible === true && resolution.status !== 'compatible') {
        session.terminal.err(
          `RAPID1110 Run '${options.run}' is ${resolution.status} with harness '${contract.harness}'.\n`,
        );
        session.exit = 1;
      }
    });
}

function checkLock(session: Session, options: CommonOptions, root: string): void {
  const project = openProject(root);
  const differences = lockDifferences(loadLock(project), activeProfiles(project));
  const fresh = differences.length === 0;
  answer(session, options, { fresh, differences }, () =>
    fresh
      ? `${LOCK} is fresh.\n`
      : table(
          session.terminal,
          ['harness', 'change since the lock'],
          differences.map(({ harness, change }) => [harness, change]),
        ),
  );
  if (fresh) return;
  if (options.json !== true)
    session.terminal.err(`RAPID1112 ${LOCK} is stale. Write it anew with: countersign harness lock\n`);
  session.exit = 1;
}

/** A resolution as text. */
export function resolutionText(terminal: Terminal, resolution: Resolution): string {
  const statusOf = (id: string): { text: string; style: Style } => {
    if (resolution.missing.some((one) => one === id)) return { text: 'unsupported', style: 'red' };
    return resolution.unknown.some((one) => one === id)
      ? { text: 'unknown', style: 'yellow' }
      : { text: 'supported', style: 'green' };
  };
  const rows = resolution.requirements.map(({ capability_id, source }) => [
    capability_id,
    source,
    statusOf(capability_id),
  ]);
  const head = `${styled(terminal, STATUS_STYLE[resolution.status], resolution.status)}: harness '${resolution.harness_id}' (${resolution.profile_source})`;
  const reasons = resolution.reasons.map((reason) => `  ${reason}\n`).join('');
  return `${head}\n\n${table(terminal, ['required', 'by', 'declared'], rows)}\n${reasons}`;
}
