/** Longest word that is compared; the comparison costs the product of both lengths. */
const MAX_LENGTH = 64;

/** The word that was probably meant, or undefined where none is near enough. */
export function closest(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const plain = plainly(word);
  const same = known.find((candidate) => plainly(candidate) === plain);
  if (same !== undefined) return same;
  // One edit in short words, one more for every four letters: 'jbs' is jobs, 'of' is not any word of two letters.
  const limit = 1 + Math.floor(word.length / 4);
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(plain, plainly(candidate));
    if (distance <= limit && distance < candidate.length && (best === undefined || distance < best.distance)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

// How names of keys are joined and capitalised differs from tool to tool.
function plainly(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, '');
}

/** How many letters must be put in, left out, changed or swapped with their neighbour (each place once). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(changed, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
