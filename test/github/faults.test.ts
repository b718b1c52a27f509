import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FaultEffect } from '../../src/sandbox/http/faults.ts';
import { callFailure, isUncertain } from '../../src/github/errors.ts';
import type { GitHub } from '../../src/github/client.ts';
import { at, startWorld } from '../sandbox/world.ts';
import type { World } from '../sandbox/world.ts';
import { fakeTime, gitHub, refusalOf, REPO, startServer } from './support.ts';
import type { FakeTime } from './support.ts';

let world: World;
let time: FakeTime;
let github: GitHub;
let issue: number;

let count = 0;
// Time starts anew for each test, so that the sandbox sees the calls of all of them within one minute.
const PLENTY = { pointsPerMinute: 1e6, graphqlPointsPerMinute: 1e6, contentPerMinute: 1e6, contentPerHour: 1e6 };

beforeAll(async () => {
  time = fakeTime();
  world = await startWorld({ now: () => time.now(), limits: { ...PLENTY, hourlyInstallation: 1e6 } });
  issue = (await world.pullRequest('topic')).number;
});
beforeEach(() => {
  time = fakeTime();
  github = gitHub(world.sandbox.url, { auth: world.token, time });
  count += 1;
  world.sandbox.forgetCalls();
});
afterEach(() => world.sandbox.faults.clear());
afterAll(() => world.stop());

const read = async () => (await github.api.request('GET /repos/{owner}/{repo}', REPO)).data.full_name;
const query = async () => at(await github.api.graphql('query { rateLimit { cost } }'), 'rateLimit', 'cost');
const write = async () =>
  (
    await github.api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...REPO,
      ...{ issue_number: issue, body: `${count}` },
    })
  ).data.body;
/** How many comments this test made. */
const comments = async () => {
  world.sandbox.faults.clear();
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const { data } = await github.api.request(route, { ...REPO, issue_number: issue, per_page: 100 });
  return data.filter(({ body }) => body === `${count}`).length;
};

interface Row {
  readonly effect: FaultEffect;
  /** Milliseconds waited before the second and third attempt, without jitter. */
  readonly waits: readonly [number, number];
  /** What it ends in where it lasts, and after how many attempts. */
  readonly lasting: readonly [code: string, attempts: number, says: string];
  /** What becomes of a write: done after repeating, or thrown as one that may have been done. */
  readonly write: 'repeated' | 'uncertain';
}

const BACK_OFF = [500, 1000] as const;
const ROWS: readonly Row[] = [
  ...([500, 502, 503] as const).flatMap((status) =>
    (['before', 'after'] as const).map((when): Row => ({
      effect: { kind: 'status', status, when },
      waits: BACK_OFF,
      lasting: ['CS1601', 7, `failed with ${status} (tried 7 times)`],
      write: 'uncertain',
    })),
  ),
  ...(['before', 'after'] as const).map((when): Row => ({
    effect: { kind: 'reset', when },
    waits: BACK_OFF,
    lasting: ['CS1601', 7, 'got no whole answer (tried 7 times): '],
    write: 'uncertain',
  })),
  {
    effect: { kind: 'truncated' },
    waits: BACK_OFF,
    lasting: ['CS1601', 7, 'got no whole answer (tried 7 times): '],
    write: 'uncertain',
  },
  {
    effect: { kind: 'secondary-limit', retryAfter: 7 },
    waits: [7000, 7000],
    lasting: ['CS1605', 5, 'a secondary rate limit was met. It resets at 2026-01-01T00:00:35Z.'],
    write: 'repeated',
  },
  {
    effect: { kind: 'too-many-requests', retryAfter: 7 },
    waits: [7000, 7000],
    lasting: ['CS1605', 5, 'a secondary rate limit was met. It resets at 2026-01-01T00:00:35Z.'],
    write: 'repeated',
  },
  {
    effect: { kind: 'primary-limit', resetAfter: 9 },
    waits: [9000, 9000],
    lasting: ['CS1605', 5, 'the rate limit is used up. It resets at 2026-01-01T00:00:45Z.'],
    write: 'repeated',
  },
];

const named = ROWS.map((row) => [JSON.stringify(row.effect), row] as const);

