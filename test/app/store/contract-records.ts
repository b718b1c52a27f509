import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../../../src/app/store/records.ts';
import type { Store } from '../../../src/app/store/store.ts';
import { result } from './contract-evaluations.ts';
import type { Lab } from './lab.ts';
import { claimRequest, delivery, failure, LEASE, LEASE_SECONDS, mustClaim, mustClaimDelivery } from './lab.ts';
import { request, T, withStore } from './lab.ts';

const COMMENT = { kind: 'comment', target: 'verdict' };

function decision(id: string, more: Partial<Decision> = {}): Decision {
  return {
    id,
    commentId: 100,
    key: '42#1',
    actorId: 583_231,
    actorLogin: 'ana',
    verb: 'approve',
    details: { reason: 'seen; it’s "fine"' },
    headSha: 'a'.repeat(40),
    contractDigest: undefined,
    at: T,
    ...more,
  };
}

async function done(store: Store, id: string, now: number, outcome = 'evaluated'): Promise<void> {
  await store.acceptDelivery(delivery(id, { receivedAt: now }));
  const { lease } = await mustClaimDelivery(store, now);
  await store.finishDelivery({ lease, now, outcome });
}

export function recordContract(lab: Lab): void {
  describe('publications', () => {
    it('are created once, then changed, and left alone where nothing changed', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        const { lease } = await mustClaim(store);
        const begin = (digest: string) =>
          store.beginPublication({ lease, now: T, ...COMMENT, evaluationId: 'e1', digest });
        const finish = () => store.finishPublication({ lease, now: T, ...COMMENT, remoteId: '77' });
        expect(await finish()).toBe('lost');
        expect(await begin('one')).toEqual({ is: 'create' });
        expect(await store.pendingPublications('42#1')).toEqual([
          {
            key: '42#1',
            ...COMMENT,
            state: 'intent',
            evaluationId: 'e1',
            digest: 'one',
            remoteId: undefined,
            begunAt: T,
          },
        ]);
        expect(await finish()).toBe('done');
        expect(await finish()).toBe('done');
        expect(await store.pendingPublications('42#1')).toEqual([]);
        expect(await begin('one')).toEqual({ is: 'unchanged', remoteId: '77' });
        expect(await begin('two')).toEqual({ is: 'update', remoteId: '77' });
        // The change may not have reached GitHub: the same text is sent again.
        expect(await begin('one')).toEqual({ is: 'update', remoteId: '77' });
        expect(await begin('two')).toEqual({ is: 'update', remoteId: '77' });
        expect(await finish()).toBe('done');
        expect(await store.forgetPublication({ lease, now: T, ...COMMENT })).toBe('done');
        expect(await begin('two')).toEqual({ is: 'create' });
      }));

    it('whose end is not known are looked for first, by whoever comes next', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        const first = await mustClaim(store);
        const begin = { ...COMMENT, evaluationId: 'e1', digest: 'one' };
        await store.beginPublication({ lease: first.lease, now: T, ...begin });
        await store.beginPublication({ lease: first.lease, now: T, ...begin, kind: 'check', target: 'Countersign@a' });

        const late = T + LEASE;
        await store.releaseExpired({ now: late, maxAttempts: 3 });
        const second = await mustClaim(store, late);
        expect((await store.pendingPublications('42#1')).map(({ kind }) => kind)).toEqual(['check', 'comment']);
        // The first one’s call had gone through; it says so late, before anybody began again: that is still true.
        const check = { kind: 'check', target: 'Countersign@a' };
        expect(await store.finishPublication({ lease: first.lease, now: late, ...check, remoteId: '5' })).toBe('done');
        expect(await store.beginPublication({ lease: second.lease, now: late, ...begin })).toEqual({ is: 'look' });
        expect(await store.finishPublication({ lease: first.lease, now: late, ...COMMENT, remoteId: '6' })).toBe(
          'lost',
        );
        expect(await store.finishPublication({ lease: second.lease, now: late, ...COMMENT, remoteId: '7' })).toBe(
          'done',
        );
        expect(await store.publication({ key: '42#1', ...COMMENT })).toMatchObject({ state: 'done', remoteId: '7' });
        expect(await store.publication({ key: '42#1', ...check })).toMatchObject({ state: 'done', remoteId: '5' });
      }));
  });

  describe('decisions', () => {
    it('are appended once and never change', () =>
      withStore(lab, async (store) => {
        const first = decision('100/0');
        const second = decision('100/2', { verb: 'allow', contractDigest: 'd'.repeat(64), at: T - 5 });
        expect(await store.appendDecision(first)).toBe('appended');
        expect(await store.appendDecision(second)).toBe('appended');
        expect(await store.appendDecision(decision('100/0', { verb: 'confirm waiver' }))).toBe('duplicate');
        expect(await store.appendDecision(decision('200/0', { key: '42#2' }))).toBe('appended');
        expect(await store.decisionsOf('42#1')).toEqual([
          { ...first, voided: undefined },
          { ...second, voided: undefined },
        ]);
      }));

    it('are void once their comment was edited, even if that is told first', () =>
      withStore(lab, async (store) => {
        await store.appendDecision(decision('100/0'));
        await store.voidDecisions({ commentId: 100, now: T + 5, why: 'edited' });
        await store.voidDecisions({ commentId: 100, now: T + 9, why: 'deleted' });
        await store.voidDecisions({ commentId: 300, now: T + 6, why: 'deleted' });
        await store.appendDecision(decision('300/0', { commentId: 300 }));
        expect((await store.decisionsOf('42#1')).map(({ voided }) => voided)).toEqual([
          { at: T + 5, why: 'edited' },
          { at: T + 6, why: 'deleted' },
        ]);
      }));

    it('are answered once', () =>
      withStore(lab, async (store) => {
        const answer = { commentId: 100, key: '42#1', now: T };
        expect(await store.markAnswered({ commentId: 100, now: T })).toBe(false);
        const begun = await Promise.all([1, 2, 3].map(() => store.beginAnswer(answer)));
        expect(begun.sort()).toEqual(['first', 'look', 'look']);
        expect(await store.markAnswered({ commentId: 100, now: T, remoteId: '5' })).toBe(true);
        expect(await store.markAnswered({ commentId: 100, now: T })).toBe(false);
        expect(await store.beginAnswer(answer)).toBe('answered');
      }));
  });

  describe('installations and repositories', () => {
    const installation = { id: 7, accountId: 1, accountLogin: 'acme', state: 'active', at: T } as const;
    const repository = { id: 42, installationId: 7, owner: 'acme', name: 'shop', state: 'active', at: T } as const;

    it('follow the newest event, in whatever order they come', () =>
      withStore(lab, async (store) => {
        await store.putInstallation({ ...installation, accountLogin: 'acme-inc', at: T + 5 });
        await store.putInstallation(installation);
        await store.putInstallation({ ...installation, id: 9, state: 'suspended' });
        expect(await store.installation(7)).toEqual({ ...installation, accountLogin: 'acme-inc', at: T + 5 });
        expect((await store.installations({ limit: 1 })).map(({ id }) => id)).toEqual([7]);
        expect((await store.installations({ after: 7, limit: 5 })).map(({ id }) => id)).toEqual([9]);

        await store.putRepository({ ...repository, name: 'shop-2', at: T + 5 });
        await store.putRepository(repository);
        expect(await store.repository(42)).toEqual({ ...repository, name: 'shop-2', at: T + 5 });
        await store.putRepository({ ...repository, id: 43, state: 'removed' });
        expect((await store.repositories({ installationId: 7, limit: 9 })).map(({ id }) => id)).toEqual([42]);
        expect(await store.repositories({ installationId: 7, after: 42, limit: 9 })).toEqual([]);
        expect(await store.repository(44)).toBeUndefined();
        expect(await store.installation(44)).toBeUndefined();
      }));

    it.each([['removal first'], ['addition first']])('survive a transfer with the %s', (order) =>
      withStore(lab, async (store) => {
        await store.putRepository(repository);
        await store.requestEvaluation(request(1));
        const events = [
          { ...repository, state: 'removed', at: T + 5 } as const,
          { ...repository, installationId: 8, owner: 'umbrella', at: T + 5 },
        ];
        if (order === 'addition first') events.reverse();
        for (const event of events) await store.putRepository(event);
        if (order === 'removal first') await store.requestEvaluation(request(1, { installationId: 8 }));
        expect(await store.repository(42)).toMatchObject({ installationId: 8, state: 'active' });
        expect((await mustClaim(store)).installationId).toBe(8);
      }),
    );

    it('wait while suspended and leave the queue when they are gone', () =>
      withStore(lab, async (store) => {
        await store.requestEvaluation(request(1));
        await store.putInstallation({ ...installation, state: 'suspended' });
        expect(await store.claimEvaluation(claimRequest())).toBeUndefined();
        await store.putInstallation({ ...installation, at: T + 1 });
        const { lease } = await mustClaim(store);
        await store.requestEvaluation(request(1));
        await store.requestEvaluation(request(2));
        await store.putInstallation({ ...installation, state: 'deleted', at: T + 2 });
        expect((await store.counts({ now: T })).evaluations).toMatchObject({ queued: 0, running: 1 });
        expect(await store.finishEvaluation({ lease, now: T })).toBe('done');
        await store.putInstallation({ ...installation, at: T + 3 });
        expect(await store.claimEvaluation(claimRequest())).toBeUndefined();
      }));
  });

  describe('sweeps', () => {
    it('are one process’s turn at a time and go on where the last one came to', () =>
      withStore(lab, async (store) => {
        const begin = (now: number) => store.beginSweep({ name: 'open pulls', ...claimRequest(now) });
        const turns = await Promise.all([begin(T), begin(T), begin(T)]);
        const [turn] = turns.filter((one) => one !== undefined);
        expect(turns.filter((one) => one !== undefined)).toHaveLength(1);
        if (turn === undefined) return;
        expect(turn.value).toBeUndefined();
        const end = { lease: turn.lease, nextAt: T + 500, value: 'page 3' };
        expect(await store.endSweep({ ...end, now: T + 10 })).toBe('done');
        expect(await begin(T + 499)).toBeUndefined();
        const second = await begin(T + 500);
        expect(second?.value).toBe('page 3');
        // It dies; another one takes over, and the dead one has no say.
        expect(await begin(T + 500 + LEASE - 1)).toBeUndefined();
        const third = await begin(T + 500 + LEASE);
        expect(third?.value).toBe('page 3');
        const late = { now: T + 500 + LEASE, nextAt: T, value: 'old' };
        expect(await store.endSweep({ lease: second?.lease ?? turn.lease, ...late })).toBe('lost');
      }));
  });

  describe('a sweep’s turn', () => {
    it('is given early where that is asked for, but never while somebody holds it', () =>
      withStore(lab, async (store) => {
        const begin = (now: number, early: boolean) =>
          store.beginSweep({ name: 'open pulls', ...claimRequest(now), early });
        const first = await begin(T, false);
        if (first === undefined) throw new Error('The first turn is not granted.');
        expect(await begin(T + 1, true)).toBeUndefined();
        expect(await store.endSweep({ lease: first.lease, now: T + 2, nextAt: T + 900, value: undefined })).toBe(
          'done',
        );
        expect(await begin(T + 3, false)).toBeUndefined();
        expect(await begin(T + 3, true)).toBeDefined();
      }));

    it('is held for as long as it is prolonged', () =>
      withStore(lab, async (store) => {
        const begin = (now: number) => store.beginSweep({ name: 'open pulls', ...claimRequest(now) });
        const turn = await begin(T);
        if (turn === undefined) throw new Error('The first turn is not granted.');
        const renew = (now: number) => store.renewSweep({ lease: turn.lease, now, leaseSeconds: LEASE_SECONDS });
        expect(await renew(T + LEASE - 1)).toBe('held');
        expect(await begin(T + LEASE)).toBeUndefined();
        expect(await begin(T + 2 * LEASE - 1)).toBeDefined();
        expect(await renew(T + 2 * LEASE)).toBe('lost');
      }));
  });

  describe('ETags', () => {
    it('belong to an installation and are bounded by age and number', () =>
      withStore(lab, async (store) => {
        const url = `https://api.example/repos?${'q'.repeat(5000)}`;
        const put = (installationId: number, n: number) =>
          store.putEtag({ installationId, url: `${url}${n}`, etag: `"${n}"`, body: `{"n":${n}}`, now: T + n });
        for (let n = 0; n < 10; n++) await put(7, n);
        await put(7, 3);
        expect(await store.etag({ installationId: 7, url: `${url}3`, now: T })).toEqual({
          etag: '"3"',
          body: '{"n":3}',
        });
        expect(await store.etag({ installationId: 8, url: `${url}3`, now: T })).toBeUndefined();
        // Used an hour later, the first is not the least recently used any more.
        await store.etag({ installationId: 7, url: `${url}0`, now: T + 3_600_000 });
        expect(await store.trimEtags({ before: T + 3, maxCount: 4 })).toBe(6);
        const left = [];
        for (let n = 0; n < 10; n++) {
          if ((await store.etag({ installationId: 7, url: `${url}${n}`, now: T })) !== undefined) left.push(n);
        }
        expect(left).toEqual([0, 7, 8, 9]);
      }));
  });

  describe('counts', () => {
    it('tell depth, age and ends', () =>
      withStore(lab, async (store) => {
        await done(store, 'd1', T);
        await done(store, 'd2', T, 'ignored');
        await done(store, 'd3', T);
        await store.acceptDelivery(delivery('d4', { receivedAt: T + 10 }));
        await mustClaimDelivery(store, T + 10);
        await store.acceptDelivery(delivery('d5', { receivedAt: T + 20 }));
        await store.requestEvaluation(request(1, { now: T + 30, notBefore: T + 999 }));
        await store.requestEvaluation(request(2));
        const { lease } = await mustClaim(store);
        await store.failEvaluation({ lease, ...failure(T, { maxAttempts: 1 }) });
        expect(await store.counts({ now: T + 100 })).toEqual({
          deliveries: { queued: 1, running: 1, poison: 0, oldestAge: 80 },
          evaluations: { queued: 1, running: 0, poison: 1, oldestAge: 70 },
          ended: [
            { event: 'pull_request', outcome: 'evaluated', count: 2 },
            { event: 'pull_request', outcome: 'ignored', count: 1 },
          ],
        });
      }));
  });

  describe('pruning', () => {
    it('goes by batches, keeps what waits, and the counts stay', () =>
      withStore(lab, async (store) => {
        for (let n = 0; n < 5; n++) await done(store, `old${n}`, T);
        await done(store, 'new', T + 100);
        await store.acceptDelivery(delivery('waits'));
        const { ended } = await store.counts({ now: T });
        const prune = () => store.prune({ before: T + 100, limit: 3 });
        expect(await prune()).toEqual({ deliveries: 3, evaluations: 0, pulls: 0, more: true });
        expect(await prune()).toEqual({ deliveries: 2, evaluations: 0, pulls: 0, more: false });
        expect(await store.counts({ now: T })).toMatchObject({ ended, deliveries: { queued: 1 } });
        expect(await store.acceptDelivery(delivery('new'))).toBe('duplicate');
        expect(await store.acceptDelivery(delivery('old1'))).toBe('stored');
      }));

    it('keeps the newest result, and drops all of a pull request that was closed long ago', () =>
      withStore(lab, async (store) => {
        const tokens: number[] = [];
        for (const number of [1, 2]) {
          const key = `42#${number}`;
          await store.requestEvaluation(request(number));
          const { lease } = await mustClaim(store);
          tokens.push(lease.token);
          for (const at of [T, T + 1]) {
            await store.recordEvaluation({ lease, now: T, result: result(`${key}@${at}`, { key, at }) });
          }
          await store.beginPublication({ lease, now: T, ...COMMENT, evaluationId: `${key}@${T}`, digest: 'x' });
          await store.finishPublication({ lease, now: T, ...COMMENT, remoteId: '1' });
          await store.appendDecision(decision(`${number}/0`, { key, commentId: number }));
          await store.voidDecisions({ commentId: number, now: T, why: 'edited' });
          await store.beginAnswer({ commentId: number, key, now: T });
          await store.finishEvaluation({ lease, now: T });
        }
        await store.closePull({ key: '42#2', now: T + 50 });
        const kept = async (key: string) => [
          (await store.latestEvaluation(key))?.id,
          (await store.publication({ key, ...COMMENT }))?.remoteId,
          (await store.decisionsOf(key)).length,
        ];
        const before = T + 50;
        expect(await store.prune({ before, limit: 100 })).toMatchObject({ evaluations: 2, pulls: 0, more: false });
        expect(await kept('42#2')).toEqual([`42#2@${T + 1}`, '1', 1]);
        expect(await store.prune({ before: before + 1, limit: 100 })).toMatchObject({ evaluations: 0, pulls: 1 });
        expect(await kept('42#1')).toEqual([`42#1@${T + 1}`, '1', 1]);
        expect(await kept('42#2')).toEqual([undefined, undefined, 0]);
        expect(await store.evaluation(`42#1@${T}`)).toBeUndefined();
        expect(await store.beginAnswer({ commentId: 2, key: '42#2', now: T })).toBe('first');
        // It comes again: an old lease must not fit the new row.
        await store.requestEvaluation(request(2));
        const { lease } = await mustClaim(store, T + 60);
        expect(lease.token).toBeGreaterThan(tokens[1] ?? Infinity);
      }));
  });
}
