import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { EvaluationResult, Lease } from '../../../src/app/store/queues.ts';
import type { Store } from '../../../src/app/store/store.ts';
import { pullKey } from '../../../src/app/store/queues.ts';
import { SEED } from '../../support/random.ts';
import type { Lab } from './lab.ts';
import { claimRequest, failure, LEASE, LEASE_SECONDS, mustClaim, request, T, withStore } from './lab.ts';

export function result(id: string, more: Partial<EvaluationResult> = {}): EvaluationResult {
  return {
    id,
    key: '42#1',
    headSha: 'a'.repeat(40),
    baseSha: 'b'.repeat(40),
    outcome: 'verified',
    word: 'VERIFIED',
    reportDigest: 'c'.repeat(64),
    at: T,
    ...more,
  };
}

export function evaluationContract(lab: Lab, runs: number): void {
  describe('the queue of evaluations', () => {
    it('joins requests that wait: newest reason and head, earliest time, highest priority', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1, { reason: 'opened', headSha: 'aaa', notBefore: T + 50, priority: 5 }));
        await store.requestEvaluation(
          request(1, { reason: 'synchronize', headSha: 'bbb', now: T + 9, notBefore: T + 90 }),
        );
        await store.requestEvaluation(
          request(1, { reason: 'labeled', installationId: 8, now: T + 10, notBefore: T + 60 }),
        );
        expect((await store.counts({ now: T + 20 })).evaluations).toMatchObject({ queued: 1, oldestAge: 20 });
        expect(await store.claimEvaluation(claimRequest(T + 49))).toBeUndefined();
        const claimed = await mustClaim(store, T + 50);
        expect(claimed).toEqual({
          lease: { id: '42#1', token: claimed.lease.token },
          key: '42#1',
          repositoryId: 42,
          installationId: 8,
          number: 1,
          reason: 'labeled',
          headSha: 'bbb',
          requestedAt: T,
          attempts: 1,
        });
        expect(await store.claimEvaluation(claimRequest(T + 99))).toBeUndefined();
      }));

    it('runs a pull request again when a request came while it ran', () =>
      withStore(lab, async (store) => {
        const renew = (lease: Lease) => store.renewEvaluation({ lease, now: T + 2, leaseSeconds: LEASE_SECONDS });
        await store.requestEvaluation(request(1));
        const { lease } = await mustClaim(store);
        expect(await renew(lease)).toBe('held');
        await store.requestEvaluation(
          request(1, { reason: 'synchronize', headSha: 'bbb', now: T + 1, notBefore: T + 7 }),
        );
        expect(await renew(lease)).toBe('superseded');
        expect(await store.claimEvaluation(claimRequest(T + 9))).toBeUndefined();
        expect(await store.finishEvaluation({ lease, now: T + 5 })).toBe('again');
        expect(await store.claimEvaluation(claimRequest(T + 6))).toBeUndefined();
        const second = await mustClaim(store, T + 7);
        expect(second).toMatchObject({ reason: 'synchronize', headSha: 'bbb', requestedAt: T + 1, attempts: 1 });
        expect(await store.finishEvaluation({ lease: second.lease, now: T + 8 })).toBe('done');
        expect(await store.claimEvaluation(claimRequest(T + LEASE))).toBeUndefined();
      }));

    it('backs off, sets aside, and starts anew on a request', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        for (const expected of ['retry', 'poison']) {
          const { lease } = await mustClaim(store, T + LEASE);
          const failed = { lease, ...failure(T + LEASE, { retryAt: T, maxAttempts: 2 }) };
          expect(await store.failEvaluation(failed)).toBe(expected);
        }
        expect(await store.claimEvaluation(claimRequest(T + LEASE * 2))).toBeUndefined();
        expect(await store.poison({ limit: 5 })).toEqual([
          {
            kind: 'evaluation',
            id: '42#1',
            what: 'pull_request.opened',
            repositoryId: 42,
            attempts: 2,
            error: 'the API answered 502',
            at: T + LEASE,
          },
        ]);
        await store.requestEvaluation(request(1, { reason: 'recheck' }));
        expect(await store.poison({ limit: 5 })).toEqual([]);
        expect(await mustClaim(store)).toMatchObject({ attempts: 1, reason: 'recheck' });
      }));

    it.each(['failEvaluation', 'releaseExpired'] as const)('does not lose a request that came before %s', (how) =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        const { lease } = await mustClaim(store);
        await store.requestEvaluation(request(1, { reason: 'newer', now: T + 1, notBefore: T + 2 }));
        if (how === 'failEvaluation') {
          const failed = { lease, ...failure(T + 1, { retryAt: T + LEASE * 9, maxAttempts: 1 }) };
          expect(await store.failEvaluation(failed)).toBe('retry');
        } else {
          await store.releaseExpired({ now: T + LEASE, maxAttempts: 1 });
        }
        expect(await mustClaim(store, T + LEASE)).toMatchObject({ reason: 'newer', attempts: 1 });
      }),
    );

    it('fences a worker whose lease ended', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        const { lease } = await mustClaim(store);
        const late = T + LEASE;
        const publication = { kind: 'comment', target: '', evaluationId: 'e1', digest: 'd' };
        const attempts = async (now: number) => [
          await store.renewEvaluation({ lease, now, leaseSeconds: LEASE_SECONDS }),
          await store.recordEvaluation({ lease, now, result: result('e1') }),
          (await store.beginPublication({ lease, now, ...publication })).is,
          await store.forgetPublication({ lease, now, kind: 'comment', target: '' }),
          await store.giveBackEvaluation({ lease, now, notBefore: now }),
          await store.failEvaluation({ lease, ...failure(now) }),
          await store.finishEvaluation({ lease, now }),
        ];
        const lost = Array.from({ length: 7 }, () => 'lost');
        expect(await attempts(late)).toEqual(lost);
        await store.releaseExpired({ now: late, maxAttempts: 3 });
        expect(await attempts(late)).toEqual(lost);
        const second = await mustClaim(store, late);
        expect(await attempts(late)).toEqual(lost);
        expect(await store.evaluation('e1')).toBeUndefined();
        expect(await store.publication({ key: '42#1', kind: 'comment', target: '' })).toBeUndefined();
        expect(await store.finishEvaluation({ lease: second.lease, now: late })).toBe('done');
      }));

    it('serves repositories in turn, however much one asks for', () =>
      withStore(lab, async (store) => {
        for (let n = 1; n <= 30; n++) await store.requestEvaluation(request(n, { repositoryId: 1, priority: 600 }));
        for (let n = 1; n <= 5; n++) await store.requestEvaluation(request(n, { repositoryId: 2, notBefore: T + 1 }));
        await store.requestEvaluation(request(1, { repositoryId: 3, notBefore: T + 2 }));
        const order: number[] = [];
        for (let n = 0; n < 12; n++) {
          const { lease, repositoryId } = await mustClaim(store, T + 10);
          order.push(repositoryId);
          await store.finishEvaluation({ lease, now: T + 11 });
        }
        expect(order.slice(0, 3).sort()).toEqual([1, 2, 3]);
        expect(order.slice(3, 11)).toEqual(order.slice(3, 11).map((_, n) => (n % 2 === 0 ? order[3] : order[4])));
        expect(order.filter((one) => one === 2)).toHaveLength(5);
        // One that comes new is served before those that were.
        await store.requestEvaluation(request(1, { repositoryId: 4, notBefore: T + 10 }));
        expect((await mustClaim(store, T + 12)).repositoryId).toBe(4);
      }));

    it('gives a head start in seconds within a repository', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        await store.requestEvaluation(request(2, { notBefore: T + 5000, priority: 6 }));
        await store.requestEvaluation(request(3, { notBefore: T + 9000, priority: 6 }));
        const order: number[] = [];
        for (let n = 0; n < 3; n++) order.push((await mustClaim(store, T + 9000)).number);
        expect(order).toEqual([2, 1, 3]);
      }));

    it('evaluates pull requests with one head one after the other', () =>
      withStore(lab, async (store) => {
        const of = (number: number, headSha: string, repositoryId = 42) =>
          store.requestEvaluation(request(number, { headSha, repositoryId }));
        await of(1, 'a');
        await of(2, 'a');
        await of(3, 'b');
        await of(1, 'a', 43); // another repository's check runs
        const all = await Promise.all(Array.from({ length: 4 }, () => store.claimEvaluation(claimRequest())));
        const claims = all.filter((one) => one !== undefined);
        expect(claims.map(({ key }) => key).sort()).toEqual(['42#1', '42#3', '43#1']);
        // It moves on while it runs: what it may write to now is its new head, too.
        await of(2, 'b');
        expect(await store.claimEvaluation(claimRequest())).toBeUndefined();
        for (const { lease } of claims) await store.finishEvaluation({ lease, now: T });
        expect((await mustClaim(store)).key).toBe('42#2');
      }));

    it('gives back without counting', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        const { lease } = await mustClaim(store);
        expect(await store.giveBackEvaluation({ lease, now: T, notBefore: T + 100 })).toBe('queued');
        expect(await store.claimEvaluation(claimRequest(T + 99))).toBeUndefined();
        expect((await mustClaim(store, T + 100)).attempts).toBe(1);
      }));

    it('passes over a pull request that was closed, until it is opened again', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        await store.closePull({ key: '42#1', now: T });
        expect(await store.claimEvaluation(claimRequest())).toBeUndefined();
        await store.requestEvaluation(request(1, { reason: 'reopened' }));
        const { lease } = await mustClaim(store);
        await store.requestEvaluation(request(1));
        await store.closePull({ key: '42#1', now: T });
        expect(await store.finishEvaluation({ lease, now: T })).toBe('done');
      }));

    it('closes a pull request that was found closed, unless somebody asked for it meanwhile', () =>
      withStore(lab, async (store) => {
        const pruned = async () => (await store.prune({ before: T + 99, limit: 9 })).pulls;
        await store.requestEvaluation(request(1));
        const first = await mustClaim(store);
        await store.requestEvaluation(request(1, { reason: 'reopened' }));
        expect(await store.finishEvaluation({ lease: first.lease, now: T, closed: true })).toBe('again');
        const { lease } = await mustClaim(store);
        expect(await pruned()).toBe(0);
        expect(await store.finishEvaluation({ lease, now: T, closed: true })).toBe('done');
        expect(await store.claimEvaluation(claimRequest())).toBeUndefined();
        expect(await pruned()).toBe(1);
      }));

    it('keeps results, and fills in what was published', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        const { lease } = await mustClaim(store);
        const record = (one: EvaluationResult) => store.recordEvaluation({ lease, now: T, result: one });
        expect(await record(result('e1', { word: undefined }))).toBe('recorded');
        expect(await record(result('e2', { outcome: 'pending', at: T + 1 }))).toBe('recorded');
        expect(await record(result('e1', { word: 'X', commentId: 12, checkIds: { Countersign: 5 } }))).toBe('recorded');
        expect(await record(result('e1'))).toBe('recorded');
        expect(await store.evaluation('e1')).toEqual(
          result('e1', { word: undefined, commentId: 12, checkIds: { Countersign: 5 } }),
        );
        expect(await store.latestEvaluation('42#1')).toEqual(result('e2', { outcome: 'pending', at: T + 1 }));
        expect(await store.latestEvaluation('42#2')).toBeUndefined();
        await expect(record(result('e9', { key: '42#2' }))).rejects.toThrow('does not cover');
      }));

    it('tells which pull requests at a head await something', () =>
      withStore(lab, async (store) => {
        const at = async (headSha: string, repositoryId = 42) =>
          (await store.awaitingAt({ repositoryId, headSha })).map(({ number, awaits }) => [
            number,
            ...(awaits ?? ['?']),
          ]);
        const judged = async (number: number, headSha: string, ...outcomes: string[]): Promise<void> => {
          for (const [turn, outcome] of outcomes.entries()) {
            await store.requestEvaluation(request(number, { headSha }));
            const { lease } = await mustClaim(store);
            const given = { key: `42#${number}`, headSha, outcome, at: T + turn, awaits: [`job ${number}`] };
            await store.recordEvaluation({ lease, now: T, result: result(`${number}-${headSha}-${turn}`, given) });
            await store.finishEvaluation({ lease, now: T });
          }
        };
        const [a, b] = ['a'.repeat(40), 'b'.repeat(40)];
        await judged(1, a, 'verified');
        await judged(2, a, 'verified', 'pending');
        await judged(3, a, 'pending', 'failed');
        await judged(4, b, 'pending');
        await judged(5, a, 'pending');
        expect([await at(a), await at(b), await at(a, 43), await at('c'.repeat(40))]).toEqual([
          [
            [2, 'job 2'],
            [5, 'job 5'],
          ],
          [[4, 'job 4']],
          [],
          [],
        ]);

        await store.closePull({ key: '42#5', now: T });
        await store.requestEvaluation(request(2, { headSha: b }));
        expect([await at(a), await at(b)]).toEqual([[], [[4, 'job 4']]]);

        // Of one under way nobody knows yet what it will await.
        await store.requestEvaluation(request(1, { headSha: a }));
        expect(await at(a)).toEqual([]);
        await mustClaim(store);
        await mustClaim(store);
        expect([await at(a), await at(b)]).toEqual([
          [[1, '?']],
          [
            [2, '?'],
            [4, 'job 4'],
          ],
        ]);
      }));

    it('loses no request and runs no pull request twice at once, whatever happens in between', () =>
      withStore(lab, async (store) => {
        let run = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 40 }), async (steps) => {
            run++;
            await playOut(store, run * 1000, steps);
          }),
          { seed: SEED, numRuns: runs },
        );
      }));
  });
}

