import { describe, expect, it } from '@jest/globals';
import { controlEdits, controlFindings } from '../../src/checks/control-plane/check.ts';
import type { ChangedPath } from '../../src/checks/control-plane/check.ts';
import type { FindingDraft } from '../../src/checks/finding.ts';
import { scopeFindings } from '../../src/checks/scope/check.ts';
import { ledgerFindings } from '../../src/gate/append-only.ts';
import type { LedgerChange } from '../../src/gate/facts.ts';
import { declaredPaths } from '../../src/gate/scope.ts';
import { snapshotTree } from '../../src/gate/snapshot-tree.ts';
import { spentFinding } from '../../src/gate/spent.ts';
import { factsOf } from '../support/facts.ts';
import { fixturesOf } from '../support/fixtures.ts';
import type { Fixture } from '../support/fixtures.ts';
import { project } from './support.ts';

/** What a fixture's `case.json` holds, by its check. */
interface Cases {
  readonly 'control-plane': {
    readonly situation: 'governed' | 'bootstrap' | 'ungoverned';
    readonly files: readonly ChangedPath[];
  };
  readonly scope: { readonly affected: readonly string[]; readonly files: readonly ChangedPath[] };
  readonly ledger: { readonly changes: LedgerChange[] } | { readonly atBase: 'active' | 'finished' };
}

const RUNNERS: { readonly [C in keyof Cases]: (example: Cases[C]) => readonly FindingDraft[] } = {
  'control-plane': ({ situation, files }) =>
    controlFindings(
      controlEdits(files, () => false),
      situation,
    ),
  scope: ({ affected, files }) =>
    scopeFindings(files, [{ runId: 'demo-r1-run-001', affectedPaths: affected }], declaredPaths, 'warn'),
  ledger: (example) => {
    if ('changes' in example) {
      const facts = factsOf(project());
      const commits = facts.commits.map((commit) => ({ ...commit, ledger_changes: example.changes }));
      return ledgerFindings({ ...facts, commits, files: [] });
    }
    const governed = project({ until: example.atBase });
    const base = { covers: [''], entries: governed.entries() };
    return spentFinding(
      { ...factsOf(governed), base },
      { tree: snapshotTree(base), reading: 'strict' },
      governed.runId,
    );
  },
};

function findingsOf<C extends keyof Cases>(check: C, { json }: Fixture): readonly FindingDraft[] {
  return RUNNERS[check](json('case.json') as Cases[C]);
}

describe.each(Object.keys(RUNNERS) as (keyof Cases)[])('fixtures of %s', (check) => {
  it.each(fixturesOf(check).map((fixture) => [`${fixture.kind}.${fixture.rule}`, fixture] as const))(
    '%s',
    (_, fixture) => {
      const rules = findingsOf(check, fixture).map(({ rule }) => rule);
      expect(rules).toEqual(fixture.kind === 'ng' ? [fixture.rule] : []);
    },
  );
});
