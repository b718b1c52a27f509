import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MAX_CONFIG_BYTES } from '../../src/config/document.ts';
import { valueAt } from '../../src/config/issues.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { MAX_PROBLEMS, problemText } from '../../src/config/problem.ts';
import type { ConfigProblem } from '../../src/config/problem.ts';
import { DEFAULT_CONFIG, demandsOf } from '../../src/config/schema.ts';
import { DEFAULT_TEST_INPUTS } from '../../src/config/test-inputs.ts';
import { settings, withValue } from './settings.ts';

const FILE = '.github/countersign.yml';
const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'config');

function problemsOf(text: string, layer: 'repository' | 'organisation' = 'repository'): readonly ConfigProblem[] {
  const parsed = parseConfig(text, FILE, layer);
  return parsed.ok ? [] : parsed.problems;
}

function brief({ line, column, key, message, suggestion }: ConfigProblem) {
  return { at: `${line}:${column}`, key, message, ...(suggestion === undefined ? {} : { suggestion }) };
}

describe('the fixtures', () => {
  it.each(readdirSync(FIXTURES))('%s', (name) => {
    const text = readFileSync(join(FIXTURES, name, 'countersign.yml'), 'utf8');
    const expected: unknown = JSON.parse(readFileSync(join(FIXTURES, name, 'expected.json'), 'utf8'));
    const parsed = parseConfig(text, FILE);
    expect(parsed.ok).toBe(name.startsWith('ok.'));
    expect((parsed.ok ? parsed.notes : parsed.problems).map(brief)).toEqual(expected);
  });
});

