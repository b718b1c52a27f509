import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { at, client, list, startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
const IN = 'repository(owner: "acme", name: "widgets")';

beforeAll(async () => {
  world = await startWorld({ limits: { blobTextBytes: 10 } });
  await world.sandbox.push(world.widgets, world.bob, {
    branch: 'main',
    files: { binary: { mode: '100644', content: Buffer.from([0, 1]) }, long: 'x'.repeat(11) },
  });
});
afterAll(() => world.stop());

const ask = async (query: string, variables?: object) =>
  (await world.api('POST', '/graphql', { query, ...(variables === undefined ? {} : { variables }) })).body;

describe('GraphQL', () => {
  it('gives texts of blobs in batches', async () => {
    const blob = '... on Blob { oid byteSize isBinary isTruncated text }';
    const fields = ['README.md', 'binary', 'long', 'none'].map(
      (path, index) => `b${index}: object(expression: "main:${path}") { __typename ${blob} }`,
    );
    const body = await ask(
      `query($o: String!, $n: String!) { repository(owner: $o, name: $n) { ${fields.join(' ')} } }`,
      {
        o: 'acme',
        n: 'widgets',
      },
    );
    expect(at(body, 'data', 'repository')).toMatchObject({
      b0: { __typename: 'Blob', byteSize: 10, isBinary: false, isTruncated: false, text: '# Widgets\n' },
      b1: { byteSize: 2, isBinary: true, text: null },
      b2: { byteSize: 11, isTruncated: true, text: 'x'.repeat(10) },
      b3: null,
    });
    const oid = at(body, 'data', 'repository', 'b0', 'oid');
    const byId = await ask(`{ ${IN} { object(oid: "${String(oid)}") { ... on Blob { text } } } }`);
    expect(at(byId, 'data', 'repository', 'object', 'text')).toBe('# Widgets\n');
    const mistyped = await ask(`query($id: String!) { ${IN} { object(oid: $id) { oid } } }`, { id: oid });
    expect(at(mistyped, 'errors', 0, 'message')).toContain('expecting type "GitObjectID"');
    const typed = await ask(`query($id: GitObjectID!) { ${IN} { object(oid: $id) { ... on Blob { text } } } }`, {
      id: oid,
    });
    expect(at(typed, 'data', 'repository', 'object', 'text')).toBe('# Widgets\n');
  });

  it('walks trees and the commits of a pull request, over 250 too', async () => {
    const { sandbox, widgets, bob } = world;
    const commits = Array.from({ length: 251 }, (_, n) => ({ message: `c${n}`, files: { n: `${n}` } }));
    await sandbox.push(widgets, bob, { branch: 'many', commits });
    const { number } = await sandbox.openPullRequest(widgets, { by: bob, branch: 'many' });
    const page = async (after: unknown) => {
      const commit = 'commit { oid message author { email user { login } } parents(first: 2) { totalCount } }';
      const query = `query($n: Int!, $after: String) { ${IN} { pullRequest(number: $n) { headRefOid isDraft state
        commits(first: 100, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { ${commit} } } } } }`;
      return at(await ask(query, { n: number, after }), 'data', 'repository', 'pullRequest', 'commits');
    };
    let after: unknown = null;
    const seen: unknown[] = [];
    for (let more = true; more;) {
      const found = await page(after);
      seen.push(...list(found, 'nodes'));
      more = at(found, 'pageInfo', 'hasNextPage') === true;
      after = at(found, 'pageInfo', 'endCursor');
    }
    expect([seen.length, at(seen[0], 'commit', 'message'), at(seen[250], 'commit', 'message')]).toEqual([
      251,
      'c0',
      'c250',
    ]);
    expect(at(seen[0], 'commit', 'author', 'user', 'login')).toBe('bob');
    const tree = await ask(
      `{ ${IN} { object(expression: "main:src") { ... on Tree { entries { name mode type } } } } }`,
    );
    expect(at(tree, 'data', 'repository', 'object', 'entries', 0)).toEqual({
      name: 'a.ts',
      mode: 0o100644,
      type: 'blob',
    });
  });

  it.each([
    [`{ ${IN} { stargazerCount } }`, 'Cannot query field "stargazerCount" on type "Repository"'],
    [`{ ${IN} { name { x } } }`, 'must not have a selection'],
    [`{ ${IN} }`, 'must have a selection of subfields'],
    ['{ repository(owner: "acme") { name } }', 'argument "name" of type "String!" is required'],
    ['{ repository(owner: "acme", name: "widgets", x: 1) { name } }', 'Unknown argument "x"'],
    [`{ ${IN} { pullRequest(number: "1") { title } } }`, 'Int cannot represent'],
    ['query($a: String!) { rateLimit { cost } }', 'Variable "$a" is never used'],
    ['query($a: Int!) { repository(owner: "acme", name: "widgets") { pullRequest(number: $a) { title } } }', '"$a"'],
    ['mutation { x }', 'Schema is not configured'],
    [`{ ${IN} { ...Fields } }`, 'Unknown fragment'],
    ['{ rateLimit { cost }', 'Syntax Error'],
    [`{ ${IN} { object(expression: "main") { ... on Issue { id } } } }`, 'Unknown type "Issue"'],
  ])('refuses %s', async (query, message) => {
    const body = await ask(query);
    expect(at(body, 'errors', 0, 'message')).toContain(message);
    expect(at(body, 'data')).toBeUndefined();
  });

  it.each([
    ['commits { totalCount }', 'MISSING_PAGINATION_BOUNDARIES'],
    ['commits(first: 101) { totalCount }', 'EXCESSIVE_PAGINATION'],
  ])('answers %s as GitHub does', async (fields, type) => {
    const { number } = await world.pullRequest(`pages-${type}`);
    const body = await ask(`query($n: Int!) { ${IN} { pullRequest(number: $n) { ${fields} } } }`, { n: number });
    expect(at(body, 'errors', 0)).toMatchObject({ type, path: ['repository', 'pullRequest', 'commits'] });
  });

  it('answers what is not there by null and an error', async () => {
    const body = await ask(
      `{ ${IN} { name pullRequest(number: 999) { title } } other: repository(owner: "x", name: "y") { name } }`,
    );
    expect(body).toMatchObject({
      data: { repository: { name: 'widgets', pullRequest: null }, other: null },
      errors: expect.arrayContaining([
        expect.objectContaining({ type: 'NOT_FOUND', path: ['repository', 'pullRequest'] }),
        expect.objectContaining({ type: 'NOT_FOUND', path: ['other'] }),
      ]),
    });
    expect((await client(world.sandbox.url)('POST', '/graphql', { query: '{ rateLimit { cost } }' })).status).toBe(401);
    expect((await world.api('POST', '/api/graphql', { query: '{ rateLimit { cost } }' })).body).toMatchObject({
      data: { rateLimit: { cost: 1 } },
    });
  });
});

describe('a pull request of the graph', () => {
  it('has what is said at it, and the branches where they are', async () => {
    const { sandbox, widgets, ada, eve } = world;
    const fork = await sandbox.fork(widgets, eve);
    await sandbox.push(fork, eve, { branch: 'theirs', files: { t: '1' }, message: 'Theirs' });
    const pull = await sandbox.openPullRequest(widgets, { by: eve, branch: 'theirs', from: fork });
    const review = sandbox.review(widgets, pull, ada, 'COMMENTED', { body: 'Hm' });
    sandbox.review(widgets, pull, ada, 'PENDING');
    const comment = sandbox.comment(widgets, pull, ada, 'Hello');
    sandbox.editComment(widgets, comment, ada, 'Hello!');
    const fields = `fullDatabaseId changedFiles headRef { name target { __typename oid } }
      headRepository { nameWithOwner owner { __typename login } }
      author { __typename login ... on User { databaseId } }
      reviews(first: 9) { totalCount nodes { fullDatabaseId state body author { login } commit { oid } } }
      comments(first: 9) { nodes { fullDatabaseId body includesCreatedEdit author { ... on User { databaseId } } } }`;
    const settings = 'squashMergeCommitTitle squashMergeCommitMessage mergeCommitTitle mergeCommitMessage';
    const query = `query($n: Int!) { ${IN} { ${settings} pullRequest(number: $n) { ${fields} } } }`;
    expect(at(await ask(query, { n: pull.number }), 'data', 'repository')).toEqual({
      squashMergeCommitTitle: 'COMMIT_OR_PR_TITLE',
      squashMergeCommitMessage: 'COMMIT_MESSAGES',
      mergeCommitTitle: 'MERGE_MESSAGE',
      mergeCommitMessage: 'PR_TITLE',
      pullRequest: {
        fullDatabaseId: String(pull.id),
        changedFiles: 1,
        headRef: { name: 'theirs', target: { __typename: 'Commit', oid: pull.head.sha } },
        headRepository: { nameWithOwner: 'eve/widgets', owner: { __typename: 'User', login: 'eve' } },
        author: { __typename: 'User', login: 'eve', databaseId: eve.id },
        reviews: {
          totalCount: 1,
          nodes: [
            {
              ...{ fullDatabaseId: String(review.id), state: 'COMMENTED', body: 'Hm' },
              ...{ author: { login: 'ada' }, commit: { oid: pull.head.sha } },
            },
          ],
        },
        comments: {
          nodes: [
            {
              ...{ fullDatabaseId: String(comment.id), body: 'Hello!', includesCreatedEdit: true },
              author: { databaseId: ada.id },
            },
          ],
        },
      },
    });
  });
});
