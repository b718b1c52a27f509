import { describe, expect, it } from '@jest/globals';
import { isClaimPath, scopeFindings } from '../../../src/checks/scope/check.ts';
import type { DeclaredScope } from '../../../src/checks/scope/check.ts';
import { SCOPE_RULES } from '../../../src/checks/scope/rules.ts';
import type { Severity } from '../../../src/checks/rule.ts';

const exactly = (declared: readonly string[]) => (path: string) => declared.includes(path);
const scope = (runId: string, ...affectedPaths: string[]): DeclaredScope => ({ runId, affectedPaths });
const find = (scopes: DeclaredScope[], severity: Severity | undefined = 'block', paths = ['a', 'b', 'c']) =>
  scopeFindings(
    paths.map((path) => ({ status: 'modified', path })),
    scopes,
    exactly,
    severity,
  ).map(({ rule, severity: weight, place }) => [rule, weight, place.at === 'file' ? place.path : place.at]);

describe('scope findings', () => {
  it('are what lies in no declared scope', () => {
    expect(find([scope('r', 'a'), scope('s', 'b')])).toEqual([['scope/outside', 'block', 'c']]);
    expect(find([scope('r', 'a', 'b', 'c')])).toEqual([]);
    expect(find([scope('r', 'x')], 'warn', ['a'])).toEqual([['scope/outside', 'warn', 'a']]);
  });

  it('are notes where a run declares none: that one may change anything', () => {
    expect(find([scope('r', 'a'), scope('s')])).toEqual([['scope/undeclared', 'note', 'run']]);
  });

  it('are none where it is off, or no run governs', () => {
    expect(scopeFindings([{ status: 'added', path: 'a' }], [scope('r', 'x')], exactly, undefined)).toEqual([]);
    expect(find([])).toEqual([]);
  });

  it('leave claims out', () => {
    expect(
      find([scope('r', 'x')], 'block', [
        '.rapid-os/runs/a/x',
        '.rapid-os/evidence/a',
        '.rapid-os/evals/a',
        '.rapid-os/specs/a',
      ]),
    ).toEqual([]);
    expect(isClaimPath('.rapid-os/policy.json')).toBe(false);
    expect(isClaimPath('.rapid-os/runs')).toBe(false);
    expect(isClaimPath('x/.rapid-os/runs/a')).toBe(false);
  });

  it('have rules that say why and what to do', () => {
    expect(
      Object.values(SCOPE_RULES).every(({ title, why, remedy }) =>
        [title, why, remedy].every((text) => text.endsWith('.')),
      ),
    ).toBe(true);
  });
});
