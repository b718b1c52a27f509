import { MENTIONED_SIGN, MENTIONS } from './formats.ts';
import type { Line } from './lines.ts';
import type { TextFinding } from './text-finding.ts';
import { show } from './unicode.ts';

// Unicode's words, not ASCII's: an accented letter continues a word. A digit behind a name does not ("GPT4").
const WORDS = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${MENTIONS.join('|')})(?![\\p{L}_])`, 'iu');

/** The lines that hold a word of the literal list. */
export function mentions(lines: readonly Line[]): TextFinding[] {
  return lines
    .filter(({ own }) => own)
    .flatMap(({ number, raw, whole }) => {
      const word =
        WORDS.exec(whole)?.[0].toLowerCase() ?? (whole.includes(MENTIONED_SIGN) ? MENTIONED_SIGN : undefined);
      if (word === undefined) return [];
      return [
        {
          rule: 'attribution/mention' as const,
          severity: 'block' as const,
          line: number,
          lines: 1,
          subject: word,
          message: `The line holds “${word}”: “${show(raw)}”.`,
        },
      ];
    });
}
