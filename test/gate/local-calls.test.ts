import { describe, expect, it } from '@jest/globals';
import { localCalls } from '../../src/gate/local-calls.ts';

const CI = '.github/workflows/ci.yml';

/** What is called where the files have these texts. */
function called(files: Readonly<Record<string, string>>): readonly string[] {
  return localCalls((path) => files[path], [CI]).folders;
}

describe('what a workflow calls inside its repository', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing', { [CI]: 'steps:\n  - uses: actions/checkout@v5\n' }, []],
    ['an action', { [CI]: 'steps:\n  - uses: ./tools/a\n' }, ['tools/a']],
    [
      'in quotes, with a comment',
      { [CI]: '  - uses: "./tools/a" # ours\n  - uses: \'./tools/b/\'\n' },
      ['tools/a', 'tools/b'],
    ],
    ['under a name', { [CI]: '  - name: A\r\n    uses: ./tools/a\r\n' }, ['tools/a']],
    ['the repository itself: that is what is tested', { [CI]: '  - uses: ./\n' }, []],
    ['what lies outside: there is nothing to be changed', { [CI]: '  - uses: ./../other\n' }, []],
    [
      'through a workflow and an action',
      {
        [CI]: 'jobs:\n  a:\n    uses: ./.github/workflows/b.yml\n',
        '.github/workflows/b.yml': '  - uses: ./tools/a\n',
        'tools/a/action.yaml': '  - uses: ./tools/b\n',
      },
      ['tools/a', 'tools/b'],
    ],
    ['in a circle', { [CI]: '  - uses: ./a\n', 'a/action.yml': '  - uses: ./a\n' }, ['a']],
  ])('%s', (_what, files, folders) => {
    expect(called(files)).toEqual(folders);
  });

  it('bounds what is followed, and reads a hostile text at once', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `  - uses: ./a${index}\n`).join('');
    expect(localCalls(() => many, [CI]).files.length).toBeLessThanOrEqual(100);
    expect(called({ [CI]: `${' '.repeat(200_000)}uses:${'\t'.repeat(200_000)}./a` })).toEqual([]);
  });
});
