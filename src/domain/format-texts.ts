/**
 * Texts that digests of Rapid OS 3.0.0's formats cover. Interoperability dictates every character of them:
 * a changed letter changes digests of documents that exist. The rules that use them live elsewhere.
 */

/** Reasons of the built-in profiles; `<id>` is the harness id. */
export const BUILTIN_REASONS = {
  'context.consume': "Rapid OS natively compiles and renders context for built-in harness '<id>'.",
  'git.inspect': 'Git inspection depends on local harness runtime permissions and environment.',
  'git.modify': 'Git modification depends on local harness runtime permissions and environment.',
  'mcp.invoke': 'MCP tool invocation depends on active runtime MCP configuration.',
  'repository.read': "Built-in harness '<id>' reads repository files where Rapid OS context is injected.",
  'repository.write':
    'Repository write capability depends on active harness session permissions; confirm in a project profile.',
  'shell.execute': 'Shell command execution depends on local sandbox and approval configuration.',
  'subagents.delegate': 'Subagent delegation depends on external harness version and configuration.',
  'tests.execute': 'Automated test execution depends on local shell and test runner availability.',
  'workspace.current': "Built-in harness '<id>' operates within the current repository workspace.",
  'workspace.isolated': 'Isolated workspace or worktree operation depends on external harness configuration.',
} as const;

export const RESOLUTION_TEXTS = {
  undeclared: (capability: string, harness: string): string =>
    `Capability '${capability}' is not declared in harness profile '${harness}'.`,
  unsupported: (capability: string, harness: string, reason: string): string =>
    `${capability}: unsupported by harness '${harness}' (${reason})`,
  unknown: (capability: string, harness: string, reason: string): string =>
    `${capability}: support is unknown for harness '${harness}' (${reason})`,
  compatible: (count: number, harness: string): string =>
    `All ${count} required capabilities are declared supported by harness '${harness}'.`,
} as const;

export const REQUIREMENT_REASONS = {
  context: 'Execution contract requires consuming the compiled context snapshot.',
  repository: 'Execution contract requires reading repository files.',
  tasks: (count: number): string =>
    `Execution contract defines ${count} implementation task(s) requiring repository writes.`,
  workspaceCurrent: 'Execution contract allows operating in the current workspace.',
  workspaceIsolated: 'Execution contract requires an isolated workspace.',
  tests: 'Execution contract requires implementation test verification (gate.tests).',
  extra: (capability: string): string => `Explicitly required capability '${capability}'.`,
} as const;

export const GATE_REASONS = {
  'gate.workspace-isolation': 'High or critical risk work requires an isolated workspace declaration.',
  'gate.baseline': 'Verify repository baseline health before executing changes.',
  'gate.manual-approval': 'Critical risk execution requires explicit pre-execution manual approval.',
  'gate.tests': 'Implementation changes require test verification before completion.',
  'gate.review': 'High or critical risk execution requires architectural/peer review.',
  'gate.security-review': 'Security or authentication changes require dedicated security review.',
  'gate.migration-review': 'Database or schema migration changes require migration review.',
  'gate.final-verification': 'All executions require final contractual verification.',
} as const;

export const SIGNAL_REASONS = {
  'mode.research': "Spec mode is 'research' (spike exploration).",
  'mode.hardening': "Spec mode is 'hardening' (architectural/security scope).",
  'scope.database-migration': 'Database schema or migration scope detected.',
  'scope.infrastructure': 'Infrastructure or deployment scope detected.',
  'scope.security': 'Security-sensitive scope detected.',
  'scope.authentication': 'Authentication or authorization scope detected.',
  'scope.ci': 'CI/CD workflow scope detected.',
  'scope.architecture': 'Explicit architectural tag or path scope detected.',
  'data.impact': 'Spec declares non-empty data impact.',
  'classification.architectural': 'Execution classification is architectural.',
  criticalTags: (tags: string): string => `Critical risk tag(s) present: ${tags}.`,
  highRiskTags: (tags: string): string => `Policy high-risk tag(s) present: ${tags}.`,
  minimumRisk: (risk: string): string => `Project policy enforces minimum risk '${risk}'.`,
  requestedRisk: (risk: string): string => `Explicit user escalation to '${risk}' risk.`,
} as const;

export const STATE_REASONS = {
  prepared: 'Initial run state prepared from execution contract.',
  status: (from: string, to: string): string => `Run status transitioned from '${from}' to '${to}'.`,
  task: (id: string, to: string): string => `Task '${id}' transitioned to '${to}'.`,
  gate: (id: string, to: string): string => `Gate '${id}' marked '${to}'.`,
} as const;

/** Lines of the rendered spec artifacts. */
export const SPEC_TEXTS = {
  notSpecified: '_Not specified._',
  planningNotes: [
    '- Work from `requirements.md` as the source of scope.',
    '- Validate each task against `acceptance.md`.',
    '- Keep implementation changes inside the documented scope.',
  ],
  definitionOfDone: [
    '- [ ] Acceptance criteria reviewed',
    '- [ ] Testing strategy completed or explicitly deferred',
    '- [ ] Implementation matches `requirements.md`',
    '- [ ] Tasks in `tasks.md` are complete or intentionally deferred',
  ],
} as const;

/** Reasons of the assertions of rule set 1. */
export const ASSERTION_REASONS = {
  finished: "Run reached terminal status 'finished'.",
  terminalFailure: (status: string): string => `Run is in terminal failure status '${status}'.`,
  nonTerminal: (status: string): string => `Run is in non-terminal status '${status}'.`,
  taskSkipped: (id: string): string => `Task '${id}' was skipped.`,
  taskWithoutEvidence: (id: string): string => `Task '${id}' is marked done without linked execution evidence.`,
  taskFailing: (id: string, ids: string): string => `Task '${id}' has failing linked execution evidence (${ids}).`,
  taskBacked: (id: string, ids: string): string => `Task '${id}' completion is backed by execution evidence (${ids}).`,
  taskOpen: (id: string, status: string): string => `Task '${id}' is in status '${status}' and not yet completed.`,
  gateWaived: (id: string): string => `Gate '${id}' was explicitly waived.`,
  gatePending: (id: string): string => `Gate '${id}' disposition is 'pending' (not yet acknowledged).`,
  gateFailing: (id: string, ids: string): string => `Gate '${id}' has failing evidence (${ids}).`,
  gateVerified: (id: string, ids: string): string => `Gate '${id}' is acknowledged and verified by evidence (${ids}).`,
  gateUnproven: (id: string): string =>
    `Gate '${id}' is acknowledged in RunState but lacks qualifying verification evidence.`,
  notObservable: (id: string): string => `Capability '${id}' is not objectively observable by Evidence Engine v1.`,
  capabilityFailing: (id: string, source: string, ids: string): string =>
    `Required capability '${id}' (${source}) observed failing evidence (${ids}).`,
  capabilityObserved: (id: string, source: string, ids: string): string =>
    `Required capability '${id}' (${source}) observed in evidence (${ids}).`,
  capabilityUnobserved: (id: string, source: string): string =>
    `Required capability '${id}' (${source}) has no qualifying observation evidence.`,
} as const;

/** Digest of rule set 1, as it stands in every report. */
export const RULESET_DIGEST = '100e9145897e3b868f79b8185f9e4b92261254186ecc128739ece60c4fa253b1';
