import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../src/gate/outcome.ts';
import type { GateReport } from '../../src/gate/report.ts';
import type { GovernedOptions } from '../support/governed.ts';
import { CONFIG_TEXT } from '../support/facts.ts';
import { forged } from './forge.ts';
import type { Draft } from './forge.ts';
import { changed, editEntry, judge, needs, setEntry, withFiles } from './support.ts';
import type { Case } from './support.ts';

const LOOSE = `${CONFIG_TEXT}scope: { enforce: off }`;

function judgeForged(edit: (contract: Draft) => void, options: GovernedOptions = {}, more: Case = {}): GateReport {
  return judge({ project: { ...options, until: 'created' }, head: () => forged(edit, options), ...more });
}

/** What is said against a contract. */
function against(report: GateReport): string[] {
  return report.needs.flatMap(({ what }) => /is not what it has to be: (.*)\.$/.exec(what)?.[1] ?? []);
}

const gate = (contract: Draft, id: string): Draft['gates'][number] => {
  const found = contract.gates.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};

it('a contract that is left alone is not objected to', () => {
  const report = judgeForged(() => undefined);
  expect(against(report)).toEqual([]);
  expect(report.outcome).toBe('unverified'); // it has only been created
});

describe('a contract made by hand', () => {
  const rows: readonly [string, (contract: Draft) => void, GovernedOptions, RegExp][] = [
    [
      'with fewer gates',
      (c) => {
        c.gates = c.gates.filter(({ id }) => id !== 'gate.tests');
      },
      {},
      /^it lacks gate\.tests/,
    ],
    [
      'without any gate',
      (c) => {
        c.gates = [];
      },
      {},
      /^it lacks gate\.baseline/,
    ],
    [
      'of less risk',
      (c) => {
        c.risk = 'low';
      },
      {},
      /^its risk is 'low', and 'medium' is demanded/,
    ],
    [
      'of a lower class',
      (c) => {
        c.classification = 'spike';
      },
      {},
      /^its class is 'spike', and 'bounded' is demanded/,
    ],
    [
      'that allows the current workspace',
      (c) => {
        c.workspace = 'current_allowed';
      },
      { tags: ['security'] },
      /^it allows the current workspace/,
    ],
    [
      'with a gate that is optional',
      (c) => {
        gate(c, 'gate.tests').required = false;
      },
      {},
      /^gate\.tests is optional in it, and demanded/,
    ],
    [
      'with a gate that may be waived',
      (c) => {
        gate(c, 'gate.baseline').waivable = true;
      },
      {},
      /^gate\.baseline is waivable in it/,
    ],
    [
      'with a gate that the policy no longer lets be waived',
      (c) => {
        gate(c, 'gate.tests').waivable = true;
      },
      { policy: { waivable_gate_ids: [] } },
      /^gate\.tests is waivable in it/,
    ],
    [
      'with a gate that may be waived at critical risk',
      (c) => {
        gate(c, 'gate.review').waivable = true;
      },
      { risk: 'critical' },
      /^gate\.review is waivable in it/,
    ],
    [
      'with a gate of another kind',
      (c) => {
        gate(c, 'gate.tests').kind = 'baseline_check';
      },
      {},
      /^gate\.tests is of another kind/,
    ],
    [
      'with a gate of another phase',
      (c) => {
        gate(c, 'gate.tests').phase = 'pre_execution';
      },
      {},
      /^gate\.tests is of another kind/,
    ],
    [
      'of another policy',
      (c) => {
        c.policy_digest = 'f'.repeat(64);
      },
      {},
      /^it is bound to another policy/,
    ],
    [
      'of another spec text',
      (c) => {
        c.spec_content_digest = 'f'.repeat(64);
      },
      {},
      /^it was made from another text of revision 1 of spec 'demo'/,
    ],
    [
      'with tasks dropped',
      (c) => {
        c.tasks = c.tasks.slice(0, 1);
      },
      { tasks: ['a', 'b'] },
      /^its tasks are not those of the spec \(1 of 2\)/,
    ],
    [
      'with no tasks',
      (c) => {
        c.tasks = [];
      },
      {},
      /^its tasks are not those of the spec/,
    ],
    [
      'with another task',
      (c) => {
        c.tasks = [{ id: 'T001', description: 'Nothing' }];
      },
      {},
      /^its tasks are not those of the spec/,
    ],
    [
      'with more tasks than the spec',
      (c) => {
        c.tasks.push({ id: 'T002', description: 'More' });
      },
      {},
      /^its tasks are not those of the spec \(2 of 1\)/,
    ],
    [
      'that claims a risk and leaves its gates out',
      (c) => {
        c.risk = 'high';
      },
      {},
      /^it lacks gate\.review, which is demanded/,
    ],
    [
      'that claims a class and leaves its risk out',
      (c) => {
        c.classification = 'architectural';
      },
      {},
      /^its risk is 'medium', and 'high' is demanded/,
    ],
    [
      'that claims both and too little of each',
      (c) => {
        c.classification = 'architectural';
        c.risk = 'low';
      },
      {},
      /^its risk is 'low', and 'high' is demanded/,
    ],
  ];
  it.each(rows)('%s fails', (_name, edit, options, text) => {
    for (const profile of ['github', 'local'] as const) {
      const report = judgeForged(edit, options, { profile });
      expect(against(report)).toEqual(expect.arrayContaining([expect.stringMatching(text)]));
      expect(report.outcome).toBe('failed');
    }
  });

  it('that asks for more is fine', () => {
    const more = (c: Draft): void => {
      c.gates.push({
        id: 'gate.extra',
        kind: 'peer_review',
        phase: 'post_execution',
        required: true,
        waivable: false,
        reason: 'x',
      });
    };
    expect(against(judgeForged(more))).toEqual([]);
  });

  it.each([
    { risk: 'high' },
    { risk: 'critical' },
    { tags: ['security'] },
    { mode: 'research' },
  ] satisfies GovernedOptions[])('of the real writer is fine: %j', (options) => {
    expect(against(judge({ project: options }))).toEqual([]);
  });
});

