import { describe, expect, it, jest } from '@jest/globals';
import { growth, GROWTH_LIMIT } from '../support/growth.ts';
import { HOSTILE_CHANGES } from './hostile.ts';

jest.setTimeout(120_000); // some measurements each, on a machine that may be busy

describe.each(Object.entries(HOSTILE_CHANGES))('%s takes linear time', (_, shapes) => {
  it.each(shapes)('for %j again and again', async (unit, detect) => {
    expect(await growth(detect, unit)).toBeLessThan(GROWTH_LIMIT);
  });
});
