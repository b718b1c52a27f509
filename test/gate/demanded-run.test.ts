import { describe, expect, it } from '@jest/globals';
import type { Facts, Identity } from '../../src/gate/facts.ts';
import { worse } from '../../src/gate/outcome.ts';
import type { Outcome } from '../../src/gate/outcome.ts';
import { changed, judge, needs, withFacts } from './support.ts';
import type { Case } from './support.ts';

const PERSON: Identity = { name: 'Ana Writer', email: 'ana@example.com', login: 'ana', id: 2, type: 'user' };
const AGENT: Identity = {
  name: 'Codex',
  email: '199175422+chatgpt-codex-connector[bot]@users.noreply.github.com',
  login: 'chatgpt-codex-connector[bot]',
  id: 199175422,
  type: 'bot',
};
const DEPENDABOT: Identity = {
  name: 'dependabot[bot]',
  email: '49699333+dependabot[bot]@users.noreply.github.com',
  login: 'dependabot[bot]',
  id: 49699333,
  type: 'bot',
};

interface Shown {
  readonly author?: Identity;
  readonly committer?: Identity;
  readonly pusher?: Identity | null;
  readonly opener?: Identity | null;
  readonly message?: string;
  readonly body?: string;
  readonly files?: readonly string[];
  readonly kind?: Facts['subject']['kind'];
}

/** A pull request without a run, by a person unless something else is said. */
function ungoverned(shown: Shown = {}): (given: Facts) => Facts {
  return (given) => {
    const { author: _author, ...subject } = given.subject;
    const { last_pusher: _pusher, ...rest } = given;
    const { author = PERSON, committer = PERSON, pusher = PERSON, opener = PERSON } = shown;
    return {
      ...rest,
      subject: {
        ...subject,
        body: shown.body ?? '',
        kind: shown.kind ?? subject.kind,
        ...(opener === null ? {} : { author: opener }),
      },
      ...(pusher === null ? {} : { last_pusher: pusher }),
      files: (shown.files ?? ['src/a.ts']).map((path) => changed(path)),
      commits: given.commits.map((commit) => ({
        ...commit,
        author,
        committer,
        message: shown.message ?? 'Add a\n',
        ledger_changes: [],
      })),
    };
  };
}

/** The outcome that the run alone leaves; credit to models is found besides, and fails by itself. */
function outcome(text: string | null, shown: Shown = {}, more: Case = {}): string {
  const report = judge({ config: text, ...more, edit: ungoverned(shown) });
  const others = report.needs.filter(({ what }) => !report.findings.some((finding) => finding.message === what));
  return others
    .map((need): Outcome => need.outcome)
    .reduce<Outcome>((worst, one) => worse<Outcome>(worst, one), 'not-governed');
}
const trailer = (key: string, value: string): string => `Add a\n\n${key}: ${value}\n`;

