import { sha256 } from '../../src/domain/json/canonical.ts';
import { CONSEQUENCES } from '../../src/gate/outcome.ts';
import { sealReport } from '../../src/gate/report.ts';
import type { GateFinding, GateReport } from '../../src/gate/report.ts';

export type ReportBody = Omit<GateReport, 'report_digest'>;
export type ReportRun = GateReport['runs'][number];
export type ReportAssertion = ReportRun['assertions'][number];
export type ReportNeed = GateReport['needs'][number];

/** A sealed report: no run, nothing found, with what a test wants to be otherwise. */
export function report(changes: Partial<ReportBody> = {}): GateReport {
  const outcome = changes.outcome ?? 'not-governed';
  return sealReport({
    schema_version: 1,
    engine: 'countersign 0.1.0',
    profile: 'github',
    evaluated_at: '2026-04-01T12:00:00Z',
    subject: {
      kind: 'pull-request',
      repository: 'acme/shop',
      number: 7,
      base_ref: 'main',
      base_sha: 'b'.repeat(40),
      head_ref: 'rapid/login-r1-run-001',
      head_sha: 'a'.repeat(40),
      merge_base: 'c'.repeat(40),
    },
    config_digest: sha256('config'),
    mode: 'enforce',
    outcome,
    word: CONSEQUENCES[outcome].word,
    headline: 'No governed run',
    trust: { best: 'declared', declared: 0, total: 0 },
    needs: [],
    runs: [],
    findings: [],
    control_plane: { situation: 'untouched', approved_by: [] },
    notes: [],
    ...changes,
  });
}

/** A required assertion that ledger evidence satisfies. */
export function assertion(
  category: ReportAssertion['category'],
  subject: string,
  changes: Partial<ReportAssertion> = {},
): ReportAssertion {
  return {
    id: `${category}.${subject}`,
    category,
    subject,
    required: true,
    standing: 'satisfied',
    trust: 'declared',
    reason: 'Passing evidence names it.',
    evidence: ['E001'],
    ...changes,
  };
}

/** A run in which everything that it demands is satisfied by its ledger. */
export function run(changes: Partial<ReportRun> = {}): ReportRun {
  return {
    run_id: 'login-r1-run-001',
    named_by: ['branch', 'changed files'],
    harness: 'codex',
    classification: 'standard',
    risk: 'high',
    contract_digest: sha256('contract'),
    resolution: { status: 'compatible', reasons: ["All 4 requirements are declared by harness 'codex'."] },
    report: { verdict: 'pass' },
    assertions: [
      assertion('lifecycle', 'run.lifecycle', { reason: 'The run is finished.', evidence: [] }),
      assertion('task', 'T001', { evidence: ['E001', 'E002'] }),
      assertion('gate', 'gate.tests', { evidence: ['E003'] }),
      assertion('gate', 'gate.review', { evidence: ['E004'] }),
      assertion('capability', 'repository.write', { evidence: ['E001'] }),
    ],
    excuses: [],
    ...changes,
  };
}

/** A finding with an id of its own. */
export function finding(changes: Partial<GateFinding> = {}): GateFinding {
  const body = {
    rule: 'scope/outside',
    severity: 'warn',
    place: { at: 'file', path: 'src/billing.ts' },
    message: 'src/billing.ts lies outside the affected paths: src/login/**.',
    remedy:
      'Revert the change, or revise the spec (`countersign spec revise <spec> --path <path>`) and create a run of the new revision.',
    ...changes,
  } satisfies Omit<GateFinding, 'id'>;
  return { id: sha256(JSON.stringify(body)).slice(0, 12), ...body };
}
