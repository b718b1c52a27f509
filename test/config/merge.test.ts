import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { valueAt } from '../../src/config/issues.ts';
import { tighteningOf } from '../../src/config/layering.ts';
import { mergeConfig } from '../../src/config/merge.ts';
import { effectiveMode } from '../../src/config/mode.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { configSchema, DEFAULT_CONFIG } from '../../src/config/schema.ts';
import type { WrittenConfig } from '../../src/config/schema.ts';
import { MODES } from '../../src/config/words.ts';
import { settings, withValue } from './settings.ts';

function written(value: Record<string, unknown>): WrittenConfig {
  const parsed = parseConfig(JSON.stringify(value), 'f');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.written;
}

const ADA = { teams: [], people: ['ada'] };
const JOBS = { path: '.github/workflows/ci.yml', jobs: ['test'] };
const ALLOWED = { rule: 'secrets/jwt', paths: ['test/'], reason: 'made for tests' };

/** A key, what the organisation and the repository write, what holds, and whether the repository is told. */
const ROWS: readonly (readonly [string, unknown, unknown, unknown, boolean])[] = [
  ['version', 1, 1, 1, false],
  ['extends', undefined, 'acme/.github', 'acme/.github', false],
  ['mode', 'warn', 'enforce', 'enforce', false],
  ['mode', 'enforce', 'observe', 'enforce', true],
  ['runs.required', 'agents', 'always', 'always', false],
  ['runs.required', 'agents', 'never', 'agents', true],
  ['runs.exempt.people', ['ada', 'bob'], ['bob'], ['bob'], false],
  ['runs.exempt.people', ['ada'], ['bob'], [], true],
  ['runs.exempt.paths', [], ['docs/'], [], true],
  ['evidence.tests.workflows', [JOBS], [{ ...JOBS, jobs: ['lint'] }], [JOBS, { ...JOBS, jobs: ['lint'] }], false],
  ['evidence.tests.workflows', [JOBS], [], [JOBS], false],
  ['evidence.tests.inputs', ['a'], ['b', 'a'], ['a', 'b'], false],
  ['evidence.tests.setup', [['npm', 'ci']], [['true']], [['npm', 'ci']], true],
  ['evidence.trust.gate.workspace-isolation', 'declared', 'declared', 'declared', false],
  ['evidence.trust.gate.baseline', 'declared', 'reexecuted', 'reexecuted', false],
  ['evidence.trust.gate.manual-approval', 'platform', 'declared', 'platform', true],
  ['evidence.trust.gate.tests', 'reexecuted', 'platform', 'reexecuted', true],
  ['evidence.trust.gate.review', 'declared', 'platform', 'platform', false],
  ['evidence.trust.gate.security-review', 'platform', 'declared', 'platform', true],
  ['evidence.trust.gate.migration-review', 'platform', 'declared', 'platform', true],
  ['evidence.trust.gate.final-verification', 'declared', 'platform', 'platform', false],
  ['evidence.final_verification', 'everything', 'review', 'review', false],
  ['evidence.final_verification', 'review', 'everything', 'review', true],
  ['evidence.reviews.gate.manual-approval', ADA, ADA, [ADA], false],
  ['evidence.reviews.gate.review', ADA, { teams: ['core'] }, [ADA, { teams: ['core'] }], false],
  ['evidence.reviews.gate.security-review', [ADA], [ADA], [ADA], false],
  ['evidence.reviews.gate.migration-review', undefined, ADA, ADA, false],
  ['scope.enforce', 'warn', 'block', 'block', false],
  ['scope.enforce', 'block', 'off', 'block', true],
  ['scope.allow', ['a', 'b'], ['b', 'c'], ['b'], true],
  ['people.permission', 'maintain', 'admin', 'admin', false],
  ['people.permission', 'maintain', 'write', 'maintain', true],
  ['people.self_approval', 'admins', 'never', 'never', false],
  ['people.self_approval', 'never', 'admins', 'never', true],
  ['attribution.mode', 'forbid', 'forbid-mention', 'forbid-mention', false],
  ['attribution.mode', 'forbid', 'off', 'forbid', true],
  ['attribution.mode', 'off', 'require-disclosure', 'require-disclosure', false],
  // Neither is stricter than the other: the organisation's stands.
  ['attribution.mode', 'forbid', 'require-disclosure', 'forbid', true],
  ['attribution.mode', 'require-disclosure', 'forbid-mention', 'require-disclosure', true],
  ['attribution.disclosure', 'Assisted-by', 'Helped-by', 'Assisted-by', true],
  ['attribution.identities', ['a'], ['b'], ['a', 'b'], false],
  ['attribution.trailers', ['A'], ['B'], ['A', 'B'], false],
  ['attribution.allow_keys', ['Assisted-by'], ['Assisted-by', 'Helped-by'], ['Assisted-by'], true],
  ['attribution.allow', [], [{ text: 'Claude Shannon', reason: 'a person' }], [], true],
  ['attribution.bots', ['x[bot]'], ['x[bot]'], ['x[bot]'], false],
  ['secrets.mode', 'block', 'warn', 'block', true],
  ['secrets.files.allow', ['a'], ['a'], ['a'], false],
  ['secrets.allow', [ALLOWED], [{ ...ALLOWED, paths: ['**'] }], [], true],
  [
    'secrets.allow',
    [ALLOWED],
    [{ reason: ALLOWED.reason, paths: ALLOWED.paths, rule: ALLOWED.rule }],
    [ALLOWED],
    false,
  ],
  ['secrets.baseline', 'a.json', 'b.json', 'a.json', true],
  ['control_plane.paths', ['a'], ['b'], ['a', 'b'], false],
  ['control_plane.approvers', ADA, { teams: ['core'] }, [ADA, { teams: ['core'] }], false],
  ['comment', 'on-problem', 'always', 'always', false],
  ['comment', 'always', 'never', 'always', true],
  ['publish', 'none', 'check', 'check', false],
  ['publish', 'check', 'status', 'check', true],
  ['publish', 'status', 'none', 'status', true],
  ['context', 'countersign', 'mine', 'countersign', true],
];