describe('what is demanded', () => {
  const cases: readonly [string, Outcome, string][] = [
    ['migrations/1.sql', 'failed', 'gate.migration-review'],
    ['src/migrations/1.sql', 'failed', 'gate.migration-review'],
    ['AUTH/login.ts', 'failed', 'gate.security-review'],
    ['security\\x', 'failed', 'gate.security-review'],
    ['infra/a.tf', 'failed', 'gate.review'],
    ['.github/workflows/x.yml', 'failed', 'gate.review'],
    ['src/other.ts', 'verified', ''],
    ['my auth/x', 'verified', ''],
  ];
  it.each(cases)('follows the paths that really change: %s', (path, outcome, lacking) => {
    const report = judge({ config: LOOSE, edit: withFiles(changed(path)) });
    expect(report.outcome).toBe(outcome);
    if (lacking !== '') expect(needs(report, 'failed')).toContain(`it lacks ${lacking}`);
  });

  it('counts both names of a rename', () => {
    for (const [path, old_path] of [
      ['auth/a.ts', 'src/a.ts'],
      ['src/a.ts', 'auth/a.ts'],
    ] as const) {
      expect(judge({ config: LOOSE, edit: withFiles(changed(path, { status: 'renamed', old_path })) }).outcome).toBe(
        'failed',
      );
    }
    expect(
      judge({ config: LOOSE, edit: withFiles(changed('src/a.ts', { status: 'copied', old_path: 'auth/a.ts' })) })
        .outcome,
    ).toBe('verified');
  });

  it('does not count claims', () => {
    expect(
      judge({ config: LOOSE, edit: withFiles(changed('.rapid-os/specs/auth/x', { status: 'added' })) }).outcome,
    ).toBe('verified');
  });

  it("is the base's policy, not the head's", () => {
    const strict = JSON.stringify({ schema_version: 1, minimum_risk: 'high' });
    const policy = { path: '.rapid-os/policy.json', mode: '100644', text: strict } as const;
    const report = judge({ base: setEntry(policy) });
    expect(against(report)).toEqual(expect.arrayContaining(["it is bound to another policy than the base's"]));
    expect(needs(report, 'failed')).toContain("its risk is 'medium', and 'high' is demanded");
    expect(judge({ head: setEntry(policy) }).outcome).toBe('verified');
  });

  it('is fine with paths that no spec could declare', () => {
    for (const path of ['a\\b', 'C:x', ' lead', 'trail ', 'new\nline', '\u202e', 'ä/ü', '\ud800']) {
      expect(judge({ config: LOOSE, edit: withFiles(changed(path)) }).outcome).toBe('verified');
    }
  });
});

it('a spec that was changed behind its digest is refused', () => {
  const path = '.rapid-os/specs/demo/revisions/0001/revision.json';
  const report = judge({ head: editEntry(path, '"Write it"', '"Nothing"') });
  expect(report.word).toBe('UNVERIFIED');
  expect(needs(report, 'failed')).toContain('RAPID80');
});
