/** Finds line and column of an offset: both count from 1, columns in UTF-16 units. A line ends with LF, CR LF or CR. */
export function lineIndex(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0];
  const ends = /\r\n|\r|\n/g;
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) starts.push(end.index + end[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** The lines of a text without their ends. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