/** Every key that takes a value, and what holds where it is not written. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  version: 1,
  extends: undefined,
  mode: 'enforce',
  promote: undefined,
  'runs.required': 'agents',
  'runs.exempt.people': [],
  'runs.exempt.paths': [],
  'evidence.tests.workflows': [],
  'evidence.tests.inputs': DEFAULT_TEST_INPUTS,
  'evidence.tests.setup': [],
  'evidence.trust.gate.workspace-isolation': undefined,
  'evidence.trust.gate.baseline': undefined,
  'evidence.trust.gate.manual-approval': undefined,
  'evidence.trust.gate.tests': undefined,
  'evidence.trust.gate.review': undefined,
  'evidence.trust.gate.security-review': undefined,
  'evidence.trust.gate.migration-review': undefined,
  'evidence.trust.gate.final-verification': undefined,
  'evidence.final_verification': 'everything',
  'evidence.reviews.gate.manual-approval': undefined,
  'evidence.reviews.gate.review': undefined,
  'evidence.reviews.gate.security-review': undefined,
  'evidence.reviews.gate.migration-review': undefined,
  'scope.enforce': 'block',
  'scope.allow': [],
  'people.permission': 'write',
  'people.self_approval': 'never',
  'attribution.mode': 'forbid',
  'attribution.disclosure': 'Assisted-by',
  'attribution.identities': [],
  'attribution.trailers': [],
  'attribution.allow_keys': [],
  'attribution.allow': [],
  'attribution.bots': [],
  'secrets.mode': 'block',
  'secrets.files.allow': [],
  'secrets.allow': [],
  'secrets.baseline': '.github/countersign-baseline.json',
  'control_plane.paths': [],
  'control_plane.approvers': undefined,
  comment: 'always',
  publish: 'status',
  context: 'countersign',
};

const ALL = settings().map(({ path }) => ({ name: path.join('.'), path }));

describe('every key', () => {
  it('is in the table of defaults', () => {
    expect(ALL.map(({ name }) => name)).toEqual(Object.keys(DEFAULTS));
  });

  it.each(ALL)('$name has its default', ({ name, path }) => {
    expect(valueAt(DEFAULT_CONFIG, path)).toEqual(DEFAULTS[name]);
  });

  it.each(ALL)('$name refuses a value of another kind, at its place', ({ name, path }) => {
    const [problem, ...rest] = problemsOf(JSON.stringify(withValue(path, 12.5)));
    expect(rest).toEqual([]);
    expect(problem).toMatchObject({ path: FILE, key: name, line: 1 });
    expect(problem?.message).toMatch(/ must be .* not 12\.5/);
    expect(problem?.column).toBe(JSON.stringify(withValue(path, 12.5)).indexOf('12.5') + 1);
  });

  it.each(ALL)('$name is suggested where it is misspelt', ({ path }) => {
    const last = path.at(-1) ?? '';
    const misspelt = `${last.slice(0, 2)}${last.slice(3)}`;
    const problems = problemsOf(JSON.stringify(withValue([...path.slice(0, -1), misspelt], [])));
    expect(problems.map(({ suggestion }) => suggestion)).toEqual([last]);
  });

  it.each(ALL)('$name may be empty, and a note says so', ({ name, path }) => {
    const parsed = parseConfig(JSON.stringify(withValue(path, null)), FILE);
    expect(parsed).toMatchObject({ ok: true, config: DEFAULT_CONFIG });
    expect(parsed.ok && parsed.notes.map(({ key }) => key)).toEqual([name]);
  });
});

describe('no configuration', () => {
  it.each(['', '\n', '# nothing\n', '---\n', '{}', 'null', '\ufeff', '~ # nothing'])('is the default: %j', (text) => {
    expect(parseConfig(text, FILE)).toEqual({ ok: true, config: DEFAULT_CONFIG, written: {}, notes: [] });
  });
});

describe('what is written', () => {
  it('is told apart from what is not', () => {
    const parsed = parseConfig('mode: enforce\nruns:\n  exempt: {paths: [a]}\n', FILE);
    expect(parsed).toMatchObject({ ok: true, written: { mode: 'enforce', runs: { exempt: { paths: ['a'] } } } });
    expect(parsed.ok && parsed.config).toEqual({
      ...DEFAULT_CONFIG,
      runs: { required: 'agents', exempt: { people: [], paths: ['a'] } },
    });
  });

  it('keeps words that other YAML readers take for booleans and dates', () => {
    const parsed = parseConfig('scope: {enforce: off}\nmode: warn\npromote: {to: enforce, on: 2027-01-15}\n', FILE);
    expect(parsed.ok && parsed.written).toEqual({
      scope: { enforce: 'off' },
      mode: 'warn',
      promote: { to: 'enforce', on: '2027-01-15' },
    });
  });

  it('is one demand or several', () => {
    const demand = { teams: ['a'], people: [] };
    expect([undefined, demand, [demand, demand]].map(demandsOf)).toEqual([[], [demand], [demand, demand]]);
  });
});

describe('a file of the organisation', () => {
  it('cannot extend another', () => {
    expect(problemsOf('extends: acme/more\n', 'repository')).toEqual([]);
    expect(problemsOf('extends: acme/more\n', 'organisation').map(brief)).toEqual([
      { at: '1:10', key: 'extends', message: expect.stringContaining('cannot extend another') },
    ]);
  });
});

describe('hostile YAML', () => {
  const lols = ['a: &a [lol]', 'b: &b [*a,*a,*a,*a]', 'c: &c [*b,*b,*b,*b]', 'd: [*c,*c,*c,*c]'].join('\n');
  it.each([
    ['billion laughs', lols, '1:7', /Anchors/],
    ['an alias without its anchor', 'mode: *x', '1:7', /Aliases/],
    ['an anchor at a key', '&k mode: warn', '1:4', /Anchors and tags/],
    ['an alias as a key', '*k : warn', '1:1', /Aliases/],
    ['a tag', 'mode: !!str warn', '1:13', /Tags/],
    ['a tag of its own', '!js mode: warn', '1:5', /tags/],
    ['a merge key', 'runs:\n  <<: {required: always}', '2:3', /Merge keys/],
    ['a directive', '%YAML 1.1\n---\nmode: warn\n', '1:1', /directives/],
    ['two documents', 'mode: enforce\n---\nmode: observe\n', '2:1', /second one/],
    ['two documents, the second empty', 'mode: enforce\n---\n', '2:1', /second one/],
    ['a repeated key', 'mode: enforce\nmode: observe\n', '2:1', /repeated/],
    ['a repeated key in other quotes', 'mode: enforce\n"m\\x6fde": observe\n', '2:1', /repeated/],
    ['a list as a key', '? [a]\n: b\n', '1:3', /single word/],
    ['a tab', 'runs:\n\trequired: always\n', '2:1', /spaces, not tabs/],
    ['NUL', 'mode: "a\0"', '1:9', /U\+0000/],
    ['an escape character', 'mode: a\u001b[31m', '1:8', /U\+001B/],
    ['a change of direction', '# \u202e\nmode: warn', '1:3', /U\+202E/],
    ['a zero-width space', 'mo\u200bde: warn', '1:3', /U\+200B/],
    ['a byte order mark inside', 'mode: warn\n\ufeff', '2:1', /U\+FEFF/],
    ['half a character', 'mode: "\ud83d"', '1:8', /U\+D83D/],
    ['an unclosed list', 'scope: {allow: [', '1:17', /bracket|missing|valid YAML/],
    ['a bare number', '12', '1:1', /must be a map, not 12/],
    ['a reserved name', '{"__proto__": {"mode": "observe"}}', '1:2', /no key "__proto__"/],
    ['the constructor', 'constructor: 1', '1:1', /no key "constructor"/],
    ['a map too deep', `${'{a: '.repeat(21)}1${'}'.repeat(21)}`, undefined, /20 deep/],
    ['a file too long', `#${'x'.repeat(MAX_CONFIG_BYTES)}`, '1:1', /at most 1048576 bytes/],
    ['a file too long in bytes', `#${'é'.repeat(MAX_CONFIG_BYTES / 2)}`, '1:1', /at most 1048576 bytes/],
  ])('%s is refused', (_name, text, at, message) => {
    const [first] = problemsOf(text);
    expect(first?.message).toMatch(message);
    if (at !== undefined) expect(`${first?.line}:${first?.column}`).toBe(at);
  });

  it('accepts CRLF and a byte order mark, and counts lines and columns as without', () => {
    const lines = ['mode: warn', 'runs:', '  requird: always', ''];
    expect(problemsOf(`\ufeff${lines.join('\r\n')}`)).toEqual(problemsOf(lines.join('\n')));
    expect(problemsOf(lines.join('\n')).map(brief)).toMatchObject([{ at: '3:3', suggestion: 'required' }]);
  });

  it('never makes a prototype of a key', () => {
    problemsOf('{"__proto__": {"polluted": true}, "runs": {"__proto__": {"required": "never"}}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  const most = (text: string) => text.repeat(Math.floor((MAX_CONFIG_BYTES - 100) / text.length));
  it.each([
    '[',
    '- ',
    '? ',
    '{a: ',
    '"',
    ',',
    ': ',
    '&a ',
    '! ',
    '*a ',
    '---\n',
    '%a\n',
    '?\n',
    '-\n',
    '- |\n',
    '\n',
    'a\n ',
    '#\n',
  ])('ends on a file full of %j', (text) => {
    const parsed = parseConfig(most(text), FILE);
    expect(parsed.ok || parsed.problems.length).not.toBe(0);
    expect(parsed.ok ? 0 : parsed.problems.length).toBeLessThanOrEqual(MAX_PROBLEMS);
  });

  it('tells at most a hundred problems, shortened', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `${'k'.repeat(100)}${index}: 1\n`).join('');
    const problems = problemsOf(keys);
    expect(problems).toHaveLength(MAX_PROBLEMS);
    expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(400);
  });
});

describe('the text of a problem', () => {
  it('is one line with place and suggestion', () => {
    expect(problemsOf('mdoe: warn\n').map(problemText)).toEqual([
      `${FILE}:1:1: There is no key "mdoe" at the top. Did you mean \`mode\`?`,
    ]);
    expect(problemsOf('- a\n').map(problemText)).toEqual([`${FILE}:1:1: The configuration must be a map, not a list.`]);
  });
});
