import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OutgoingHttpHeaders } from 'node:http';
import { inspect } from 'node:util';
import { absentOr, callFailure, isUncertain } from '../../src/github/errors.ts';
import { needsOf } from '../../src/github/fault.ts';
import type { GitHub } from '../../src/github/client.ts';
import { fakeTime, gitHub, refusalOf, REPO, secretToken, startServer } from './support.ts';

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: OutgoingHttpHeaders;
}

const TOKEN = secretToken();
let reply: Reply;
let asked: { readonly method: string; readonly url: string; readonly headers: Readonly<Record<string, unknown>> }[];
let server: Awaited<ReturnType<typeof startServer>>;
let github: GitHub;

beforeEach(async () => {
  asked = [];
  server = await startServer((request, response) => {
    asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    request.resume().on('end', () => {
      const { status, body, headers = {} } = reply;
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(body);
    });
  });
  github = gitHub(server.url, { auth: TOKEN });
});
afterEach(() => server.stop());

const json = (status: number, body: unknown, headers: OutgoingHttpHeaders = {}): Reply => ({
  ...{ status, headers },
  body: JSON.stringify(body),
});
const says = (status: number, message: string, headers: OutgoingHttpHeaders = {}): Reply =>
  json(status, { message, documentation_url: 'https://docs.github.com/rest' }, headers);

const get = () => github.api.request('GET /repos/{owner}/{repo}', REPO);
const post = () =>
  github.api.request('POST /repos/{owner}/{repo}/statuses/{sha}', { ...REPO, sha: 'a', state: 'success' });
const NO = 'Resource not accessible by integration';
const accepted = (permissions: string) => ({ 'x-accepted-github-permissions': permissions });

interface Row {
  readonly name: string;
  readonly reply: Reply;
  readonly call?: () => Promise<unknown>;
  readonly code: string;
  readonly message: string;
  readonly status?: number | null;
  readonly attempts?: number;
  readonly uncertain?: boolean;
}

