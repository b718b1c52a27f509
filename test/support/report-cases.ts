import type { GateReport } from '../../src/gate/report.ts';
import { assertion, finding, report, run } from './reports.ts';

const platform = {
  tests: assertion('gate', 'gate.tests', {
    trust: 'platform',
    reason: '2 job(s) of .github/workflows/ci.yml succeeded at this head.',
    evidence: ['E003', 'github:run:4711/1/test', 'github:run:4711/1/lint'],
  }),
  review: assertion('gate', 'gate.review', {
    trust: 'platform',
    reason: 'Approved at this head by maria.',
    evidence: ['E004', 'github:review:99'],
  }),
} as const;

const basics = [
  assertion('lifecycle', 'run.lifecycle', { reason: 'The run is finished.', evidence: [] }),
  assertion('task', 'T001', { evidence: ['E001', 'E002'] }),
] as const;

const awaitedReview = 'gate.review awaits an approving review at this head by a member of acme/reviewers.';
const config = `Name the workflow and its jobs in .github/countersign.yml on the base branch:
    evidence:
      tests:
        workflows:
          - path: .github/workflows/ci.yml
            jobs: [test]`;
const tamper = finding({
  rule: 'ledger/rewritten',
  severity: 'block',
  place: { at: 'commit', sha: 'd'.repeat(40), part: 'message' },
  message: 'Commit dddddddddddd rewrites .rapid-os/evidence/login-r1-run-001/records/E002.json (modified).',
  remedy: 'Restore the file as it was committed first, and add what is new as a new state, record or report.',
});
const contradiction =
  "Passing evidence names it. Job 'test' of .github/workflows/ci.yml ended with failure. They contradict each other.";

