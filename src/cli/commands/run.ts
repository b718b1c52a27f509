import type { Command } from 'commander';
import { builtinProfile, loadProjectProfile } from '../../domain/capabilities/profile.ts';
import { currentState, loadRun } from '../../domain/contracts/ledger.ts';
import type { Run } from '../../domain/contracts/ledger.ts';
import { runIds } from '../../domain/contracts/run-record.ts';
import type { RunState } from '../../domain/contracts/state.ts';
import { changeGate, changeStatus, changeTask, RUN_TRANSITIONS } from '../../domain/contracts/transitions.ts';
import { Refusal } from '../../domain/errors.ts';
import { visible } from '../../render/visible.ts';
import { appendState, createRun } from '../../workspace/runs.ts';
import { openProject } from '../../workspace/workspace.ts';
import { answer, group, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { styled, table } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';
import { revisionOption } from './spec.ts';

interface CreateOptions extends CommonOptions {
  readonly spec?: string;
  readonly harness: string;
  readonly specRevision?: number;
  readonly runId?: string;
  readonly classification?: string;
  readonly risk?: string;
}

interface ReasonOptions extends CommonOptions {
  readonly reason?: string;
}

/** `run create|list|show|status|task|gate` */
export function addRunCommands(program: Command, session: Session): void {
  const run = group(program, 'run', 'runs: a contract, and a ledger of what became of it');
  leaf(run, 'create [spec]', 'create a run of a ready spec: contract, context snapshot and first state', [
    'run create --spec login-fix --harness codex',
    'run create login-fix --harness codex --risk high',
  ])
    .option('--spec <spec>', 'the spec, where it is not the argument')
    .requiredOption('--harness <harness>', 'harness that will do the work')
    .option('--spec-revision <number>', 'another revision than the current one', revisionOption)
    .option('--run-id <id>', 'id of the run (default: <spec>-r<revision>-run-<number>)')
    .option('--classification <class>', 'ask for more than the policy demands: spike, bounded or architectural')
    .option('--risk <risk>', 'ask for more than the policy demands: low, medium, high or critical')
    .action((argument: string | undefined, options: CreateOptions) => {
      const specId = argument ?? options.spec;
      if (specId === undefined)
        throw new Refusal('CS1301', 'Name the spec: countersign run create <spec> --harness <harness>.');
      const { harness, runId, specRevision, classification, risk } = options;
      const root = rootOf(session, options);
      const created = createRun(root, {
        specId,
        harness,
        ...(specRevision === undefined ? {} : { specRevision }),
        ...(runId === undefined ? {} : { runId }),
        ...(classification === undefined ? {} : { classification }),
        ...(risk === undefined ? {} : { risk }),
      });
      answer(session, options, { record: created.record, contract: created.contract }, () =>
        runText(session.terminal, created),
      );
      const own = created.contract.harness;
      if (builtinProfile(own) !== undefined || loadProjectProfile(openProject(root), own) !== undefined) return;
      session.terminal.err(
        `Harness '${own}' has no profile, so that this run stays unresolved. Next: countersign harness init ${own}\n`,
      );
    });

  leaf(run, 'list', 'list the runs', ['run list']).action((options: CommonOptions) => {
    const project = openProject(rootOf(session, options));
    const runs = runIds(project).map((id) => loadRun(project, id));
    const data = runs.map((one) => ({ ...one.record, status: currentState(one).status }));
    const rows = runs.map((one) => [
      one.record.id,
      one.contract.harness,
      one.contract.risk,
      currentState(one).status,
      String(one.record.current_state_revision),
    ]);
    answer(
      session,
      options,
      data,
      () => table(session.terminal, ['run', 'harness', 'risk', 'status', 'state'], rows) || 'No runs yet.\n',
    );
  });

  leaf(run, 'show <run>', 'print contract and current state of a run', ['run show login-fix-r1-run-001']).action(
    (id: string, options: CommonOptions) => {
      const loaded = loadRun(openProject(rootOf(session, options)), id);
      answer(session, options, { record: loaded.record, contract: loaded.contract, state: currentState(loaded) }, () =>
        runText(session.terminal, loaded),
      );
    },
  );

  leaf(run, 'status <run> <status>', 'move a run: active, blocked, finished, failed or cancelled', [
    'run status login-fix-r1-run-001 active',
  ])
    .option('--reason <text>', 'why')
    .action((id: string, status: string, options: ReasonOptions) => {
      const state = appendState(rootOf(session, options), id, (_run, before) =>
        changeStatus(before, status, options.reason),
      );
      changed(session, options, state, `Run '${id}' is ${state.status}.`);
    });

  leaf(run, 'task <run> <task> <status>', 'move a task: in_progress, blocked, done or skipped', [
    'run task login-fix-r1-run-001 T001 in_progress',
    'run task login-fix-r1-run-001 T001 done',
  ])
    .option('--reason <text>', 'why')
    .action((id: string, task: string, status: string, options: ReasonOptions) => {
      const state = appendState(rootOf(session, options), id, (loaded, before) =>
        changeTask(loaded.contract, before, task, status, options.reason),
      );
      changed(
        session,
        options,
        state,
        `Task '${visible(task.trim())}' of run '${id}': ${state.change_kind.split('.').at(-1) ?? ''}.`,
      );
    });

  leaf(run, 'gate <run> <gate> <disposition>', 'acknowledge or waive a gate', [
    'run gate login-fix-r1-run-001 gate.baseline acknowledged',
    'run gate login-fix-r1-run-001 gate.tests waived --reason "Only comments changed"',
  ])
    .option('--reason <text>', 'why; a waiver needs one')
    .action((id: string, gate: string, disposition: string, options: ReasonOptions) => {
      const state = appendState(rootOf(session, options), id, (loaded, before) =>
        changeGate(loaded.contract, before, gate, disposition, options.reason),
      );
      changed(
        session,
        options,
        state,
        `Gate '${visible(gate.trim())}' of run '${id}': ${state.change_kind.split('.').at(-1) ?? ''}.`,
      );
    });
}

function changed(session: Session, options: CommonOptions, state: RunState, said: string): void {
  answer(session, options, state, () => `${said} State ${state.revision}, digest ${state.content_digest}.\n`);
}

function runText(terminal: Terminal, run: Run): string {
  const { contract } = run;
  const state = currentState(run);
  const head = [
    `${styled(terminal, 'bold', contract.run_id)}: ${state.status}, state ${state.revision}`,
    `spec '${contract.spec_id}' revision ${contract.spec_revision}, harness '${contract.harness}', class ${contract.classification}, risk ${contract.risk}, workspace ${contract.workspace}`,
    `contract ${contract.contract_digest}`,
  ].join('\n');
  const tasks = table(
    terminal,
    ['task', 'status', 'description'],
    state.tasks.map((task) => [task.id, task.status, task.description]),
  );
  const gates = table(
    terminal,
    ['gate', 'phase', 'disposition', 'waivable'],
    state.gates.map((gate) => [gate.id, gate.phase, gate.disposition, gate.waivable ? 'yes' : 'no']),
  );
  const next = RUN_TRANSITIONS[state.status].join(', ');
  return [
    head,
    '',
    tasks || 'No tasks.\n',
    gates || 'No gates.\n',
    next === '' ? 'The run has ended.\n' : `Possible next statuses: ${next}.\n`,
  ].join('\n');
}
