import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { takeOutput } from '../../src/process/output.ts';

function taken(chunks: readonly string[], maxBytes: number) {
  const taker = takeOutput(maxBytes);
  for (const chunk of chunks) taker.take(Buffer.from(chunk));
  return taker.end();
}

describe('output', () => {
  it('is whole where it fits', () => {
    expect(taken(['ab\n', 'cd'], 5)).toEqual({ head: 'ab\ncd', tail: '', totalBytes: 5, droppedBytes: 0 });
    expect(taken([], 5)).toEqual({ head: '', tail: '', totalBytes: 0, droppedBytes: 0 });
  });

  it('loses its middle where it does not, and no line is cut', () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}\n`);
    expect(taken(lines, 64)).toEqual({
      head: 'line 0\nline 1\nline 2\nline 3\n',
      tail: 'line 97\nline 98\nline 99\n',
      totalBytes: 790,
      droppedBytes: 790 - 28 - 24,
    });
  });

  it('keeps nothing of a line that is too long for it: half a secret is not recognised', () => {
    expect(taken(['x'.repeat(100)], 10)).toEqual({ head: '', tail: '', totalBytes: 100, droppedBytes: 100 });
  });

  it('is the same however it is cut into chunks, and adds up', () => {
    const chunk = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '日') });
    fc.assert(
      fc.property(fc.array(chunk), fc.integer({ min: 2, max: 40 }), (chunks, maxBytes) => {
        const whole = chunks.join('');
        const bytes = Buffer.from(whole);
        const result = taken(chunks, maxBytes);
        expect(taken([...bytes].length === 0 ? [] : [whole], maxBytes)).toEqual(result);
        expect(result.totalBytes).toBe(bytes.length);
        const kept = Buffer.byteLength(result.head) + Buffer.byteLength(result.tail);
        expect(kept + result.droppedBytes).toBe(bytes.length);
        if (result.droppedBytes === 0) expect(result.head).toBe(whole);
        else {
          expect(kept).toBeLessThanOrEqual(maxBytes);
          expect(whole.startsWith(result.head)).toBe(true);
          expect(whole.endsWith(result.tail)).toBe(true);
        }
      }),
    );
  });
});
