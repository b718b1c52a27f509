import { lockedProfileOf, loadLock } from '../../src/domain/capabilities/lock.ts';
import { loadProfile } from '../../src/domain/capabilities/profile.ts';
import { resolve } from '../../src/domain/capabilities/resolution.ts';
import { loadContract } from '../../src/domain/contracts/contract-store.ts';
import { decideExecution } from '../../src/domain/contracts/decision.ts';
import { currentState, loadRun, stateAt } from '../../src/domain/contracts/ledger.ts';
import { loadPolicy } from '../../src/domain/contracts/policy.ts';
import { loadRevision } from '../../src/domain/contracts/spec-store.ts';
import { changeGate, changeStatus, changeTask } from '../../src/domain/contracts/transitions.ts';
import { evaluateRun, loadEvaluated, loadReports, pickReport } from '../../src/domain/evaluation/report-store.ts';
import { evidenceSetDigest, verifyEvidence } from '../../src/domain/evidence/evidence-set.ts';
import type { JsonNode } from '../../src/domain/json/node.ts';
import { addEvidence } from '../../src/workspace/evidence.ts';
import { initProfile, writeLock } from '../../src/workspace/harnesses.ts';
import { writeReport } from '../../src/workspace/reports.ts';
import { appendState, createRun, readRequest } from '../../src/workspace/runs.ts';
import { openProject } from '../../src/workspace/workspace.ts';
import type { Vector } from './vector.ts';

/** Carries out a vector's operation in a folder. @returns what the operation answers, as plain data */
export function perform(root: string, vector: Vector): unknown {
  const { args } = vector;
  const project = openProject(root, 'compatible');
  const runId = vector.runId ?? '';
  switch (vector.op) {
    case 'profile-load': {
      const active = loadProfile(project, text(args.get('harness')));
      const { capabilities, content_digest } = active.profile;
      return { ...active, content_digest, capabilities };
    }
    case 'profile-init':
      return { path: initProfile(root, text(args.get('harness'))).path };
    case 'lock-load':
      return loadLock(project);
    case 'lock-write':
      return writeLock(root);
    case 'resolve': {
      const { contract } = loadContract(project, runId);
      return resolve(contract, loadProfile(project, contract.harness), vector.require);
    }
    case 'resolve-locked': {
      const { contract } = loadContract(project, runId);
      return resolve(contract, lockedProfileOf(loadLock(project), contract.harness), vector.require);
    }
    case 'contract-load':
      return loadContract(project, runId).contract;
    case 'state-load': {
      const run = loadRun(project, runId);
      const revision = args.get('revision');
      return revision === undefined ? currentState(run) : stateAt(project, run, Number(revision));
    }
    case 'gate':
      return appendState(root, runId, (run, state) =>
        changeGate(
          run.contract,
          state,
          text(args.get('gate')),
          text(args.get('disposition')),
          optional(args.get('reason')),
        ),
      );
    case 'task':
      return appendState(root, runId, (run, state) =>
        changeTask(run.contract, state, text(args.get('task')), text(args.get('status')), optional(args.get('reason'))),
      );
    case 'status':
      return appendState(root, runId, (_run, state) =>
        changeStatus(state, text(args.get('status')), optional(args.get('reason'))),
      );
    case 'evidence-list':
      return verifyEvidence(project, runId).records;
    case 'evidence-verify': {
      const { records, orphans } = verifyEvidence(project, runId);
      return {
        records: records.map(({ id, content_digest }) => ({ id, content_digest })),
        evidence_set_digest: evidenceSetDigest(runId, records),
        orphan_artifact_dirs: orphans,
      };
    }
    case 'evidence-add': {
      const baseDir = optional(args.get('base_dir'));
      const base = baseDir === undefined ? {} : { baseDir };
      const file = args.get('file');
      if (file !== undefined) return addEvidence(root, runId, { from: 'file', file: text(file), ...base });
      return addEvidence(root, runId, { from: 'object', node: args.get('evidence') ?? null, ...base });
    }
    case 'eval':
      return evaluateRun(loadEvaluated(project, runId), vector.require);
    case 'eval-write':
      return writeReport(root, runId, vector.require, revisionArg(args.get('revision'))).report;
    case 'eval-show': {
      const verified = loadReports(project, runId);
      const { report } = pickReport(verified, revisionArg(args.get('revision')));
      const entries = verified.reports.map(({ revision, file, report: one, stale }) => ({
        revision,
        file,
        report_digest: one.report_digest,
        verdict: one.verdict,
        stale,
      }));
      return { report, entries };
    }
    case 'policy-load':
      return loadPolicy(project);
    case 'policy-decide': {
      const specRevision = args.get('spec_revision');
      const spec = loadRevision(
        project,
        text(args.get('spec_id')),
        specRevision === undefined ? undefined : Number(specRevision),
      );
      const { source, digest, policy } = loadPolicy(project);
      const decision = decideExecution(spec, policy, readRequest(request(vector)));
      return { spec_content_digest: spec.content_digest, policy_source: source, policy_digest: digest, decision };
    }
    case 'run-create': {
      const specRevision = args.get('spec_revision');
      const run = optional(args.get('run_id'));
      return createRun(root, {
        specId: text(args.get('spec_id')),
        harness: text(args.get('harness')),
        ...(specRevision === undefined ? {} : { specRevision: Number(specRevision) }),
        ...(run === undefined ? {} : { runId: run }),
        ...request(vector),
      }).record;
    }
    default:
      throw new TypeError(`unknown operation ${vector.op}`);
  }
}

function request({ args }: Vector): { classification?: string; risk?: string } {
  const classification = optional(args.get('classification'));
  const risk = optional(args.get('risk'));
  return { ...(classification === undefined ? {} : { classification }), ...(risk === undefined ? {} : { risk }) };
}

function text(node: JsonNode | undefined): string {
  return typeof node === 'string' || typeof node === 'number' || typeof node === 'bigint' ? String(node) : '';
}

function optional(node: JsonNode | undefined): string | undefined {
  return node === undefined || node === null ? undefined : text(node);
}

function revisionArg(node: JsonNode | undefined): string | number | bigint | undefined {
  return typeof node === 'string' || typeof node === 'number' || typeof node === 'bigint' ? node : undefined;
}
