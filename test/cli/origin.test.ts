import { describe, expect, it } from '@jest/globals';
import { readRepositoryName, repositoryOfRemote } from '../../src/cli/set-up/origin.ts';

describe('the repository of a remote', () => {
  it.each([
    ['https://github.com/acme/widgets.git', 'acme/widgets'],
    ['https://github.com/acme/widgets', 'acme/widgets'],
    ['https://user@git.example/acme/widgets/', 'acme/widgets'],
    ['ssh://git@github.com:22/acme/widgets.git', 'acme/widgets'],
    ['git@github.com:acme/widgets.git', 'acme/widgets'],
    ['git@github.com:acme/.github', 'acme/.github'],
    ['/srv/git/widgets.git', undefined],
    ['https://github.com/acme', undefined],
    ['https://git.example/group/acme/widgets', undefined],
    ['', undefined],
  ])('%s is %s', (address, name) => {
    const found = repositoryOfRemote(address);
    expect(found === undefined ? undefined : `${found.owner}/${found.repo}`).toBe(name);
  });

  it.each(['widgets', 'a/b/c', '-a/b', 'a/..', 'a/', '/b', 'a b/c'])('%j is no name', (text) => {
    expect(readRepositoryName(text)).toBeUndefined();
  });
});
