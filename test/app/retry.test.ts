import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backOff, createCircuit, isOutage } from '../../src/app/retry.ts';
import { Refusal } from '../../src/domain/errors.ts';

describe('backOff', () => {
  it('is later with every try, and never later than ten minutes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const wait = backOff(5000, attempts, random) - 5000;
        expect(wait).toBeGreaterThanOrEqual(1000);
        expect(wait).toBeLessThanOrEqual(600_000);
        expect(backOff(0, attempts + 1, 0)).toBeGreaterThanOrEqual(backOff(0, attempts, 0));
      }),
    );
  });
});

describe('a circuit', () => {
  it('opens after failures in a row, longer each time, and closes with a success', () => {
    let now = 0;
    const circuit = createCircuit(() => now);
    for (let at = 0; at < 4; at += 1) circuit.failed();
    expect(circuit.pauseMs()).toBe(0);
    circuit.failed();
    const first = circuit.pauseMs();
    expect(first).toBeGreaterThan(0);
    now += first;
    expect(circuit.pauseMs()).toBe(0);
    circuit.failed();
    expect(circuit.pauseMs()).toBeGreaterThan(first);
    circuit.succeeded();
    expect(circuit.pauseMs()).toBe(0);
  });

  it('is not opened by failures with successes between them', () => {
    const circuit = createCircuit(() => 0);
    for (let at = 0; at < 20; at += 1) {
      circuit.failed();
      if (at % 3 === 0) circuit.succeeded();
    }
    expect(circuit.pauseMs()).toBe(0);
  });
});

describe('isOutage', () => {
  it.each([
    ['CS1601', true],
    ['CS1605', true],
    ['CS1603', false],
    ['CS1804', false],
  ] as const)('%s: %s', (code, expected) => {
    expect(isOutage(new Refusal(code, 'no'))).toBe(expected);
  });

  it('is no defect', () => {
    expect(isOutage(new TypeError('no'))).toBe(false);
  });
});