describe.each(named)('under %s', (_name, { effect, waits, lasting, write: writes }) => {
  it.each([
    ['a read', () => read(), 'acme/widgets'],
    ['a query', () => query(), 1],
  ] as const)('%s is made again until it succeeds', async (_kind, call, expected) => {
    world.sandbox.faults.add({ nth: [1, 2], effect });
    expect(await call()).toBe(expected);
    expect(time.waits).toEqual(waits);
    expect(world.sandbox.log()).toHaveLength(3);
  });

  it.each([
    ['a read', () => read(), 'GET /repos/acme/widgets'],
    ['a query', () => query(), 'POST /graphql'],
  ] as const)('%s ends in a refusal where it lasts', async (_kind, call, name) => {
    world.sandbox.faults.add({ effect });
    const refusal = await refusalOf(call());
    const [code, attempts, says] = lasting;
    expect([refusal.code, world.sandbox.log().length]).toEqual([code, attempts]);
    expect(refusal.message).toContain(`${name} `);
    expect(refusal.message).toContain(says);
    expect(isUncertain(refusal)).toBe(false);
  });

  it(`a write is ${writes}`, async () => {
    world.sandbox.faults.add({ nth: 1, effect });
    if (writes === 'repeated') {
      expect(await write()).toBe(`${count}`);
      expect(await comments()).toBe(1);
      return;
    }
    const refusal = await refusalOf(write());
    expect([refusal.code, isUncertain(refusal)]).toEqual(['CS1601', true]);
    expect(refusal.message).toContain('; it may have been carried out');
    expect(world.sandbox.calls()['issues/create-comment']).toBe(1);
    const happened = effect.kind === 'truncated' || ('when' in effect && effect.when === 'after');
    expect(await comments()).toBe(happened ? 1 : 0);
  });
});

describe('time', () => {
  it('that a call takes is bounded, and a read made again', async () => {
    github = gitHub(world.sandbox.url, { auth: world.token, time, timeout: 200 });
    world.sandbox.faults.add({ nth: 1, effect: { kind: 'latency', ms: 1000 } });
    expect(await read()).toBe('acme/widgets');
    expect(world.sandbox.log()).toHaveLength(2);
  });

  it('of a write is bounded too, but it is not made again', async () => {
    github = gitHub(world.sandbox.url, { auth: world.token, time, timeout: 200 });
    world.sandbox.faults.add({ nth: 1, effect: { kind: 'latency', ms: 400 } });
    expect(isUncertain(await refusalOf(write()))).toBe(true);
    expect(world.sandbox.calls()['issues/create-comment']).toBe(1);
  });

  it.each([
    [
      { kind: 'primary-limit', resetAfter: 3000 },
      'CS1605',
      'the rate limit is used up. It resets at 2026-01-01T00:50:00Z.',
    ],
    [
      { kind: 'secondary-limit', retryAfter: 301 },
      'CS1605',
      'a secondary rate limit was met. It resets at 2026-01-01T00:05:01Z.',
    ],
  ] as const)('to wait is bounded: %j', async (effect, code, says) => {
    world.sandbox.faults.add({ nth: 1, effect });
    const refusal = await refusalOf(read());
    expect([refusal.code, time.waits]).toEqual([code, []]);
    expect(refusal.message).toContain(says);
    // Nothing is asked while GitHub has said that it will refuse.
    const calls = world.sandbox.log().length;
    if (effect.kind === 'primary-limit') {
      const next = await refusalOf(read());
      expect(next.message).toContain('was not made: the rate limit allows it at 2026-01-01T00:50:00Z only.');
      expect(world.sandbox.log()).toHaveLength(calls);
      expect(await query()).toBe(1);
    }
  });

  it('is waited as long as it takes where no budget bounds it', async () => {
    github = gitHub(world.sandbox.url, { auth: world.token, time, budget: Infinity });
    world.sandbox.faults.add({ nth: 1, effect: { kind: 'primary-limit', resetAfter: 3000 } });
    expect(await read()).toBe('acme/widgets');
    expect(time.waits).toEqual([3_000_000]);
  });
});

describe('limits of the hour', () => {
  it('are waited for, once nothing remains, without a refused call', async () => {
    const small = await startWorld({ now: () => time.now(), limits: { hourlyWorkflow: 2 } });
    const token = small.sandbox.workflowToken(small.widgets, { contents: 'read' });
    github = gitHub(small.sandbox.url, { auth: token, time, budget: Infinity });
    for (let n = 0; n < 5; n += 1) await read();
    const asked = small.sandbox.log().filter(({ route }) => route === 'repos/get');
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(time.now()).toBeGreaterThanOrEqual(Date.parse('2026-01-01T02:00:00Z'));
    await small.stop();
  });
});

describe('a call that reached nobody', () => {
  it('is made again, a write too, and is certain', async () => {
    const { url, stop } = await startServer(() => undefined);
    await stop();
    github = gitHub(url, { auth: world.token, time });
    const refusal = await refusalOf(write());
    expect([refusal.code, callFailure(refusal)?.uncertain, time.waits.length]).toEqual(['CS1601', false, 6]);
    expect(refusal.message).toContain('could not be sent (tried 7 times): ');
  });

  it('ends with the signal of its caller', async () => {
    const stop = new AbortController();
    world.sandbox.faults.add({
      effect: { kind: 'meanwhile', act: () => Promise.resolve(stop.abort(new Error('done'))) },
    });
    const call = github.api.request('GET /repos/{owner}/{repo}', { ...REPO, request: { signal: stop.signal } });
    await expect(call).rejects.toThrow('done');
    expect(world.sandbox.log()).toHaveLength(1);
  });
});