type Step =
  | { readonly do: 'request'; readonly pull: number; readonly delay: number }
  | { readonly do: 'claim' | 'release' }
  | { readonly do: 'finish' | 'fail' | 'giveBack'; readonly which: number }
  | { readonly do: 'wait'; readonly ms: number };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('request'), pull: fc.nat(3), delay: fc.nat(3000) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('claim', 'release') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('finish', 'fail', 'giveBack'), which: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.constantFrom(1, 500, 3000, LEASE) }) },
);

// The model: for each pull request, the number of its newest request, and the newest that a finished run has seen.
async function playOut(store: Store, repository: number, steps: readonly Step[]): Promise<void> {
  let now = T;
  let serial = 0;
  const newest = new Map<string, number>();
  const seen = new Map<string, number>();
  const held: { lease: Lease; until: number; request: number }[] = [];

  async function claim(): Promise<boolean> {
    const claimed = await store.claimEvaluation(claimRequest(now));
    if (claimed === undefined) return false;
    expect(held.filter(({ lease, until }) => lease.id === claimed.key && until > now)).toEqual([]);
    const request = newest.get(claimed.key);
    expect(claimed.reason).toBe(String(request));
    held.push({ lease: claimed.lease, until: now + LEASE, request: request ?? 0 });
    return true;
  }

  async function finish(one: (typeof held)[number]): Promise<void> {
    const { lease, until, request } = one;
    const ended = await store.finishEvaluation({ lease, now });
    expect(ended).toBe(until <= now ? 'lost' : newest.get(lease.id) === request ? 'done' : 'again');
    if (ended !== 'lost') seen.set(lease.id, request);
  }

  for (const step of steps) {
    switch (step.do) {
      case 'request': {
        const key = pullKey(repository, step.pull);
        newest.set(key, ++serial);
        const when = { now, notBefore: now + step.delay, reason: String(serial) };
        await store.requestEvaluation(request(step.pull, { repositoryId: repository, ...when }));
        break;
      }
      case 'claim':
        await claim();
        break;
      case 'release':
        await store.releaseExpired({ now, maxAttempts: 99 });
        break;
      case 'wait':
        now += step.ms;
        break;
      default: {
        const [one] = held.splice(step.which % Math.max(held.length, 1), 1);
        if (one === undefined) break;
        const { lease } = one;
        if (step.do === 'finish') await finish(one);
        else if (step.do === 'fail') await store.failEvaluation({ lease, ...failure(now, { maxAttempts: 99 }) });
        else await store.giveBackEvaluation({ lease, now, notBefore: now + 10 });
      }
    }
  }

  // Every worker dies; others come and work until nothing is left.
  now += 2 * LEASE;
  await store.releaseExpired({ now, maxAttempts: 99 });
  while (await claim()) {
    const one = held.pop();
    if (one !== undefined) await finish(one);
  }
  expect(seen).toEqual(newest);
}
