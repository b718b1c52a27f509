import { describe, expect, it, jest } from '@jest/globals';
import { growth, GROWTH_LIMIT, quadratic } from '../../support/growth.ts';
import { HOSTILE_CREDIT } from './hostile.ts';

jest.setTimeout(120_000); // some measurements each, on a machine that may be busy

describe('a megabyte of hostile text takes linear time', () => {
  for (const [rule, shapes] of Object.entries(HOSTILE_CREDIT)) {
    it.each(shapes.map(([name, detector, shape]) => [name, detector, shape] as const))(
      `${rule}: %s`,
      async (_, detector, shape) => {
        expect(await growth(detector, shape)).toBeLessThan(GROWTH_LIMIT);
      },
    );
  }

  it('and a quadratic detector would be noticed', async () => {
    expect(await growth(quadratic, 'a')).toBeGreaterThan(GROWTH_LIMIT);
  });
});
