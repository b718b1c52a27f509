import { describe, expect, it } from '@jest/globals';
import { queuedPulls } from '../../src/judge/queue.ts';
import type { OpenPull } from '../../src/judge/pulls.ts';
import { factsSchema } from '../../src/gate/facts.ts';
import type { CommitFacts } from '../../src/gate/facts.ts';

const id = (sign: string): string => sign.repeat(40);
const BASE = id('0');
const GITHUB = { name: 'GitHub', email: 'noreply@github.com' };
const pull = (number: number, headSha: string): OpenPull => ({
  ...{ number, headSha, baseRef: 'main', ownBranch: undefined, restricted: false },
});
const commit = (sha: string, parents: readonly string[], message: string): CommitFacts =>
  factsSchema.shape.commits.element.parse({
    ...{ sha: id(sha), parents: parents.map(id), author: GITHUB, committer: GITHUB, message, ledger_changes: [] },
  });
const group = (head: string, number: number | string) => ({
  ...{ kind: 'merge-group' as const, headSha: id(head), baseRef: 'refs/heads/main', baseSha: BASE },
  headRef: `refs/heads/gh-readonly-queue/main/pr-${number}-${BASE}`,
});

describe('the pull requests of a merge group', () => {
  const seven = pull(7, id('7'));
  const eight = pull(8, id('8'));
  const open = [seven, eight, pull(9, id('9'))];

  it.each<[string, ReturnType<typeof group>, readonly CommitFacts[], readonly number[]]>([
    [
      'a merge',
      group('a', 7),
      [commit('a', ['0', '7'], 'Merge pull request #7 from x'), commit('7', ['0'], 'One')],
      [7],
    ],
    ['a squash', group('a', 7), [commit('a', ['0'], 'Add it (#7)\n\n* more (#9)')], [7]],
    ['a rebase', group('b', 7), [commit('a', ['0'], 'One'), commit('b', ['a'], 'Two')], [7]],
    [
      'two merges',
      group('b', 8),
      [
        commit('a', ['0', '7'], 'Whatever it says'),
        commit('b', ['a', '8'], 'Merge pull request #9 from x'),
        commit('7', ['0'], 'One'),
        commit('8', ['0'], 'Two'),
      ],
      [7, 8],
    ],
    ['two squashes', group('b', 8), [commit('a', ['0'], 'One (#7)'), commit('b', ['a'], 'Two (#9) (#8)')], [7, 8]],
  ])('finds those of %s', (_, given, commits, numbers) => {
    expect(queuedPulls(given, commits, open).pulls.map(({ number }) => number)).toEqual(numbers);
    expect(queuedPulls(given, commits.toReversed(), open.toReversed()).pulls.map(({ number }) => number)).toEqual(
      numbers,
    );
  });

  it.each<[string, ReturnType<typeof group>, readonly CommitFacts[]]>([
    ["a branch that is no queue's", { ...group('a', 7), headRef: 'refs/heads/main' }, [commit('a', ['0'], 'x (#7)')]],
    ['a pull request that is not open', group('a', 6), [commit('a', ['0'], 'x (#6)')]],
    [
      "a head that is no pull request's any more",
      group('a', 7),
      [commit('a', ['0', '6'], 'Merge pull request #7 from x')],
    ],
    ['a commit of none of several', group('b', 8), [commit('a', ['0'], 'One (#7)'), commit('b', ['a'], 'Two')]],
    ['a group beside its base', group('b', 7), [commit('b', ['a'], 'x (#7)')]],
    ['a group without commits', group('b', 7), []],
    ['a circle', group('b', 7), [commit('b', ['a'], 'x'), commit('a', ['b'], 'x')]],
  ])('refuses %s', (_, given, commits) => {
    expect(() => queuedPulls(given, commits, open)).toThrow(expect.objectContaining({ code: 'CS1704' }));
  });

  it('tells the commits that say nothing of their pull request', () => {
    const commits = [commit('a', ['0'], 'One'), commit('b', ['a'], 'Two (#7)')];
    expect(queuedPulls(group('b', 7), commits, open).rebased.map(({ message }) => message)).toEqual(['One']);
  });

  it('reads a number in a hostile message in no time', () => {
    const message = `${'(#1'.repeat(200_000)}(#7)`;
    expect(queuedPulls(group('a', 7), [commit('a', ['0'], message)], open).pulls).toEqual([seven]);
  });
});
