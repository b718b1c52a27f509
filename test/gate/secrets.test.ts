import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decide } from '../../src/gate/decide.ts';
import type { Facts, SecretFacts } from '../../src/gate/facts.ts';
import { factsSchema } from '../../src/gate/facts.ts';
import { CONFIG_TEXT, decision, factsOf } from '../support/facts.ts';
import { governedProject } from '../support/governed.ts';
import type { Governed } from '../support/governed.ts';

let governed: Governed;
beforeAll(() => void (governed = governedProject()));
afterAll(() => governed.remove());

type Found = SecretFacts['findings'][number];

const at = (rule: Found['rule'], path: string, more: Partial<Found> = {}): Found => ({
  rule,
  place: { at: 'file', path, line: 3 },
  subject: 'one',
  message: 'Something of 40 characters.',
  remedy: 'Take it out.',
  ...more,
});
const TOKEN = at('secrets/github-token', 'src/app.ts');
const ENV = at('secrets/file-tracked', 'test/.env');

function facts(findings: readonly Found[], config = '', scanned: SecretFacts['scanned'] = 'whole'): Facts {
  return factsOf(governed, {
    config: CONFIG_TEXT + config,
    edit: (one) => ({ ...one, secrets: { scanned, findings: [...findings] } }),
  });
}
const severities = (given: Facts): string[] => decide(given).findings.map(({ severity }) => severity);

const TABLE: readonly (readonly [string, readonly Found[], string, readonly string[]])[] = [
  ['blocks a token', [TOKEN], '', ['block']],
  [
    "weighs as the rule does: an exception that is the change's own",
    [at('secrets/allow-unconfirmed', 'a')],
    '',
    ['warn'],
  ],
  ['warns in mode warn', [TOKEN, at('secrets/baseline-unused', 'z')], 'secrets: { mode: warn }', ['warn', 'note']],
  ['shows nothing in mode off', [TOKEN, ENV], 'secrets: { mode: off }', []],
  ['lets a file be there', [ENV], 'secrets: { files: { allow: [test/**] } }', []],
  ['lets only such files be there', [ENV], 'secrets: { files: { allow: [src/**] } }', ['block']],
  [
    'does not let credentials stand in such a file',
    [at('secrets/jwt', 'test/.env')],
    'secrets: { files: { allow: [test/**] } }',
    ['block'],
  ],
  [
    'allows a rule at a path',
    [TOKEN],
    'secrets: { allow: [{ rule: secrets/github-token, paths: [src/**], reason: r }] }',
    [],
  ],
  [
    'allows it nowhere else',
    [TOKEN],
    'secrets: { allow: [{ rule: secrets/github-token, paths: [lib/**], reason: r }] }',
    ['block'],
  ],
  ['allows no other rule', [TOKEN], 'secrets: { allow: [{ rule: secrets/jwt, paths: ["**"], reason: r }] }', ['block']],
  [
    'allows it on the last day',
    [TOKEN],
    'secrets: { allow: [{ rule: secrets/github-token, paths: ["**"], reason: r, until: 2026-12-01 }] }',
    [],
  ],
  [
    'allows it no longer',
    [TOKEN],
    'secrets: { allow: [{ rule: secrets/github-token, paths: ["**"], reason: r, until: 2026-11-30 }] }',
    ['block'],
  ],
  [
    'allows by path nothing that stands in no file of the repository',
    [
      at('secrets/jwt', '../.git/config'),
      at('secrets/jwt', '', { place: { at: 'pull-request', part: 'body', line: 1 } }),
    ],
    'secrets: { allow: [{ rule: secrets/jwt, paths: ["**"], reason: r }] }',
    ['block', 'block'],
  ],
];

describe('secrets in the gate', () => {
  it.each(TABLE)('%s', (_, findings, config, expected) => {
    expect(severities(facts(findings, config))).toEqual(expected);
    expect(decide(facts(findings, config)).outcome).toBe(expected.includes('block') ? 'failed' : 'verified');
  });

  it('asks for nothing where nobody looked', () => {
    const none = factsOf(governed);
    expect(none.secrets).toBeUndefined();
    expect(decide(none).outcome).toBe('verified');
    expect(decide(facts([], '', 'not')).outcome).toBe('verified');
  });

  it('takes no weight from the facts, and no rule that is not about secrets', () => {
    const given = facts([TOKEN]);
    const withFound = (found: object): unknown => ({ ...given, secrets: { scanned: 'whole', findings: [found] } });
    expect(factsSchema.safeParse(withFound(TOKEN)).success).toBe(true);
    expect(factsSchema.safeParse(withFound({ ...TOKEN, severity: 'note' })).success).toBe(false);
    expect(factsSchema.safeParse(withFound({ ...TOKEN, rule: 'attribution/co-author' })).success).toBe(false);
  });

  it('is shown and blocks no more once a permitted person allows the finding at this head', () => {
    const given = facts([TOKEN]);
    const id = decide(given).findings[0]?.id ?? '';
    const allow = decision('allow', { subject: id });
    expect(decide({ ...given, decisions: [allow] })).toMatchObject({
      outcome: 'verified',
      findings: [{ severity: 'note', place: { line: 3 } }],
    });
    for (const changed of [
      { edited: true },
      { head_sha: 'c'.repeat(40) },
      { user_id: 1, login: 'coder' },
      { subject: '' },
    ])
      expect(decide({ ...given, decisions: [{ ...allow, ...changed }] }).outcome).toBe('failed');
  });

  it('gives the same ids whatever the order of what was found', () => {
    const many = [
      TOKEN,
      at('secrets/github-token', 'src/app.ts', { place: { at: 'file', path: 'src/app.ts', line: 12 } }),
      ENV,
    ];
    expect(decide(facts([...many].reverse()))).toEqual(decide(facts(many)));
  });
});
