import { makeContract, tasksOf } from '../domain/contracts/contract.ts';
import type { Contract } from '../domain/contracts/contract.ts';
import { statePath } from '../domain/contracts/contract-store.ts';
import { decideExecution } from '../domain/contracts/decision.ts';
import type { DecisionRequest } from '../domain/contracts/decision.ts';
import { currentState, loadRun } from '../domain/contracts/ledger.ts';
import type { Run } from '../domain/contracts/ledger.ts';
import { loadPolicy } from '../domain/contracts/policy.ts';
import { CLASSIFICATIONS, riskOf } from '../domain/contracts/risk.ts';
import { runFolder, runIds, RUNS } from '../domain/contracts/run-record.ts';
import type { RunRecord } from '../domain/contracts/run-record.ts';
import { loadRevision, loadSpecRecord } from '../domain/contracts/spec-store.ts';
import type { SpecRevision } from '../domain/contracts/spec.ts';
import { initialState } from '../domain/contracts/state.ts';
import type { RunState } from '../domain/contracts/state.ts';
import { recode, Refusal } from '../domain/errors.ts';
import { wordOf } from '../domain/fields.ts';
import { checkHarnessId, checkRunId, revisionName } from '../domain/identifiers.ts';
import { sha256, writeJson } from '../domain/json/canonical.ts';
import { folderExists } from '../domain/project.ts';
import type { Project } from '../domain/project.ts';
import { applyChange } from './changes.ts';
import { compileContext } from './context.ts';
import { withLock } from './lock.ts';
import { scanProject } from './scan.ts';
import { openProject } from './workspace.ts';

/** What a new run is made of, as a caller gives it. */
export interface RunRequest {
  readonly specId: string;
  readonly harness: string;
  readonly specRevision?: number;
  readonly runId?: string;
  readonly classification?: string;
  readonly risk?: string;
}

/**
 * Creates a run of a ready spec: contract, context snapshot and first state.
 * @throws Refusal RAPID1001 run id, 1002 harness, 1003 spec, 1004 context, 1005, 1006 policy, 1007 run exists
 */
export function createRun(root: string, request: RunRequest): Run {
  return withLock(root, () => {
    const project = openProject(root);
    if (request.runId !== undefined) checkRunId(request.runId, 'RAPID1001');
    const harness = checkHarnessId(request.harness, 'RAPID1002');
    const spec = readySpec(project, request);
    const { source, digest, policy } = loadPolicy(project);
    const decision = decideExecution(spec, policy, readRequest(request));
    const runId = request.runId ?? nextRunId(project, spec);
    const folder = runFolder(runId);
    const taken = (): Refusal => new Refusal('RAPID1007', `Run '${runId}' exists.`, { where: folder });
    if (folderExists(project, RUNS, 'RAPID1008') && project.tree.look(folder).kind !== 'absent') throw taken();
    const model = scanProject(root);
    const context = compileContext(project, spec, harness, model);
    const contract = makeContract({
      run_id: runId,
      spec_id: spec.spec_id,
      spec_revision: spec.revision,
      spec_content_digest: spec.content_digest,
      harness,
      context_digest: sha256(context.text),
      context_manifest_digest: sha256(context.manifest),
      project_model_digest: model.digest,
      policy_source: source,
      policy_digest: digest,
      decision,
      tasks: tasksOf(spec.implementation_tasks),
    });
    const record = recordOf(contract, 1);
    const state = initialState(contract);
    const files = [
      { path: 'context.md', bytes: Buffer.from(context.text) },
      { path: 'context-manifest.json', bytes: Buffer.from(context.manifest) },
      { path: 'contract.json', bytes: Buffer.from(writeJson(contract)) },
      { path: `states/${revisionName(1)}.json`, bytes: Buffer.from(writeJson(state)) },
      { path: 'run.json', bytes: Buffer.from(writeJson(record)) },
    ];
    applyChange(root, [{ step: 'place', path: folder, files, taken }]);
    return { record, contract, states: [state] };
  });
}

function readySpec(project: Project, request: RunRequest): SpecRevision {
  return recode('RAPID1003', 'any', () => {
    const record = loadSpecRecord(project, request.specId);
    if (record.status !== 'ready')
      throw new Refusal('RAPID1003', `Spec '${record.id}' is '${record.status}', not 'ready'.`);
    return loadRevision(project, request.specId, request.specRevision);
  });
}

/** Class and risk as a caller asks for them. @throws Refusal RAPID1005 for an unknown word */
export function readRequest(request: {
  readonly classification?: string;
  readonly risk?: string | number;
}): DecisionRequest {
  const place = { code: 'RAPID1005', file: 'the request', reading: 'compatible' } as const;
  return {
    ...(request.classification === undefined
      ? {}
      : { classification: wordOf(request.classification, 'classification', CLASSIFICATIONS, place) }),
    ...(request.risk === undefined ? {} : { risk: riskOf(request.risk, 'risk', place) }),
  };
}

function nextRunId(project: Project, spec: SpecRevision): string {
  const taken = new Set(runIds(project));
  for (let n = 1; ; n += 1) {
    const suffix = `-r${spec.revision}-run-${String(n).padStart(3, '0')}`;
    const id = spec.spec_id.slice(0, 63 - suffix.length).replace(/-+$/, '') + suffix;
    if (!taken.has(id)) return id;
  }
}

function recordOf(contract: Contract, currentRevision: number): RunRecord {
  return {
    schema_version: 1,
    id: contract.run_id,
    spec_id: contract.spec_id,
    spec_revision: contract.spec_revision,
    contract_digest: contract.contract_digest,
    current_state_revision: currentRevision,
  };
}

/**
 * Appends a state to a run's ledger.
 * @param next makes the next state of the run, or refuses
 * @throws Refusal of `next` and of loading; RAPID1012 where the next state's file exists
 */
export function appendState(root: string, runId: string, next: (run: Run, state: RunState) => RunState): RunState {
  return withLock(root, () => {
    const run = loadRun(openProject(root), runId);
    const state = next(run, currentState(run));
    const path = statePath(runId, state.revision);
    const taken = (): Refusal =>
      new Refusal(
        'RAPID1012',
        `${path} exists, though the run's current state is ${state.revision - 1}; it was not overwritten.`,
        { where: path },
      );
    applyChange(root, [
      { step: 'create', path, text: writeJson(state), taken },
      {
        step: 'replace',
        path: `${runFolder(runId)}/run.json`,
        text: writeJson(recordOf(run.contract, state.revision)),
      },
    ]);
    return state;
  });
}
