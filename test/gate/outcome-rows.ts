import type { Facts, SnapshotEntry } from '../../src/gate/facts.ts';
import { MAX_RUNS } from '../../src/gate/governing.ts';
import { PATHS } from '../support/documents.ts';
import { CONFIG_TEXT, decision, HEAD, OLDER, review, testRun } from '../support/facts.ts';
import type { GovernedOptions } from '../support/governed.ts';
import { forged } from './forge.ts';
import { both, changed, dropEntry, editEntry, project, setEntry, withFacts, withFiles } from './support.ts';
import type { Case } from './support.ts';

// The table of docs/reference/outcomes.md as pull requests: each would be verified but for the one fault.

export type Fault =
  'absent' | 'unreadable' | 'malformed' | 'unreachable' | 'stale' | 'empty' | 'timed out' | 'over limit';
type Row = Partial<Record<Fault, readonly Case[]>>;

const RUN = project().runId;
const HIGH: GovernedOptions = { risk: 'high' };
const CONFIG = '.github/countersign.yml';
const RECORD = `.rapid-os/runs/${RUN}/run.json`;
const CONTRACT = `.rapid-os/runs/${RUN}/contract.json`;
const STATE = `.rapid-os/runs/${RUN}/states/0002.json`;
const CONTEXT = `.rapid-os/runs/${RUN}/context.md`;
const EVIDENCE = `.rapid-os/evidence/${RUN}/records/E001.json`;
const ARTIFACT = `.rapid-os/evidence/${RUN}/artifacts/E001/out/test.log`;
const REPORT = `.rapid-os/evals/${RUN}/reports/0001.json`;
const REVISION = '.rapid-os/specs/demo/revisions/0001/revision.json';

const unread = (what: string, why: string): Case => ({ edit: withFacts({ unread: [{ what, why }] }) });
/** What a source says of anything that it cannot get. */
const asking = (what: string): Row => ({
  unreachable: [unread(what, 'HTTP 502'), unread(what, 'HTTP 403')],
  'timed out': [unread(what, 'no answer in 30 s')],
});
const listing = (what: string): Row => ({
  ...asking(what),
  unreadable: [unread(what, 'no JSON')],
  'over limit': [unread(what, 'more than 3000')],
});

/** A document at the base or the head: the faults that all of them share. */
function document(path: string, side: 'base' | 'head'): Row {
  const at = (edit: (entries: SnapshotEntry[]) => SnapshotEntry[]): Case =>
    side === 'base' ? { base: edit } : { head: edit };
  const put = (entry: Omit<SnapshotEntry, 'path'>): Case => at(setEntry({ path, ...entry }));
  return {
    ...asking(path),
    absent: [at((entries) => entries.filter((entry) => entry.path !== path))],
    unreadable: [put({ mode: '120000' }), put({ mode: '100644', base64: '/w==' }), put({ mode: '100644' })],
    malformed: [put({ mode: '100644', text: '{' }), put({ mode: '100644', text: '[1]' })],
    empty: [put({ mode: '100644', text: '' })],
    'over limit': [put({ mode: '100644', size: 9_000_000, sha256: 'f'.repeat(64) })],
  };
}

const organisation = (organisation_config: Facts['organisation_config']): Case => ({
  edit: withFacts({ organisation_config }),
});
const noOrganisation = (why: string): Case => organisation({ state: 'unreadable', why, source: 'acme/.github' });
const runs = (...given: Parameters<typeof testRun>[0][]): Case => ({
  edit: withFacts({ workflow_runs: given.map(testRun) }),
});
const reviewed = (...given: Parameters<typeof review>[0][]): Case => ({
  project: HIGH,
  edit: withFacts({ reviews: given.map(review) }),
});
const approved = (edit: (given: Facts) => Facts): Case => ({
  project: HIGH,
  edit: both(withFacts({ reviews: [review()] }), edit),
});
const known = (changes: object): Case =>
  approved((given) => ({ ...given, people: given.people.map((one) => ({ ...one, ...changes })) }));
