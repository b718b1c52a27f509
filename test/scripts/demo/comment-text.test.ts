import { describe, expect, it } from '@jest/globals';
import { growth, GROWTH_LIMIT } from '../../support/growth.ts';
import { commentText } from '../../../scripts/demo/comment-text.ts';

const show = (body: string, columns = 40): string => commentText(body, { columns, colour: false });

describe('a comment in a terminal', () => {
  it.each([
    ['a heading', '## ✅ VERIFIED', '✅ VERIFIED'],
    ['emphasis and code', '**The agent**: `gate.tests` and ``a ` b``', 'The agent: gate.tests and a ` b'],
    ['escapes', 'a\\_b &#60;x&#62; &amp; \\*c', 'a_b <x> & *c'],
    ['what is hidden', 'a\u202eb\u200bc\u001b[31m', 'a\\u{202e}bc\\u{1b}[31m'],
    ['a list', '- one two three four five six seven eight nine', '- one two three four five six seven\n  eight nine'],
    ['a fence', 'before\n```\n**raw** | x\n```\nafter', 'before\n  **raw** | x\nafter'],
    ['a fence in a list', '- x\n    ````\n    ```\n    ````', '- x\n      ```'],
    ['a table', '| a | b |\n| --- | --- |\n| `x` | 1 &#124; 2 |\nend', 'a  b\nx  1 | 2\nend'],
    [
      'what is folded',
      '<details><summary>Details</summary>\n\n- a\n- b\n\n</details>\nend',
      '▸ Details (2 lines, folded)\nend',
    ],
    ['a marker', 'text\n\n<!-- countersign:verdict v1 -->\n', 'text'],
    ['a fence without an end', '```\na', 'a'],
    ['nothing', '', ''],
  ])('%s', (_, body, text) => {
    expect(show(body)).toBe(text);
  });

  it.each(['`', '` ', '**', '**a', '&#', '<details><summary>', '| ', '\\', '<!--', '# ', '- '])(
    'reads a long text of %j in linear time',
    async (unit) => {
      expect(await growth(show, unit, 10_000)).toBeLessThan(GROWTH_LIMIT);
    },
  );
});