describe('a pull request without a run', () => {
  it.each([
    ['never', {}, 'not-governed'],
    ['never', { opener: AGENT }, 'not-governed'],
    ['agents', {}, 'not-governed'],
    ['agents', { opener: AGENT }, 'unverified'],
    ['agents', { pusher: AGENT }, 'unverified'],
    ['agents', { author: AGENT }, 'unverified'],
    ['agents', { committer: AGENT }, 'unverified'],
    [
      'agents',
      {
        message: trailer(
          ['Co-authored', 'by'].join('-'),
          `${['Cla', 'ude'].join('')} <noreply@${['anthro', 'pic'].join('')}.com>`,
        ),
      },
      'unverified',
    ],
    [
      'agents',
      { body: `Generated with [${['Cla', 'ude'].join('')} Code](https://${['cla', 'ude'].join('')}.ai/code)` },
      'unverified',
    ],
    ['agents', { opener: DEPENDABOT, author: DEPENDABOT, committer: DEPENDABOT, pusher: DEPENDABOT }, 'not-governed'],
    ['always', {}, 'unverified'],
    ['always', { opener: AGENT }, 'unverified'],
    ['always', { opener: null, pusher: null }, 'unverified'],
  ] as [string, Shown, string][])('with runs.required %s and %j is %s', (required, shown, expected) => {
    expect(outcome(`runs: { required: ${required} }`, shown)).toBe(expected);
  });

  it('by an agent that the config knows', () => {
    const config =
      'runs: { required: agents }\nattribution: { identities: [robo-coder, robo@acme.example], trailers: [Robo-Run] }';
    expect(outcome(config, { opener: { ...PERSON, login: 'robo-coder', id: 90 } })).toBe('unverified');
    expect(outcome(config, { author: { ...PERSON, email: 'robo@acme.example' } })).toBe('unverified');
    expect(outcome(config, { message: trailer('Robo-Run', '17') })).toBe('unverified');
  });

  it('shows an agent even where credit to models is not minded', () => {
    expect(outcome('runs: { required: agents }\nattribution: { mode: off }', { opener: AGENT })).toBe('unverified');
    const said = `Generated with [${['Cla', 'ude'].join('')} Code](https://${['cla', 'ude'].join('')}.ai/code)`;
    expect(outcome('runs: { required: agents }\nattribution: { mode: off }', { body: said })).toBe('unverified');
  });

  it('says what shows it', () => {
    expect(
      needs(judge({ config: 'runs: { required: agents }', edit: ungoverned({ pusher: AGENT }) }), 'unverified'),
    ).toBe('The last pusher shows an agent at work, and the pull request names no governed run.');
  });

  it('demands nothing by default where neither lock nor config is there', () => {
    expect(outcome(null, { opener: AGENT }, { base: () => [] })).toBe('not-governed');
    expect(outcome(null, { opener: AGENT })).toBe('unverified'); // there is a lock
    expect(
      outcome('', { opener: AGENT }, { base: (entries) => entries.filter(({ path }) => path.startsWith('.github')) }),
    ).toBe('unverified');
    expect(outcome(null, {})).toBe('not-governed');
  });

  it('is not asked of a working tree', () => {
    expect(outcome('runs: { required: always }', { kind: 'working-tree' })).toBe('not-governed');
  });

  it("is asked by the base's config, whatever the head's says", () => {
    const head = (entries: Facts['head']['entries']): Facts['head']['entries'] =>
      entries.map((entry) =>
        entry.path === '.github/countersign.yml' ? { ...entry, text: 'runs: { required: never }' } : entry,
      );
    expect(outcome('runs: { required: always }', {}, { head })).toBe('unverified');
  });
});

describe('exemptions', () => {
  const people = 'runs: { required: always, exempt: { people: [Ana] } }';
  it.each([
    ['people whose it is alone', {}, 'not-governed'],
    ['not a commit of another author', { author: { ...PERSON, login: 'bo', id: 5 } }, 'unverified'],
    [
      'not a push of another account, whoever the author claims to be',
      { pusher: { ...PERSON, login: 'bo', id: 5 } },
      'unverified',
    ],
    ['not a push of nobody knows whom', { pusher: null }, 'unverified'],
    ['not a pull request of another account', { opener: { ...PERSON, login: 'bo', id: 5 } }, 'unverified'],
    [
      'not an author who only has the name',
      { author: { name: 'ana', email: 'ana@example.com', type: 'user' } },
      'unverified',
    ],
    ['not a login without its id', { author: { ...PERSON, id: undefined } }, 'unverified'],
    [
      'a committer that is the platform',
      { committer: { name: 'GitHub', email: 'noreply@github.com', login: 'web-flow', id: 19864447, type: 'user' } },
      'not-governed',
    ],
  ] as [string, Shown, string][])('are for %s', (_name, shown, expected) => {
    const clean = JSON.parse(JSON.stringify(shown)) as Shown;
    expect(outcome(people, { ...clean, ...(shown.pusher === null ? { pusher: null } : {}) })).toBe(expected);
  });

  const paths = 'runs: { required: always, exempt: { paths: ["docs/**", "*.md"] } }';
  it.each([
    [['docs/a.txt', 'README.md'], 'not-governed'],
    [['docs/a.txt', 'src/a.ts'], 'unverified'],
    [['Docs/a.txt'], 'unverified'],
    [[], 'unverified'],
  ] as const)('are for paths alone: %j', (files, expected) => {
    expect(outcome(paths, { files })).toBe(expected);
  });

  it('are not for a file that was moved into them', () => {
    const moved = (given: Facts): Facts => ({
      ...ungoverned()(given),
      files: [changed('docs/a.ts', { status: 'renamed', old_path: 'src/a.ts' })],
    });
    expect(judge({ config: paths, edit: moved }).outcome).toBe('unverified');
  });

  it('excuse from nothing else', () => {
    const report = judge({
      config: 'runs: { required: always, exempt: { paths: ["**"] } }',
      edit: ungoverned({ files: ['AGENTS.md'] }),
    });
    expect(report.outcome).toBe('pending');
    const run = judge({
      config: 'runs: { required: never }',
      edit: (given) => withFacts({ named_runs: ['x'] })(ungoverned()(given)),
    });
    expect(run.outcome).toBe('unverified');
  });
});