const TIGHTENINGS = new Map(settings().map(({ path, schema }) => [path.join('.'), tighteningOf(schema)]));
const PATHS = new Map(settings().map(({ path }) => [path.join('.'), path]));
const layer = (path: readonly string[], value: unknown) => written(value === undefined ? {} : withValue(path, value));

describe('two layers', () => {
  it.each(ROWS)('%s: %j and %j make %j, with a note: %s', (name, above, below, expected, noted) => {
    const path = PATHS.get(name) ?? [];
    const merged = mergeConfig(layer(path, above), layer(path, below));
    expect(valueAt(merged.written, path)).toEqual(expected);
    expect(merged.notes.map(({ key }) => key)).toEqual(noted ? [name] : []);
  });

  it('cover every key in the table', () => {
    const named = new Set(ROWS.map(([name]) => name));
    expect([...PATHS.keys()].filter((name) => !named.has(name))).toEqual(['promote']);
  });

  it.each([...PATHS].map(([name, path]) => ({ name, path })).filter(({ name }) => name !== 'promote'))(
    '$name of one layer alone holds, also where it is laxer than the default',
    ({ name, path }) => {
      const value = ROWS.find((row) => row[0] === name)?.[2];
      expect(valueAt(mergeConfig(layer(path, value), {}).written, path)).toEqual(value);
      expect(mergeConfig({}, layer(path, value))).toMatchObject({ written: layer(path, value), notes: [] });
    },
  );

  it('that say nothing are the default', () => {
    expect(mergeConfig({}, {})).toEqual({ config: DEFAULT_CONFIG, written: {}, notes: [] });
  });

  it('tell in a note what holds', () => {
    const { notes } = mergeConfig({ people: { permission: 'admin' } }, { people: { permission: 'write' } });
    expect(notes.map(({ message }) => message)).toEqual([
      'The repository\'s `people.permission` ("write") is laxer than the organisation\'s ("admin"), which holds.',
    ]);
  });

  it('merge their promotions day by day', () => {
    const above = written({ mode: 'observe', promote: { to: 'warn', on: '2027-01-15' } });
    const below = written({ mode: 'observe', promote: { to: 'enforce', on: '2027-03-01' } });
    const { config, notes } = mergeConfig(above, below);
    expect(config).toMatchObject({
      mode: 'observe',
      promote: [
        { to: 'warn', on: '2027-01-15' },
        { to: 'enforce', on: '2027-03-01' },
      ],
    });
    expect(notes.map(({ key }) => key)).toEqual(['mode']);
  });
});

