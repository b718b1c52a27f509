import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { RULE_INDEX, RULE_TABLES } from '../../src/render/rule-index.ts';
import { HOSTILE_CHANGES } from '../gate/hostile.ts';
import { fixturesOf } from '../support/fixtures.ts';
import { HOSTILE_CREDIT } from './attribution/hostile.ts';
import { HOSTILE_SECRETS } from './secrets/hostile.ts';

const ROOT = join(import.meta.dirname, '../..');
const RULES = [...RULE_INDEX.keys()];
const CHECKS = [...new Set(RULES.map((rule) => rule.slice(0, rule.indexOf('/'))))];
const FIXTURES = new Set(CHECKS.flatMap(fixturesOf).map(({ kind, rule }) => `${kind} ${rule}`));
const HOSTILE: Readonly<Record<string, readonly unknown[]>> = {
  ...HOSTILE_CREDIT,
  ...HOSTILE_SECRETS,
  ...HOSTILE_CHANGES,
};

describe('every rule', () => {
  it('is in one table', () => {
    expect(RULES).toHaveLength(RULE_TABLES.reduce((sum, table) => sum + Object.keys(table).length, 0));
    expect(CHECKS.sort()).toEqual(['attribution', 'control-plane', 'ledger', 'scope', 'secrets']);
  });

  it.each(RULES)('%s has a page, examples of both kinds and hostile texts', (rule) => {
    expect({
      page: existsSync(join(ROOT, `docs/rules/${rule}.md`)),
      ok: FIXTURES.has(`ok ${rule}`),
      ng: FIXTURES.has(`ng ${rule}`),
      hostile: (HOSTILE[rule] ?? []).length > 0,
    }).toEqual({ page: true, ok: true, ng: true, hostile: true });
  });

  it('and no other thing has examples or hostile texts', () => {
    const named = [...FIXTURES].map((name) => name.slice(3));
    expect([...named, ...Object.keys(HOSTILE)].filter((rule) => !RULE_INDEX.has(rule))).toEqual([]);
  });
});
