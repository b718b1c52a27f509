import { describe, expect, it, jest } from '@jest/globals';
import { growth, GROWTH_LIMIT, quadratic } from '../../support/growth.ts';
import { HOSTILE_SECRETS } from './hostile.ts';

jest.setTimeout(120_000); // some measurements each, on a machine that may be busy

describe.each(Object.entries(HOSTILE_SECRETS))('%s takes linear time', (_, shapes) => {
  it.each(shapes)('for %j again and again', async (unit, detect) => {
    expect(await growth(detect, unit)).toBeLessThan(GROWTH_LIMIT);
  });
});

it('and a quadratic detector would be noticed', async () => {
  expect(await growth(quadratic, 'a')).toBeGreaterThan(GROWTH_LIMIT);
});
