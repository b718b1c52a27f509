import type { Config } from '../config/schema.ts';
import type { Run } from '../domain/contracts/ledger.ts';
import { currentState } from '../domain/contracts/ledger.ts';
import type { SpecRevision } from '../domain/contracts/spec.ts';
import type { GateAssertion } from './observation.ts';
import type { DecisionFacts, Facts } from './facts.ts';
import type { Need } from './outcome.ts';
import { decisionsFor, notCounted, reasonsAgainst } from './people.ts';

/** Something that a run excused itself from, and who agreed, if anyone. */
export interface SelfService {
  readonly kind: 'waiver' | 'skip';
  readonly subject: string;
  readonly reason: string;
  readonly confirmedBy: string | undefined;
  readonly need: Need | undefined;
}

/**
 * What a run excused itself from: waived gates, skipped tasks, a contract without tasks or in mode research on
 * a pull request that changes more than `.rapid-os`. Each counts once a permitted person confirms it at this head.
 */
export function selfServices(
  facts: Facts,
  config: Config,
  run: Run,
  spec: SpecRevision | undefined,
  assertions: readonly GateAssertion[],
): SelfService[] {
  const state = currentState(run);
  const runId = run.contract.run_id;
  const waived = assertions.filter((one) => one.category === 'gate' && one.standing === 'waived');
  const services = [
    ...waived.map(({ subject }) => {
      const reason = state.gates.find((gate) => gate.id === subject)?.reason ?? '';
      return service(facts, config, 'waiver', runId, subject, `Gate '${subject}' is waived: ${reason}`);
    }),
    ...state.tasks
      .filter((task) => task.status === 'skipped')
      .map((task) =>
        service(
          facts,
          config,
          'skip',
          runId,
          task.id,
          `Task '${task.id}' is skipped${task.reason === '' ? ' without a reason' : `: ${task.reason}`}`,
        ),
      ),
  ];
  if (!facts.files.some((file) => isWork(file.path) || (file.old_path !== undefined && isWork(file.old_path))))
    return services;
  if (run.contract.tasks.length === 0) {
    services.push(
      service(
        facts,
        config,
        'skip',
        runId,
        'tasks',
        'The contract has no tasks, and the pull request changes files outside .rapid-os',
      ),
    );
  }
  // The contract's reasons are its own word; the spec's mode is what it was made from.
  if (spec?.mode === 'research' || run.contract.decision.reasons.includes('mode.research')) {
    services.push(
      service(
        facts,
        config,
        'skip',
        runId,
        'research',
        'The contract is in mode research, and the pull request changes files outside .rapid-os',
      ),
    );
  }
  return services;
}

function isWork(path: string): boolean {
  return !path.startsWith('.rapid-os/');
}

function service(
  facts: Facts,
  config: Config,
  kind: SelfService['kind'],
  run: string,
  subject: string,
  reason: string,
): SelfService {
  const wanted: DecisionFacts['kind'] = kind === 'waiver' ? 'confirm-waiver' : 'confirm-skip';
  const about = (decision: DecisionFacts): boolean =>
    decision.subject === '' || decision.subject === subject || decision.subject === run;
  const decisions = decisionsFor(facts, config, wanted, about);
  const confirmed = decisions.find((one) => one.standing.counts);
  if (confirmed !== undefined) return { kind, subject, reason, confirmedBy: confirmed.decision.login, need: undefined };
  const need: Need = {
    outcome: 'pending',
    what: `${reason}. Nobody has confirmed it.${notCounted(reasonsAgainst(decisions))}`,
    who: 'person',
    how: `A permitted person confirms it at this head: \`/countersign confirm ${kind} <reason>\``,
    run,
  };
  return { kind, subject, reason, confirmedBy: undefined, need };
}