const decided = (...given: Parameters<typeof decision>[1][]): Case => ({
  config: `${CONFIG_TEXT}scope: { enforce: off }`,
  edit: both(withFiles(changed('AGENTS.md')), withFacts({ decisions: given.map((one) => decision('approve', one)) })),
});
const rerun = (given: NonNullable<Facts['rerun']>): Case => ({ edit: withFacts({ rerun: given }) });
const counted = (changes: Partial<Facts['subject']>, more: Partial<Facts> = {}): Case => ({
  edit: (given) => ({ ...given, ...more, subject: { ...given.subject, ...changes } }),
});
const profileFile = (text: string): Case => ({ base: setEntry({ path: PATHS.profile, mode: '100644', text }) });
const otherProfile =
  project({ unknown: ['mcp.invoke'] })
    .entries()
    .find(({ path }) => path === PATHS.profile)?.text ?? '';

export const ROWS: Readonly<Record<string, Row>> = {
  config: {
    ...document(CONFIG, 'base'),
    malformed: [{ config: 'a: [' }, { config: 'moed: warn' }],
    empty: [{ config: '' }, { config: '# nothing' }],
  },
  "organisation's config": {
    absent: [organisation({ state: 'absent' })],
    unreadable: [noOrganisation('it is a link')],
    malformed: [organisation({ state: 'read', text: 'x: [', source: 'acme/.github' })],
    unreachable: [noOrganisation('HTTP 404 of a file that is named'), noOrganisation('HTTP 502')],
    empty: [organisation({ state: 'read', text: '', source: 'acme/.github' })],
    'timed out': [noOrganisation('no answer in 30 s')],
    'over limit': [noOrganisation('larger than 8 MiB')],
  },
  lock: { ...document(PATHS.lock, 'base'), stale: [profileFile(otherProfile)] },
  'profile at the base': { ...document(PATHS.profile, 'base'), stale: [profileFile(otherProfile)] },
  policy: {
    ...document(PATHS.policy, 'base'),
    stale: [
      { base: setEntry({ path: PATHS.policy, mode: '100644', text: '{"schema_version":1,"waivable_gate_ids":[]}' }) },
    ],
  },
  spec: {
    ...document(REVISION, 'head'),
    absent: [{ head: dropEntry('.rapid-os/specs') }],
    stale: [
      {
        head: (entries) => {
          const other = project({ tasks: ['Another'] })
            .entries()
            .filter(({ path }) => path.includes('/specs/'));
          return [...entries.filter(({ path }) => !path.includes('/specs/')), ...other];
        },
      },
    ],
  },
  'run record': {
    ...document(RECORD, 'head'),
    absent: [{ head: dropEntry(`.rapid-os/runs/${RUN}`) }],
    stale: [{ head: editEntry(RECORD, '"current_state_revision": 8', '"current_state_revision": 7') }],
  },
  contract: {
    ...document(CONTRACT, 'head'),
    stale: [
      {
        project: { until: 'created' },
        head: () =>
          forged((contract) => {
            contract.policy_digest = 'f'.repeat(64);
          }),
      },
    ],
  },
  states: {
    ...document(STATE, 'head'),
    stale: [
      {
        head: (entries) =>
          setEntry({
            path: STATE,
            mode: '100644',
            text: entries.find(({ path }) => path.endsWith('states/0001.json'))?.text ?? '',
          })(entries),
      },
    ],
  },
  context: {
    ...document(CONTEXT, 'head'),
    malformed: [
      { head: setEntry({ path: CONTEXT.replace('context.md', 'context-manifest.json'), mode: '100644', text: '{' }) },
    ],
    stale: [
      {
        head: (entries) =>
          setEntry({
            path: CONTEXT,
            mode: '100644',
            text: `${entries.find(({ path }) => path === CONTEXT)?.text ?? ''}More.\n`,
          })(entries),
      },
    ],
  },
  'evidence record': {
    ...document(EVIDENCE, 'head'),
    absent: [{ head: dropEntry(`.rapid-os/evidence/${RUN}`) }],
    stale: [
      {
        head: setEntry(
          project({ tasks: ['Another'] })
            .entries()
            .find(({ path }) => path === EVIDENCE) ?? { path: EVIDENCE, mode: '160000' },
        ),
      },
    ],
  },
  artifact: {
    ...asking(ARTIFACT),
    absent: [{ head: dropEntry(ARTIFACT) }],
    unreadable: [
      { head: setEntry({ path: ARTIFACT, mode: '120000' }) },
      { head: setEntry({ path: ARTIFACT, mode: '100644' }) },
    ],
    stale: [
      { head: setEntry({ path: ARTIFACT, mode: '100644', text: '11 passed\n' }) },
      { head: setEntry({ path: ARTIFACT, mode: '100644', size: 10, sha256: 'f'.repeat(64) }) },
    ],
    empty: [{ head: setEntry({ path: ARTIFACT, mode: '100644', text: '' }) }],
  },
  report: document(REPORT, 'head'),
  'workflow runs': {
    ...listing('Workflow runs'),
    absent: [runs()],
    stale: [runs({ head_sha: OLDER })],
    empty: [runs({ jobs: [], status: 'queued', conclusion: null })],
  },
  jobs: {
    ...listing('Jobs of run 11'),
    absent: [runs({ job: { name: 'build' } })],
    stale: [runs({}, { attempt: 2, job: { conclusion: 'failure' } })],
    empty: [runs({ jobs: [] })],
    'timed out': [runs({ conclusion: 'timed_out', job: { conclusion: 'timed_out' } })],
  },
  reviews: {
    ...listing('Reviews'),
    absent: [reviewed()],
    stale: [reviewed({ commit_sha: OLDER })],
    empty: [reviewed({ state: 'commented' }), reviewed({ state: 'pending' })],
  },
  people: {
    ...listing('Permissions'),
    absent: [approved(withFacts({ people: [] }))],
    stale: [known({ permission: 'read' })],
    empty: [known({ permission: 'none' })],
  },
  'last pusher': {
    ...asking('Who pushed last'),
    absent: [approved(({ last_pusher: _gone, ...given }) => given)],
    unreadable: [unread('Who pushed last', 'no such account')],
    stale: [approved(withFacts({ last_pusher: { name: '', email: '', type: 'user', id: 2, login: 'ana' } }))],
  },
  decisions: {
    ...listing('Comments'),
    absent: [decided()],
    malformed: [decided({ edited: true })],
    stale: [decided({ head_sha: OLDER }), decided({ until: '2026-11-30' })],
    empty: [decided({ head_sha: null })],
  },
  commits: {
    ...listing('Commits'),
    absent: [counted({ commit_count: 1 }, { commits: [] })],
    empty: [counted({ commit_count: 2 })],
    'over limit': [counted({ commit_count: 251 }), unread('Commits', 'more than 250')],
  },
  'changed files': {
    ...listing('Changed files'),
    absent: [counted({ file_count: 1 }, { files: [], named_runs: [RUN] })],
    malformed: [{ edit: withFiles(changed('../x')) }],
    empty: [counted({ file_count: 0 }, { files: [], named_runs: [RUN] })],
    'over limit': [counted({ file_count: 3001 }), unread('Changed files', 'more than 3000')],
  },
  'run of the tests again': {
    absent: [{}],
    unreadable: [rerun({ ran: false, why: 'the config at the base has no test command' })],
    unreachable: [rerun({ ran: false, why: 'the set-up ended with 1' })],
    stale: [rerun({ ran: true, command: ['npm', 'test'], exit_code: 0, head_sha: OLDER })],
    'timed out': [rerun({ ran: false, why: 'it took longer than 600 s' })],
    'over limit': [rerun({ ran: false, why: 'it wrote more than 16 MiB' })],
  },
  'governing runs': {
    malformed: [{ edit: withFacts({ named_runs: ['Not a run'] }) }],
    stale: [
      {
        base: (entries) => [
          ...entries,
          ...project()
            .entries()
            .filter(({ path }) => path.includes('/runs/')),
        ],
      },
    ],
    'over limit': [
      { edit: withFacts({ named_runs: Array.from({ length: MAX_RUNS + 1 }, (_, index) => `r${index}`) }) },
    ],
  },
};

/** Pull requests without any fault, from which the rows are made. */
export const FAULTLESS: readonly Case[] = [
  {},
  reviewed({}),
  known({}),
  decided({}),
  rerun({ ran: true, command: ['npm', 'test'], exit_code: 0, head_sha: HEAD }),
];
