import type { Contract } from '../domain/contracts/contract.ts';
import type { GateKind } from '../domain/contracts/gates.ts';
import type { RunState } from '../domain/contracts/state.ts';
import { RUN_TRANSITIONS } from '../domain/contracts/transitions.ts';
import type { Assertion } from '../domain/evaluation/assertion.ts';
import type { EvidenceRecord } from '../domain/evidence/record.ts';
import { ASSERTION_REASONS } from '../domain/format-texts.ts';
import { unqualified } from './unqualified.ts';

/** What is left to do where a run cannot be mended: it governs every branch that holds it, whatever run stands beside it. */
export const START_OVER =
  'No branch that holds this run will be verified: carry the change over to a new branch from the base, without this run, and create a new run there.';

/**
 * What to do about an assertion that the ledger alone does not satisfy; commands stand on lines of their own,
 * indented by four spaces.
 * @param kind of the gate, where the assertion is about one
 * @param contract of the run: whoever adds evidence names the harness that it is bound to
 * @param state the run's current one: only commands that it allows are named
 * @param naming records that name the gate, of which none counts for it
 */
export function ledgerRemedy(
  { category, subject_id: id, status, reason }: Assertion,
  kind: GateKind | undefined,
  { run_id: run, harness }: Pick<Contract, 'run_id' | 'harness'>,
  state: Pick<RunState, 'status' | 'tasks'>,
  naming: readonly EvidenceRecord[] = [],
): string {
  // A review is a person's: the harness that did the work does not vouch for it.
  const add = ([proof, payload]: Proof, links: string): string =>
    `countersign evidence add ${run} --kind ${proof} --producer ${proof === 'review' ? 'user' : `harness:${harness}`} --summary '…' --payload '${payload}'${links === '' ? '' : ` ${links}`}`;
  if (status === 'fail')
    return category === 'lifecycle' ? START_OVER : `Mend what the failing evidence shows. ${START_OVER}`;
  switch (category) {
    case 'lifecycle':
      return `Carry the run to its end:${commands(RUN_STEPS[state.status], (to) => `run status ${run} ${to}`)}`;
    case 'task': {
      if (reason === ASSERTION_REASONS.taskWithoutEvidence(id)) {
        return `Add evidence that names it, such as:\n    ${add(['file_change', '{"paths":[…]}'], `--task ${id}`)}`;
      }
      if (isOver(state)) return OVER;
      const from = state.tasks.find((task) => task.id === id)?.status ?? 'pending';
      return `Do it, and keep the ledger:${commands(TASK_STEPS[from], (to) => `run task ${run} ${id} ${to}`)}`;
    }
    case 'gate': {
      if (reason === ASSERTION_REASONS.gatePending(id))
        return isOver(state) ? OVER : `Address it, then:\n    countersign run gate ${run} ${id} acknowledged`;
      const gate = kind ?? 'implementation_tests';
      const not = unqualified(gate, naming);
      const links = `--gate ${id}${NEEDS_ARTIFACT.has(gate) ? ' --artifact <log>' : ''}`;
      return `${not === '' ? '' : `${not} `}Add evidence for it:\n    ${add(PROOF_OF_GATE[gate], links)}`;
    }
    case 'capability': {
      const proof = Object.entries(PROOF_OF_CAPABILITY).find(([capability]) => capability === id)?.[1];
      return proof === undefined
        ? `Add evidence that shows it was used; the kinds are listed by: countersign evidence add --help`
        : `Add evidence that shows it was used:\n    ${add(proof, '')}`;
    }
  }
}

const OVER = `The run has ended, and takes no more of it. ${START_OVER}`;

const isOver = ({ status }: Pick<RunState, 'status'>): boolean => RUN_TRANSITIONS[status].length === 0;

/** By where a run stands, the way to its end. */
const RUN_STEPS: Readonly<Record<RunState['status'], readonly string[]>> = {
  prepared: ['active', 'finished'],
  blocked: ['active', 'finished'],
  active: ['finished'],
  finished: [],
  failed: [],
  cancelled: [],
};
/** By where a task stands, the way to done. */
const TASK_STEPS: Readonly<Record<RunState['tasks'][number]['status'], readonly string[]>> = {
  pending: ['in_progress', 'done'],
  blocked: ['in_progress', 'done'],
  in_progress: ['done'],
  done: [],
  skipped: [],
};

const commands = (steps: readonly string[], command: (to: string) => string): string =>
  steps.map((to) => `\n    countersign ${command(to)}`).join('');

// `…` bare is no JSON: a command that is run as it stands is refused, instead of recording for good what nobody saw.
type Proof = readonly [kind: string, payload: string];

const TESTS: Proof = ['test_result', '{"suite":…,"exit_code":…,"passed":…,"failed":…,"skipped":…}'];
const review = (type: string): Proof => ['review', `{"review_type":"${type}","outcome":"approved","reviewer":…}`];

const PROOF_OF_GATE = {
  implementation_tests: TESTS,
  baseline_check: TESTS,
  workspace_isolation: ['workspace', '{"mode":"isolated"}'],
  peer_review: review('peer'),
  security_review: review('security'),
  migration_review: review('migration'),
  manual_approval: review('manual'),
  final_verification: review('final'),
} as const satisfies Record<GateKind, Proof>;

/** Gates whose results count only with a log. */
const NEEDS_ARTIFACT: ReadonlySet<string> = new Set<GateKind>(['implementation_tests', 'baseline_check']);

const PROOF_OF_CAPABILITY: Readonly<Record<string, Proof>> = {
  'repository.write': ['file_change', '{"paths":[…]}'],
  'tests.execute': TESTS,
  'shell.execute': ['command_result', '{"label":…,"exit_code":…}'],
  'workspace.current': ['workspace', '{"mode":"current"}'],
  'workspace.isolated': ['workspace', '{"mode":"isolated"}'],
  'git.inspect': ['git_result', '{"operation":"inspect"}'],
  'git.modify': ['git_result', '{"operation":"modify"}'],
  'mcp.invoke': ['tool_invocation', '{"tool_id":…,"outcome":"success"}'],
  'subagents.delegate': ['delegation', '{"target":…,"outcome":"success"}'],
};
