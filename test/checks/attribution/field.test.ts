import { describe, expect, it } from '@jest/globals';
import { checkAttribution, checkMessage } from '../../../src/checks/attribution/check.ts';
import type { CommitInput } from '../../../src/checks/attribution/input.ts';

const ROSA = { name: 'Rosa Lind', email: 'rosa@example.com' };
const CREDIT = 'Co-authored-by: Claude <noreply@anthropic.com>';

function commit(digit: string, message: string): CommitInput {
  return { sha: digit.repeat(40), author: ROSA, committer: ROSA, message, parents: ['0'.repeat(40)] };
}

/** First digits of the commits in which something blocks. */
function blocked(commits: readonly CommitInput[]): string[] {
  return checkAttribution({ commits }, { mode: 'forbid' }).flatMap(({ severity, place }) =>
    severity === 'block' && place.at === 'commit' ? [place.sha.charAt(0)] : [],
  );
}

// Faults that people reported of other tools, beyond those that the tables of the tests beside this one hold.
describe('faults seen in the field', () => {
  it('a line that is refused is refused every time and in every order', () => {
    const three = ['1', '2', '3'].map((digit) => commit(digit, `${digit}\n\n${CREDIT}\n`));
    for (const order of [three, three.toReversed(), [...three, ...three]]) {
      for (let run = 0; run < 3; run += 1) expect(blocked(order)).toEqual(order.map(({ sha }) => sha.charAt(0)));
    }
    for (let run = 0; run < 4; run += 1)
      expect(checkMessage(`a\n\n${CREDIT}\n`, { mode: 'forbid' })).toMatchObject([{ place: { line: 3 } }]);
  });

  it('every tool of a branch is named by what gave it away', () => {
    const found = checkAttribution(
      {
        commits: [
          commit('1', 'feat: cache\n\nCo-authored-by: Codex <noreply@openai.com>\n'),
          commit('2', 'feat: cache 2\n\nCo-authored-by: Cursor <cursoragent@cursor.com>\n'),
          commit('3', 'feat: cache 3\n\nCo-authored-by: aider (some-model-4) <noreply@aider.chat>\n'),
        ],
      },
      { mode: 'forbid' },
    );
    expect(found.map(({ subject, message }) => [subject, /by the address [\w@.]+/.exec(message)?.[0]])).toEqual([
      ['co-authored-by codex', 'by the address noreply@openai.com'],
      ['co-authored-by cursor', 'by the address cursoragent@cursor.com'],
      ['co-authored-by aider', 'by the address noreply@aider.chat'],
    ]);
  });
});
