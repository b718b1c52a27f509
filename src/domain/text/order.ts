/**
 * Orders texts by Unicode code point. JavaScript's own order is by UTF-16 unit and puts U+1F600 before
 * U+FF5E; Rapid OS's formats sort by code point.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

// Surrogates stand for code points above the whole basic plane, so they rank above U+FFFF.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Sorted copy without repetitions. */
export function sortedUnique(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort(compareCodePoints);
}