/** Reports as they come up, one for each outcome and trust profile; files of that name show how they look. */
export const REPORT_CASES: Readonly<Record<string, GateReport>> = {
  'verified-local': report({
    profile: 'local',
    subject: { ...report().subject, kind: 'branch', repository: null, number: null },
    outcome: 'verified',
    word: 'VERIFIED',
    headline: 'VERIFIED (declared evidence only)',
    trust: { best: 'declared', declared: 5, total: 5 },
    runs: [run()],
  }),
  'verified-platform': report({
    outcome: 'verified',
    word: 'VERIFIED',
    headline: 'VERIFIED (platform; 2 of 5 assertions declared; with confirmed waivers)',
    trust: { best: 'platform', declared: 2, total: 5 },
    runs: [
      run({
        assertions: [
          ...basics,
          platform.tests,
          platform.review,
          assertion('gate', 'gate.baseline', {
            standing: 'waived',
            reason: 'Waived: the base has no tests.',
            evidence: [],
          }),
          assertion('capability', 'network.access', { required: false, standing: 'not-applicable', evidence: [] }),
        ],
        excuses: [
          {
            kind: 'waiver',
            subject: 'gate.baseline',
            reason: "Gate 'gate.baseline' is waived: the base has no tests",
            confirmed_by: 'maria',
          },
        ],
      }),
    ],
    findings: [
      finding({
        rule: 'control-plane/edited',
        place: { at: 'file', path: '.github/workflows/ci.yml' },
        message: '.github/workflows/ci.yml (workflow) is modified.',
        remedy:
          'Have a permitted person review the change of these files and approve it at this head (an approving review, or the comment `/countersign approve`).',
      }),
    ],
    control_plane: { situation: 'governed', approved_by: ['maria'] },
  }),
  'pending-person': report({
    outcome: 'pending',
    word: 'UNVERIFIED',
    headline: `UNVERIFIED, waiting: ${awaitedReview}`,
    trust: { best: 'platform', declared: 2, total: 3 },
    needs: [
      {
        outcome: 'pending',
        what: awaitedReview,
        who: 'person',
        how: 'An approving review by a member of acme/reviewers.',
        run: 'login-r1-run-001',
      },
      {
        outcome: 'pending',
        what: "Task 'T002' is skipped: not needed after all. Nobody has confirmed it.",
        who: 'person',
        how: 'A permitted person confirms it at this head: /countersign confirm skip <reason>',
        run: 'login-r1-run-001',
      },
      {
        outcome: 'pending',
        what: "Job 'e2e' of .github/workflows/ci.yml is in_progress.",
        who: 'platform',
        how: 'Wait for the job to end; the verdict is brought up to date then.',
        run: 'login-r1-run-001',
      },
    ],
    runs: [
      run({
        assertions: [
          ...basics,
          assertion('gate', 'gate.tests', {
            standing: 'pending',
            trust: 'platform',
            reason: "Job 'e2e' of .github/workflows/ci.yml is in_progress.",
            evidence: ['github:run:4711/1/e2e'],
          }),
          assertion('gate', 'gate.review', { standing: 'pending', reason: awaitedReview, evidence: [] }),
        ],
        excuses: [
          { kind: 'skip', subject: 'T002', reason: "Task 'T002' is skipped: not needed after all", confirmed_by: null },
        ],
      }),
    ],
  }),
  'unverified-many': report({
    mode: 'warn',
    outcome: 'unverified',
    word: 'UNVERIFIED',
    headline: "UNVERIFIED: Harness 'codex' is not in the base's lock.",
    needs: [
      {
        outcome: 'unverified',
        what: "Harness 'codex' is not in the base's lock.",
        who: 'maintainer',
        how: 'Write its profile and the lock on the base branch: countersign harness init codex, then countersign harness lock',
        run: 'login-r1-run-001',
      },
      {
        outcome: 'unverified',
        what: 'The config names no workflow that runs the tests.',
        who: 'maintainer',
        how: config,
        run: 'login-r1-run-001',
      },
      ...['T003', 'T004', 'T005', 'T006', 'T007', 'T008', 'T009'].map((task) => ({
        outcome: 'unverified' as const,
        what: `Task '${task}' is done, but no passing evidence names it.`,
        who: 'agent' as const,
        how: 'Add evidence that names the task: `countersign evidence add login-r1-run-001 --help` lists the kinds.',
        run: 'login-r1-run-001',
      })),
      {
        outcome: 'pending',
        what: 'The pull request changes files that govern the gate: AGENTS.md.',
        who: 'person',
        how: 'A permitted person reviews these files and approves them at this head: an approving review, or /countersign approve',
      },
    ],
    runs: [
      run({
        resolution: null,
        assertions: [
          ...basics,
          ...['T003', 'T004', 'T005', 'T006', 'T007', 'T008', 'T009'].map((task) =>
            assertion('task', task, { standing: 'unverified', reason: 'No passing evidence names it.', evidence: [] }),
          ),
          assertion('gate', 'gate.tests', {
            standing: 'unverified',
            reason: 'The config names no workflow that runs the tests.',
            evidence: [],
          }),
        ],
      }),
    ],
    findings: [
      finding(),
      finding({
        place: { at: 'file', path: 'src/tax.ts' },
        message: 'src/tax.ts lies outside the affected paths: src/login/**.',
      }),
    ],
    control_plane: { situation: 'governed', approved_by: [] },
    notes: ['mode: the organisation demands warn or stricter'],
  }),
  failed: report({
    outcome: 'failed',
    word: 'UNVERIFIED',
    headline: `UNVERIFIED (failed): ${contradiction}`,
    trust: { best: 'declared', declared: 2, total: 2 },
    needs: [
      {
        outcome: 'failed',
        what: contradiction,
        who: 'agent',
        how: 'Mend what the failing evidence shows; the record itself stays.',
        run: 'login-r1-run-001',
      },
      { outcome: 'failed', what: tamper.message, who: 'agent', how: tamper.remedy },
    ],
    runs: [
      run({
        assertions: [
          ...basics,
          assertion('gate', 'gate.tests', {
            standing: 'failed',
            trust: 'platform',
            reason: contradiction,
            evidence: ['E003', 'github:run:4711/1/test'],
          }),
        ],
      }),
      run({ run_id: 'search-r1-run-002', assertions: [...basics, platform.tests, platform.review] }),
    ],
    findings: [
      tamper,
      finding({
        rule: 'scope/undeclared',
        severity: 'note',
        place: { at: 'run', runId: 'search-r1-run-002' },
        message: "The spec of run 'search-r1-run-002' declares no affected paths.",
        remedy: 'Declare the affected paths in the next revision of the spec.',
      }),
    ],
  }),
  incomplete: report({
    outcome: 'incomplete',
    word: 'UNVERIFIED',
    headline: 'UNVERIFIED (incomplete): Only 3000 of 3412 changed files were seen.',
    needs: [
      {
        outcome: 'incomplete',
        what: 'Only 3000 of 3412 changed files were seen.',
        who: 'operator',
        how: 'Judge it again; if it stays, see docs/limitations.md for the limits.',
      },
    ],
    runs: [
      run({
        harness: null,
        classification: null,
        risk: null,
        contract_digest: null,
        resolution: null,
        report: null,
        assertions: [],
      }),
    ],
  }),
  'not-governed': report({
    findings: [
      finding({
        rule: 'control-plane/ungoverned',
        severity: 'note',
        place: { at: 'file', path: 'AGENTS.md' },
        message: 'AGENTS.md (instructions) is modified.',
        remedy: 'Nothing has to be done. To have such changes approved, set up the gate with `countersign init`.',
      }),
    ],
    control_plane: { situation: 'ungoverned', approved_by: [] },
  }),
};
