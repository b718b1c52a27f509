import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decide } from '../../src/gate/decide.ts';
import { factsOf } from '../support/facts.ts';
import { governedProject } from '../support/governed.ts';
import type { Governed } from '../support/governed.ts';

let governed: Governed;
beforeAll(() => void (governed = governedProject()));
afterAll(() => governed.remove());

describe('a verdict is bound to commits', () => {
  it.each(['base', 'head'] as const)('is incomplete where the facts name no commit of the %s', (side) => {
    const facts = factsOf(governed, { profile: 'local' });
    expect(decide(facts).outcome).toBe('verified');
    const unbound = { ...facts, subject: { ...facts.subject, [side]: { ...facts.subject[side], sha: null } } };
    expect(decide(unbound).outcome).toBe('incomplete');
  });
});
