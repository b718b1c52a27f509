import { describe, expect, it } from '@jest/globals';
import type { FaultEffect } from '../../src/sandbox/http/faults.ts';
import { callFailure, isUncertain } from '../../src/github/errors.ts';
import { isRefusal } from '../../src/domain/errors.ts';
import { startWorld } from '../sandbox/world.ts';
import { pick, random, SEED } from '../support/random.ts';
import { fakeTime, gitHub, REPO } from './support.ts';

const COMMENT = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
const COMMENTS = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';

const EFFECTS: readonly [FaultEffect, ...FaultEffect[]] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502, when: 'after' },
  { kind: 'status', status: 503 },
  { kind: 'reset' },
  { kind: 'reset', when: 'after' },
  { kind: 'truncated' },
  { kind: 'secondary-limit', retryAfter: 3 },
  { kind: 'too-many-requests', retryAfter: 3 },
  { kind: 'primary-limit', resetAfter: 5 },
];

const SEEDS = Array.from({ length: 3 }, (_, n) => SEED + n);

/** A world in which three in ten calls fail, each in one of the ways above. */
async function failingWorld(seed: number) {
  const next = random(seed);
  const time = fakeTime(undefined, next);
  const world = await startWorld({ now: time.now });
  const issue = (await world.pullRequest('topic')).number;
  const github = gitHub(world.sandbox.url, { auth: world.token, time, budget: Infinity });
  for (let n = 0; n < 6; n += 1) {
    world.sandbox.faults.add({ probability: 0.06, seed: Math.floor(next() * 1e6), effect: pick(next, EFFECTS) });
  }
  return { ...world, issue, github };
}

describe('under random faults', () => {
  it.each(SEEDS)('no read is lost, doubled or mistaken for another (seed %d)', async (seed) => {
    const { sandbox, widgets, bob, github, stop } = await failingWorld(seed);
    const shas: string[] = [];
    for (let n = 0; n < 15; n += 1) {
      shas.push(await sandbox.push(widgets, bob, { branch: 'many', files: { n: `${n}` }, message: `${n}` }));
    }
    const read = async (sha: string) =>
      (await github.api.request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', { ...REPO, commit_sha: sha }))
        .data;
    const ended = await Promise.allSettled([...shas, ...shas].map((sha) => read(sha)));
    for (const [at, one] of ended.entries()) {
      // Seven failures in a row are told; anything else is the answer, and the right one.
      if (one.status === 'rejected') expect(['CS1601', 'CS1605']).toContain((one.reason as { code: string }).code);
      else expect([one.value.sha, one.value.message]).toEqual([shas[at % 15], `${at % 15}`]);
    }
    expect(ended.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(27);
    expect(sandbox.log().some(({ fault }) => fault !== null)).toBe(true);
    await stop();
  });

  it.each(SEEDS)('no write is done twice, and none fails silently (seed %d)', async (seed) => {
    const { sandbox, issue, github, stop } = await failingWorld(seed);
    const wrote = async (body: string) => {
      try {
        await github.api.request(COMMENT, { ...REPO, issue_number: issue, body });
        return 'done';
      } catch (thrown) {
        if (!isRefusal(thrown) || callFailure(thrown) === undefined) throw thrown;
        return isUncertain(thrown) ? 'uncertain' : 'not done';
      }
    };
    const bodies = Array.from({ length: 40 }, (_, n) => `body ${n}`);
    const ends = await Promise.all(bodies.map(wrote));
    sandbox.faults.clear();
    const { data } = await github.api.request(COMMENTS, { ...REPO, issue_number: issue, per_page: 100 });
    const allowed = { done: [1], 'not done': [0], uncertain: [0, 1] };
    for (const [at, body] of bodies.entries()) {
      const made = data.filter((one) => one.body === body).length;
      expect(allowed[ends[at] ?? 'done']).toContain(made);
    }
    expect(ends).toEqual(expect.arrayContaining(['done', 'uncertain']));
    await stop();
  });
});

describe('many calls', () => {
  it('stay below the limits by their own pace, and are all answered', async () => {
    const time = fakeTime();
    const world = await startWorld({ now: time.now, limits: { concurrent: 10 } });
    const { api } = gitHub(world.sandbox.url, { auth: world.token, time, budget: Infinity });
    const { number } = await world.pullRequest('topic');
    const comment = (n: number) => api.request(COMMENT, { ...REPO, issue_number: number, body: `${n}` });
    const read = () => api.request('GET /repos/{owner}/{repo}', REPO);
    await Promise.all([...Array.from({ length: 100 }, (_, n) => comment(n)), ...Array.from({ length: 500 }, read)]);
    expect(world.sandbox.log().filter(({ status }) => status >= 300)).toEqual([]);
    // More than a minute's worth of points and of content.
    expect(time.waits.length).toBeGreaterThan(0);
    await world.stop();
  });

  it('would meet them otherwise: the sandbox refuses more at once', async () => {
    const time = fakeTime();
    const world = await startWorld({ now: time.now, limits: { concurrent: 2 } });
    const { api } = gitHub(world.sandbox.url, { auth: world.token, time, maxInFlight: 20 });
    const read = () => api.request('GET /repos/{owner}/{repo}/branches/{branch}', { ...REPO, branch: 'main' });
    await Promise.allSettled(Array.from({ length: 20 }, read));
    expect(world.sandbox.log().some(({ status }) => status === 403)).toBe(true);
    await world.stop();
  });
});