/** Whole layers: for every key one of the values of the table, or none. */
const anyLayer: fc.Arbitrary<WrittenConfig> = fc
  .tuple(
    ...[...PATHS].map(([name, path]) => {
      const values = ROWS.filter((row) => row[0] === name).flatMap(([, above, below]) => [above, below]);
      return fc.constantFrom(undefined, ...values).map((value) => ({ path, value }));
    }),
  )
  .map((entries) => {
    const root: Record<string, unknown> = {};
    for (const { path, value } of entries.filter((entry) => entry.value !== undefined)) {
      const parent = path.slice(0, -1).reduce<Record<string, unknown>>((section, key) => {
        const inner = (section[key] ?? {}) as Record<string, unknown>;
        section[key] = inner;
        return inner;
      }, root);
      parent[path.at(-1) ?? ''] = value;
    }
    return configSchema.parse(root) && root;
  });

describe('the lattice', () => {
  const list = (value: unknown) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((item) => JSON.stringify(sorted(item)));

  /** Whether a value is at least as strict as another one of the same key; undefined where they cannot be compared. */
  function atLeast(name: string, value: unknown, other: unknown): boolean | undefined {
    const tightening = TIGHTENINGS.get(name);
    switch (tightening?.by) {
      case 'order': {
        const chain = tightening.chains.find(
          (words) => words.includes(value as string) && words.includes(other as string),
        );
        return chain && chain.indexOf(value as string) >= chain.indexOf(other as string);
      }
      case 'union':
        return list(other).every((item) => list(value).includes(item));
      case 'intersection':
        return list(value).every((item) => list(other).includes(item));
      default:
        return undefined;
    }
  }

  it('makes a configuration that is valid and at least as strict as what either layer writes', () => {
    fc.assert(
      fc.property(anyLayer, anyLayer, (above, below) => {
        const merged = mergeConfig(above, below);
        expect(configSchema.safeParse(merged.written).success).toBe(true);
        const broken = [...PATHS].filter(([name, path]) => {
          const value = valueAt(merged.written, path);
          const [mine, theirs] = [valueAt(above, path), valueAt(below, path)];
          if (mine !== undefined && atLeast(name, value, mine) === false) return true;
          if (theirs === undefined) return false;
          const fits = atLeast(name, value, theirs);
          // What cannot be compared is the organisation's; the mode is looked at below.
          if (fits !== undefined || ['mode', 'version', 'extends'].includes(name)) return fits === false;
          return JSON.stringify(value) !== JSON.stringify(mine ?? theirs);
        });
        expect(broken).toEqual([]);
        const rank = (layered: WrittenConfig) =>
          layered.mode === undefined
            ? -1
            : MODES.indexOf(effectiveMode({ ...layered, mode: layered.mode }, '2027-01-01'));
        expect(rank(merged.written)).toBe(Math.max(rank(above), rank(below)));
      }),
      { numRuns: 300 },
    );
  });

  it('says nothing new where a layer meets itself or nothing', () => {
    fc.assert(
      fc.property(anyLayer, (layered) => {
        const { notes, config } = mergeConfig(layered, layered);
        expect(notes).toEqual([]);
        expect(mergeConfig(layered, {}).config).toEqual(mergeConfig({}, layered).config);
        expect(config.mode).toBe(mergeConfig({}, layered).config.mode);
      }),
      { numRuns: 300 },
    );
  });

  it('can only be tightened by a third layer too', () => {
    fc.assert(
      fc.property(anyLayer, anyLayer, anyLayer, (first, second, third) => {
        const two = mergeConfig(first, second).written;
        const three = mergeConfig(two, third).written;
        const laxer = [...PATHS].filter(([name, path]) => {
          const before = valueAt(two, path);
          return before !== undefined && atLeast(name, valueAt(three, path), before) === false;
        });
        expect(laxer).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
