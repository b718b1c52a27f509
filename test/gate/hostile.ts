import { controlEdits, controlFindings } from '../../src/checks/control-plane/check.ts';
import type { ControlPlaneRule } from '../../src/checks/control-plane/rules.ts';
import { scopeFindings } from '../../src/checks/scope/check.ts';
import type { SCOPE_RULES } from '../../src/checks/scope/rules.ts';
import { ledgerFindings } from '../../src/gate/append-only.ts';
import type { LEDGER_RULES } from '../../src/gate/append-only.ts';
import { declaredPaths } from '../../src/gate/scope.ts';
import { snapshotTree } from '../../src/gate/snapshot-tree.ts';
import { spentFinding } from '../../src/gate/spent.ts';
import { factsOf } from '../support/facts.ts';
import { project } from './support.ts';

type Detect = (text: string) => unknown;
type Rule = ControlPlaneRule | keyof typeof SCOPE_RULES | keyof typeof LEDGER_RULES;

const edited =
  (situation: 'governed' | 'bootstrap' | 'ungoverned'): Detect =>
  (path) =>
    controlFindings(
      controlEdits([{ status: 'renamed', path, old_path: `${path}/AGENTS.md` }], () => false),
      situation,
    );
const outside =
  (affectedPaths: readonly string[]): Detect =>
  (path) =>
    scopeFindings([{ status: 'modified', path }], [{ runId: 'a', affectedPaths }], declaredPaths, 'warn');
const facts = factsOf(project());
const rewritten: Detect = (path) =>
  ledgerFindings({
    ...facts,
    files: [],
    commits: facts.commits.map((commit) => ({
      ...commit,
      ledger_changes: [{ status: 'modified' as const, path: `.rapid-os/runs/${path}`, before: path, after: path }],
    })),
  });
const spent: Detect = (runId) => spentFinding(facts, { tree: snapshotTree(facts.base), reading: 'strict' }, runId);

/** For each rule, paths and names that a careless pattern would walk again and again. */
export const HOSTILE_CHANGES: Readonly<Record<Rule, readonly (readonly [unit: string, detect: Detect])[]>> = {
  'control-plane/edited': [
    ['.github/workflows/', edited('governed')],
    ['a/', edited('governed')],
    ['.', edited('governed')],
  ],
  'control-plane/bootstrap': [['.rapid-os/', edited('bootstrap')]],
  'control-plane/ungoverned': [
    ['CLAUDE.md/', edited('ungoverned')],
    ['agents', edited('ungoverned')],
  ],
  'scope/outside': [
    ['a', outside(['**/*a*b'])],
    ['a/', outside(['a/**/b', 'c'])],
    ['a/', outside(['src'])],
  ],
  'scope/undeclared': [['a/', outside([])]],
  'ledger/rewritten': [
    ['a/', rewritten],
    ['{', rewritten],
    ['run.json', rewritten],
  ],
  'ledger/spent': [
    ['a-', spent],
    ['a', spent],
  ],
};