const GET = 'GET /repos/acme/widgets';
const POST = 'POST /repos/acme/widgets/statuses/a';
const ROWS: readonly Row[] = [
  {
    name: 'a bad token',
    reply: says(401, 'Bad credentials'),
    code: 'CS1602',
    message: `${GET} was refused with 401: Bad credentials`,
  },
  {
    name: 'what is not there',
    reply: says(404, 'Not Found'),
    code: 'CS1604',
    message: `${GET} was answered with 404: it is not there, or the token may not see it`,
  },
  {
    name: 'a permission of the workflow',
    reply: says(403, NO, accepted('statuses=write')),
    ...{ call: post, code: 'CS1603' },
    message: `${POST} was refused with 403: ${NO}. Add under \`permissions:\`: statuses: write`,
  },
  {
    name: 'one of several permissions',
    reply: says(403, NO, accepted('issues=write; pull_requests=write,contents=read')),
    code: 'CS1603',
    message: `${GET} was refused with 403: ${NO}. Add under \`permissions:\`: issues: write or pull-requests: write, contents: read`,
  },
  {
    name: 'a permission that only apps have',
    reply: says(403, NO, accepted('members=read')),
    code: 'CS1603',
    message: `${GET} was refused with 403: ${NO}. It takes members: read, which only a GitHub App can have`,
  },
  {
    name: 'a permission that the server does not name',
    reply: says(403, NO),
    ...{ call: post, code: 'CS1603' },
    message: `${POST} was refused with 403: ${NO}. Add under \`permissions:\`: statuses: write`,
  },
  {
    // The last call of an hour leaves nothing either: that is no limit.
    name: 'a permission, on the last call of the hour',
    reply: says(403, NO, {
      ...accepted('statuses=write'),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '9999999999',
    }),
    ...{ call: post, code: 'CS1603' },
    message: `${POST} was refused with 403: ${NO}. Add under \`permissions:\`: statuses: write`,
  },
  {
    name: 'a body that does not fit',
    reply: json(422, {
      message: 'Validation Failed',
      errors: [{ resource: 'Status', field: 'state', code: 'invalid' }, { message: 'too long' }, 'odd'],
    }),
    ...{ call: post, code: 'CS1607' },
    message: `${POST} was refused with 422: Validation Failed: state invalid: too long: odd`,
  },
  {
    name: 'a reason that is hostile',
    reply: says(422, `\u001b[2J\u202e${'x'.repeat(10_000)}`),
    code: 'CS1607',
    message: `${GET} was refused with 422: \\u{1b}[2J\\u{202e}${'x'.repeat(282)}…`,
  },
  {
    name: 'a conflict',
    reply: says(409, 'Git Repository is empty.'),
    code: 'CS1607',
    message: `${GET} was refused with 409: Git Repository is empty.`,
  },
  {
    name: 'what is gone, which is not "absent"',
    reply: says(410, 'Issues are disabled'),
    code: 'CS1607',
    message: `${GET} was refused with 410: Issues are disabled`,
  },
  {
    name: 'a refusal without JSON',
    reply: { status: 451, body: '' },
    code: 'CS1607',
    message: `${GET} was refused with 451`,
  },
  {
    name: 'a 304 that nobody asked for',
    reply: { status: 304, body: '' },
    code: 'CS1607',
    message: `${GET} was refused with 304`,
  },
  {
    name: 'JSON that breaks off',
    reply: { status: 200, body: '{"a":' },
    attempts: 7,
    code: 'CS1606',
    message: `${GET} was answered with JSON that cannot be read (tried 7 times)`,
  },
  {
    name: 'no JSON at all',
    reply: { status: 200, body: '' },
    attempts: 7,
    code: 'CS1606',
    message: `${GET} was answered with JSON that cannot be read (tried 7 times)`,
  },
  {
    name: 'a page of a proxy',
    reply: { status: 200, body: '<p>Log in', headers: { 'content-type': 'text/html' } },
    attempts: 7,
    code: 'CS1606',
    message: `${GET} was answered with a page instead of data (tried 7 times)`,
  },
  {
    name: 'a page of the server',
    reply: { status: 502, body: '<title>Unicorn!\nmore', headers: { 'content-type': 'text/html' } },
    attempts: 7,
    code: 'CS1601',
    message: `${GET} failed with 502 (tried 7 times): <title>Unicorn!`,
  },
  {
    name: 'a write answered with JSON that breaks off',
    reply: { status: 201, body: '{"a":' },
    call: post,
    uncertain: true,
    code: 'CS1606',
    message: `${POST} was answered with JSON that cannot be read; it may have been carried out`,
  },
  {
    name: 'a write that the server fails at',
    reply: says(504, 'Timeout'),
    call: post,
    uncertain: true,
    code: 'CS1601',
    message: `${POST} failed with 504: Timeout; it may have been carried out`,
  },
  {
    name: 'a limit without a time',
    reply: says(429, 'You have exceeded a secondary rate limit.'),
    code: 'CS1605',
    attempts: 3,
    message: `${GET} was refused (tried 3 times): a secondary rate limit was met.`,
  },
  {
    name: "an older server's limit",
    reply: says(403, 'You have triggered an abuse detection mechanism.'),
    code: 'CS1605',
    attempts: 3,
    message: `${GET} was refused (tried 3 times): a secondary rate limit was met.`,
  },
];

