import { describe, expect, it } from '@jest/globals';
import { HOSTILE_CREDIT, repeat } from './hostile.ts';
import type { Detector, Shape } from './hostile.ts';

const MEGABYTE = 1_000_000;
/** Ten times the input may take this many times the time: 10 if linear, 100 if quadratic; the machine has other work, too. */
const GROWTH = 40;
/** Below this many milliseconds a measurement says nothing. */
const FLOOR = 5;

function milliseconds(detector: Detector, text: string): number {
  const start = performance.now();
  detector(text);
  return Math.max(FLOOR, performance.now() - start);
}

// A pause of the machine makes one measurement too long, never too short.
function growth(detector: Detector, shape: Shape): number {
  const small = shape(MEGABYTE / 10);
  const large = shape(MEGABYTE);
  detector(small);
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least > GROWTH; attempt += 1) {
    least = Math.min(least, milliseconds(detector, large) / milliseconds(detector, small));
  }
  return least;
}

describe('a megabyte of hostile text takes linear time', () => {
  for (const [rule, shapes] of Object.entries(HOSTILE_CREDIT)) {
    it.each(shapes.map(([name, detector, shape]) => [name, detector, shape] as const))(
      `${rule}: %s`,
      (_, detector, shape) => {
        expect(growth(detector, shape)).toBeLessThan(GROWTH);
      },
    );
  }

  it('and a quadratic detector would be noticed', () => {
    const quadratic: Detector = (text) => {
      let sum = 0;
      for (let i = 0; i < text.length; i += 200) for (let j = 0; j < text.length; j += 50) sum += text.charCodeAt(j);
      return sum;
    };
    expect(growth(quadratic, repeat('a'))).toBeGreaterThan(GROWTH);
  });
});
