import { describe, expect, it } from '@jest/globals';
import { githubAddress, readOptions } from '../../../src/app/register/options.ts';
import { registrationUrl } from '../../../src/app/register/manifest.ts';

describe('where GitHub is', () => {
  it.each([
    ['https://github.com', 'https://api.github.com'],
    ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
    ['https://github.acme.example', 'https://github.acme.example/api/v3'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/api/v3'],
  ])('%s has its API at %s', (web, api) => {
    expect(githubAddress(web)).toEqual({ web, api });
  });

  it.each([
    [[], 'https://github.com/settings/apps/new?state=s'],
    [['--organization', 'acme'], 'https://github.com/organizations/acme/settings/apps/new?state=s'],
    [['--github-url', 'https://git.example/'], 'https://git.example/settings/apps/new?state=s'],
  ])('%j registers at %s', (argv, url) => {
    const options = readOptions(argv);
    if (options === undefined) throw new Error('no options');
    expect(registrationUrl(options, 's')).toBe(url);
  });
});
