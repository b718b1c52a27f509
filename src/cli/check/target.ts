import { isCapabilityId } from '../../domain/capabilities/catalogue.ts';
import { gateOf, taskOf } from '../../domain/contracts/contract.ts';
import { currentState, loadRun } from '../../domain/contracts/ledger.ts';
import type { Run } from '../../domain/contracts/ledger.ts';
import { runIds } from '../../domain/contracts/run-record.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Project } from '../../domain/project.ts';

/** What evidence of a check is about; what is not given has a default that depends on run and result. */
export interface Links {
  readonly task?: readonly string[];
  readonly gate?: readonly string[];
  readonly capability?: readonly string[];
}

/**
 * The run that a check records evidence for: the one named, else the only one that is active or prepared.
 * @throws Refusal CS1306 where there is none of them, or several; the refusals of a run that cannot be read
 */
export function runOfCheck(project: Project, named: string | undefined): Run {
  if (named !== undefined) return loadRun(project, named);
  const open = runIds(project)
    .map((id) => loadRun(project, id))
    .filter((run) => ['active', 'prepared'].includes(currentState(run).status));
  const [run, ...others] = open;
  if (run === undefined) {
    throw new Refusal('CS1306', 'No run is active or prepared.', {
      remedy: 'Create a run with `countersign run create`, or name another one with `--run`.',
    });
  }
  if (others.length === 0) return run;
  const names = open.map((one) => `${one.contract.run_id} (${currentState(one).status})`);
  throw new Refusal('CS1306', `Several runs are active or prepared: ${names.join(', ')}.`);
}

/** Refuses links to what the run does not have, before anything is run. @throws Refusal RAPID1207 */
export function checkLinks({ contract }: Run, { task = [], gate = [], capability = [] }: Links): void {
  for (const id of task) taskOf(contract, id, 'RAPID1207');
  for (const id of gate) gateOf(contract, id, 'RAPID1207');
  for (const id of capability)
    if (!isCapabilityId(id)) throw new Refusal('RAPID1207', `'${id}' is no known capability.`);
}

/**
 * Gates and capabilities that a result shows where none are named. Before the work begins tests are the baseline, while
 * it goes on they are the tests of the change. What ran no test shows no gate.
 */
export function defaultLinks(run: Run, kind: 'test_result' | 'command_result'): Required<Omit<Links, 'task'>> {
  const capability = [kind === 'test_result' ? 'tests.execute' : 'shell.execute'];
  if (kind === 'command_result') return { gate: [], capability };
  const phase = { prepared: 'gate.baseline', active: 'gate.tests' } as const;
  const { status } = currentState(run);
  const fitting = status === 'prepared' || status === 'active' ? phase[status] : undefined;
  return { gate: run.contract.gates.flatMap(({ id }) => (id === fitting ? [id] : [])), capability };
}
