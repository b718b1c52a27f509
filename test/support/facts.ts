import { factsSchema } from '../../src/gate/facts.ts';
import type { Facts, Person, ReviewFacts, SnapshotEntry, WorkflowRun } from '../../src/gate/facts.ts';
import type { Governed } from './governed.ts';

export const BASE = 'b'.repeat(40);
export const HEAD = 'a'.repeat(40);
export const OLDER = 'c'.repeat(40);
export const WORKFLOW = '.github/workflows/ci.yml';

/** A config that names the tests, as a governed repository has it at its base. */
export const CONFIG_TEXT = `evidence:
  tests:
    workflows:
      - path: ${WORKFLOW}
        jobs: [test]
`;

export const AGENT = { name: 'Coding Agent', email: 'agent@example.com', login: 'coder', id: 1, type: 'user' } as const;
export const REVIEWER: Person = { id: 2, login: 'ana', type: 'user', permission: 'write', teams: [] };

/** Which entries of a governed project stand at the base: the rules, and nothing of the run. */
export function isRule(path: string): boolean {
  return !['runs/', 'evidence/', 'evals/', 'specs/'].some((folder) => path.startsWith(`.rapid-os/${folder}`));
}

export interface FactsOptions {
  readonly profile?: 'local' | 'github';
  readonly config?: string | null;
  readonly base?: (entries: SnapshotEntry[]) => SnapshotEntry[];
  readonly head?: (entries: SnapshotEntry[]) => SnapshotEntry[];
  readonly edit?: (facts: Facts) => Facts;
}

/** Facts of a pull request that brings a governed project's run and changes `src/app.ts`. */
export function factsOf(governed: Governed, options: FactsOptions = {}): Facts {
  const entries = governed.entries();
  const config = options.config === undefined ? CONFIG_TEXT : options.config;
  const rules = entries.filter(({ path }) => isRule(path));
  const configEntry: SnapshotEntry[] =
    config === null ? [] : [{ path: '.github/countersign.yml', mode: '100644', text: config }];
  const base = (options.base ?? same)([...rules, ...configEntry]);
  const head = (options.head ?? same)([...entries, ...configEntry]);
  const brought = entries.filter(({ path }) => !isRule(path));
  const facts = factsSchema.parse({
    schema_version: 1,
    engine: 'test',
    profile: options.profile ?? 'github',
    now: '2026-12-01T12:00:00Z',
    subject: {
      kind: options.profile === 'local' ? 'branch' : 'pull-request',
      repository: 'acme/app',
      number: 7,
      title: 'Add the demo',
      body: '',
      author: AGENT,
      base: { ref: 'main', sha: BASE },
      head: { ref: 'feature', sha: HEAD },
      merge_base: BASE,
    },
    commits: [
      {
        sha: HEAD,
        parents: [BASE],
        author: AGENT,
        committer: AGENT,
        message: 'Add the demo\n',
        ledger_changes: brought.map(({ path }) => ({ status: 'added', path })),
      },
    ],
    files: [
      { status: 'modified', path: 'src/app.ts', mode: '100644', old_mode: '100644' },
      ...brought.map(({ path }) => ({ status: 'added', path, mode: '100644', old_mode: '000000' })),
    ],
    base: { covers: [''], entries: base },
    head: { covers: [''], entries: head },
    workflow_runs: [testRun()],
    reviews: [],
    decisions: [],
    people: [REVIEWER],
    last_pusher: AGENT,
  });
  return (options.edit ?? ((one) => one))(facts);
}

function same<T>(value: T): T {
  return value;
}

/** A run of the test workflow at the head. */
export function testRun(
  changes: Partial<WorkflowRun> & { readonly job?: Partial<WorkflowRun['jobs'][number]> } = {},
): WorkflowRun {
  const { job, ...rest } = changes;
  return {
    id: 11,
    attempt: 1,
    path: WORKFLOW,
    event: 'pull_request',
    head_sha: HEAD,
    status: 'completed',
    conclusion: 'success',
    jobs: [{ id: 21, name: 'test', status: 'completed', conclusion: 'success', ...job }],
    ...rest,
  };
}

/** A review at the head by the reviewer. */
export function review(changes: Partial<ReviewFacts> = {}): ReviewFacts {
  return {
    id: 31,
    user_id: REVIEWER.id,
    login: REVIEWER.login,
    state: 'approved',
    commit_sha: HEAD,
    submitted_at: '2026-12-01T11:00:00Z',
    ...changes,
  };
}

/** A decision at the head by the reviewer. */
export function decision(
  kind: Facts['decisions'][number]['kind'],
  changes: Partial<Facts['decisions'][number]> = {},
): Facts['decisions'][number] {
  return {
    kind,
    user_id: REVIEWER.id,
    login: REVIEWER.login,
    at: '2026-12-01T11:00:00Z',
    head_sha: HEAD,
    subject: '',
    reason: 'Looked at it',
    source: 'github:comment:41',
    edited: false,
    ...changes,
  };
}