describe('what GitHub answers becomes a refusal', () => {
  it.each(ROWS.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    reply = row.reply;
    const refusal = await refusalOf((row.call ?? get)());
    expect([refusal.code, refusal.message]).toEqual([row.code, row.message]);
    expect(asked).toHaveLength(row.attempts ?? 1);
    expect([callFailure(refusal)?.status, isUncertain(refusal)]).toEqual([row.reply.status, row.uncertain ?? false]);
    expect(inspect(refusal, { depth: 10, showHidden: true })).not.toContain(TOKEN);
  });

  it('only a 404 is "absent"', async () => {
    const found: string[] = [];
    for (const row of ROWS) {
      reply = row.reply;
      github = gitHub(server.url, { auth: TOKEN });
      const answer = await absentOr((row.call ?? get)()).catch(() => 'refused');
      if (answer === undefined) found.push(row.name);
    }
    expect(found).toEqual(['what is not there']);
  });

  it('a token is sent, and a date as the version', async () => {
    reply = json(200, {});
    await get();
    expect(asked[0]?.headers).toMatchObject({
      authorization: `token ${TOKEN}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': expect.stringMatching(/^countersign\/test /) as unknown,
    });
  });
});

describe('a GraphQL answer', () => {
  const errors = (...all: readonly object[]): Reply => json(200, { data: { a: null }, errors: all });
  it.each([
    [
      'a permission',
      errors({ type: 'FORBIDDEN', message: NO, path: ['a', 0, 'b'] }),
      'CS1603',
      1,
      `was refused with 403: FORBIDDEN: ${NO} (a.0.b). Add under \`permissions:\`: contents: read`,
    ],
    [
      'what is not there, which is not "absent"',
      errors({ type: 'NOT_FOUND', message: 'Could not resolve' }),
      'CS1607',
      1,
      'was refused with 200: NOT_FOUND: Could not resolve',
    ],
    [
      'several errors',
      errors({ message: 'a' }, { message: 'b' }, { message: 'c' }, { message: 'd' }),
      'CS1607',
      1,
      'was refused with 200: a; b; c and 1 more',
    ],
    [
      'a limit',
      errors({ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }),
      'CS1605',
      3,
      'was refused (tried 3 times): the rate limit is used up.',
    ],
    [
      'a secondary limit',
      errors({ message: 'You have exceeded a secondary rate limit.' }),
      'CS1605',
      3,
      'was refused (tried 3 times): a secondary rate limit was met.',
    ],
    [
      'a failure',
      errors({ message: 'Something went wrong while executing your query.' }),
      'CS1601',
      7,
      'failed with 200 (tried 7 times): Something went wrong while executing your query.',
    ],
    ['no data', json(200, {}), 'CS1606', 7, 'was answered without data (tried 7 times)'],
  ] as const)('%s', async (_name, given, code, attempts, message) => {
    reply = given;
    const refusal = await refusalOf(github.api.graphql('query { a }'));
    expect([refusal.code, refusal.message]).toEqual([code, `POST /graphql ${message}`]);
    expect(asked).toHaveLength(attempts);
    expect(await absentOr(Promise.reject(refusal)).catch(() => 'refused')).toBe('refused');
  });

  it('of a mutation that failed is not asked for again', async () => {
    reply = errors({ message: 'Something went wrong while executing your query.' });
    const refusal = await refusalOf(github.api.graphql('# query\nmutation { a }'));
    expect([refusal.code, isUncertain(refusal), asked.length]).toEqual(['CS1601', true, 1]);
  });
});

describe('an authentication strategy whose own call fails', () => {
  const strategy = () => {
    const hook = async (request: (route: string) => Promise<unknown>, options: object) => {
      await request('POST /app/installations/1/access_tokens');
      return (request as unknown as (given: object) => Promise<unknown>)(options);
    };
    return Object.assign(() => Promise.resolve({}), { hook });
  };
  it.each([
    [
      'is not "absent"',
      says(404, 'Not Found'),
      'CS1602',
      1,
      'GET /repos/acme/widgets was refused with 401: no token (404): Not Found',
    ],
    [
      'is made again',
      says(503, 'Busy'),
      'CS1601',
      7,
      'GET /repos/acme/widgets could not be sent (tried 7 times): no token: Busy',
    ],
  ] as const)('%s', async (_name, given, code, attempts, message) => {
    reply = given;
    // The token's call goes to the same server, without the hook, as octokit's own strategies make it.
    github = gitHub(server.url, { auth: { strategy, options: {} } });
    const refusal = await refusalOf(get());
    expect([refusal.code, refusal.message, asked.length]).toEqual([code, message, attempts]);
    expect(asked.every(({ url }) => url.includes('access_tokens'))).toBe(true);
  });
});

describe('permissions that a header names', () => {
  it.each([
    ['', []],
    ['statuses=write', [['statuses: write']]],
    ['a=read, b_c=write; d=admin', [['a: read', 'b-c: write'], ['d: admin']]],
    ['=; nonsense; a=execute; `x`=write', []],
    [';'.repeat(100_000), []],
    [`${'a'.repeat(100_000)}=write`, []],
  ])('%.40s', (header, needs) => {
    expect(needsOf(header)).toEqual(needs);
  });
});

describe('the moment until which a limit holds', () => {
  it.each([
    ['seconds', { 'retry-after': '90' }, '2026-01-01T00:01:30Z'],
    // GitHub's clock is 50 minutes ahead of ours here: what counts is the span.
    [
      'a date',
      { 'retry-after': 'Thu, 01 Jan 2026 01:00:00 GMT', date: 'Thu, 01 Jan 2026 00:50:00 GMT' },
      '2026-01-01T00:10:00Z',
    ],
    [
      'the reset',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767229200', date: 'Thu, 01 Jan 2026 00:50:00 GMT' },
      '2026-01-01T00:10:00Z',
    ],
  ])('is told by the clock of the caller: %s', async (_name, headers, moment) => {
    reply = says(403, 'API rate limit exceeded', headers);
    github = gitHub(server.url, { time: fakeTime(Date.parse('2026-01-01T00:00:00Z')), budget: 0 });
    expect((await refusalOf(get())).message).toContain(`It resets at ${moment}`);
  });
});
