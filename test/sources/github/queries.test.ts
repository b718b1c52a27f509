import { describe, expect, it } from '@jest/globals';
import { parse, validate } from 'graphql';
import type { GitHubApi } from '../../../src/github/api.ts';
import { githubSchema } from '../../../src/sandbox/graphql/schema.ts';
import { askBlobs } from '../../../src/sources/github/content/blob-query.ts';
import { askTrees } from '../../../src/sources/github/content/tree-query.ts';
import { COMMENTS, COMMITS, pageQuery, PULL_QUERY, REVIEWS } from '../../../src/sources/github/platform/pull-query.ts';
import { REPOSITORY_QUERY } from '../../../src/sources/pull-request/github-range.ts';

const REPOSITORY = { owner: 'acme', repo: 'widgets' };
const OID = 'a'.repeat(40);

/** The query that a reader sends. */
async function sentBy(read: (api: GitHubApi) => Promise<unknown>): Promise<string> {
  const sent: string[] = [];
  const request = (_route: string, { query }: { readonly query: string }) => {
    sent.push(query);
    return Promise.resolve({ data: { data: { repository: {} } }, headers: {}, status: 200 });
  };
  await read({ request } as unknown as GitHubApi);
  expect(sent).toHaveLength(1);
  return sent[0] ?? '';
}

describe('queries', () => {
  it.each<[string, string | ((api: GitHubApi) => Promise<unknown>)]>([
    ['a pull request', PULL_QUERY],
    ['more of its commits', pageQuery(COMMITS)],
    ['more of its reviews', pageQuery(REVIEWS)],
    ['more of its comments', pageQuery(COMMENTS)],
    ['the repository of a range', REPOSITORY_QUERY],
    ['blobs', (api) => askBlobs(api, REPOSITORY, [OID, OID])],
    [
      'trees',
      (api) =>
        askTrees(api, REPOSITORY, [
          { by: 'id', oid: OID },
          { by: 'commit', commit: OID },
          { by: 'folder', commit: OID, folder: 'src' },
        ]),
    ],
  ])("for %s are right by GitHub's own schema", async (_, query) => {
    const text = typeof query === 'string' ? query : await sentBy(query);
    expect(validate(githubSchema(), parse(text)).map(({ message }) => message)).toEqual([]);
  });
});
