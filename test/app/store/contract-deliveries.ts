import { describe, expect, it } from '@jest/globals';
import type { Lab } from './lab.ts';
import { claimRequest, delivery, failure, LEASE, LEASE_SECONDS, mustClaimDelivery, T, withStore } from './lab.ts';

export function deliveryContract(lab: Lab): void {
  describe('deliveries', () => {
    it('come back as they were accepted', () =>
      withStore(lab, async (store) => {
        const one = delivery('d1', {
          payload: '{"title":"\u{1f916} it\'s; drop table deliveries --"}',
          headers: { 'user-agent': 'GitHub-Hookshot/1', 'x-github-hook-id': '9' },
          repositoryId: 2 ** 53 - 1,
        });
        const bare = delivery('d2', {
          event: 'installation',
          action: undefined,
          installationId: undefined,
          repositoryId: undefined,
          pullKey: undefined,
          receivedAt: T + 1,
        });
        expect(await store.acceptDelivery(one)).toBe('stored');
        expect(await store.acceptDelivery(bare)).toBe('stored');
        const first = await mustClaimDelivery(store, T + 5);
        expect(first).toEqual({ ...one, attempts: 1, lease: { id: 'd1', token: first.lease.token } });
        expect(await mustClaimDelivery(store, T + 5)).toMatchObject(bare);
        expect(await store.claimDelivery(claimRequest(T + 5))).toBeUndefined();
      }));

    it('hold characters that a database cannot: they are replaced', () =>
      withStore(lab, async (store) => {
        await store.acceptDelivery(delivery('d1', { action: 'a\u0000b', payload: 'x\ud800y' }));
        expect(await mustClaimDelivery(store)).toMatchObject({ action: 'a\ufffdb', payload: 'x\ufffdy' });
      }));

    it('are as long as GitHub sends them', () =>
      withStore(lab, async (store) => {
        const payload = JSON.stringify({ text: 'é'.repeat(6_000_000) });
        await store.acceptDelivery(delivery('d1', { payload }));
        expect((await mustClaimDelivery(store)).payload === payload).toBe(true);
      }));

    it('are accepted once, tried again after a failure, and done with after success', () =>
      withStore(lab, async (store) => {
        const again = () => store.acceptDelivery(delivery('d1', { receivedAt: T + 500 }));
        expect(await store.acceptDelivery(delivery('d1'))).toBe('stored');
        expect(await again()).toBe('duplicate');

        const first = await mustClaimDelivery(store);
        expect(await again()).toBe('duplicate');
        expect(await store.failDelivery({ lease: first.lease, ...failure(T, { retryAt: T + 9000 }) })).toBe('retry');
        expect(await store.claimDelivery(claimRequest(T + 8999))).toBeUndefined();

        // It waits for its next try; a redelivery brings that forward.
        expect(await again()).toBe('retry');
        const second = await mustClaimDelivery(store, T + 500);
        expect(second.attempts).toBe(2);
        expect(await again()).toBe('duplicate');
        const done = { lease: second.lease, now: T + 600, outcome: 'evaluated' };
        expect(await store.finishDelivery(done)).toBe('done');
        expect(await again()).toBe('duplicate');
        expect(await store.claimDelivery(claimRequest(T + LEASE * 10))).toBeUndefined();
      }));

    it('are set aside after the last try, visibly, and start anew when they are delivered again', () =>
      withStore(lab, async (store) => {
        await store.acceptDelivery(delivery('d1'));
        for (const expected of ['retry', 'retry', 'poison']) {
          const { lease } = await mustClaimDelivery(store, T + LEASE);
          const failed = { lease, ...failure(T + LEASE, { retryAt: T, error: `x${'y'.repeat(5000)}` }) };
          expect(await store.failDelivery(failed)).toBe(expected);
        }
        expect(await store.claimDelivery(claimRequest(T + LEASE * 10))).toBeUndefined();
        const [row, ...others] = await store.poison({ limit: 10 });
        expect(others).toEqual([]);
        expect(row).toMatchObject({ kind: 'delivery', id: 'd1', what: 'pull_request', repositoryId: 42, attempts: 3 });
        expect(row?.error).toHaveLength(2000);

        expect(await store.acceptDelivery(delivery('d1', { payload: '{"new":1}' }))).toBe('retry');
        expect(await store.poison({ limit: 10 })).toEqual([]);
        expect(await mustClaimDelivery(store)).toMatchObject({ attempts: 1, payload: '{"new":1}' });
      }));

    it('go back to the queue by hand', () =>
      withStore(lab, async (store) => {
        await store.acceptDelivery(delivery('d1'));
        const retry = { kind: 'delivery', id: 'd1', now: T + 5 } as const;
        expect(await store.retryPoison(retry)).toBe(false);
        const { lease } = await mustClaimDelivery(store);
        await store.failDelivery({ lease, ...failure(T, { maxAttempts: 1 }) });
        expect(await store.retryPoison({ ...retry, kind: 'evaluation' })).toBe(false);
        expect(await store.retryPoison(retry)).toBe(true);
        expect((await mustClaimDelivery(store, T + 5)).attempts).toBe(1);
      }));

    it('are claimed in the order in which they are due', () =>
      withStore(lab, async (store) => {
        for (const [id, receivedAt] of [
          ['c', T + 3],
          ['a', T + 1],
          ['b', T + 2],
        ] as const) {
          await store.acceptDelivery(delivery(id, { receivedAt }));
        }
        const ids = [];
        for (let n = 0; n < 3; n++) ids.push((await mustClaimDelivery(store, T + 10)).id);
        expect(ids).toEqual(['a', 'b', 'c']);
      }));

    it.each<[string, number, 'held' | 'lost']>([
      ['before', LEASE - 1, 'held'],
      ['when', LEASE, 'lost'],
      ['long after', LEASE * 5, 'lost'],
    ])('are the worker’s until the lease ends: %s it does', (_when, after, expected) =>
      withStore(lab, async (store) => {
        await store.acceptDelivery(delivery('d1'));
        const { lease } = await mustClaimDelivery(store);
        const now = T + after;
        expect(await store.renewDelivery({ lease, now, leaseSeconds: LEASE_SECONDS })).toBe(expected);
        const lost = expected === 'lost';
        expect(await store.finishDelivery({ lease, now: now + LEASE - 1, outcome: 'x' })).toBe(lost ? 'lost' : 'done');
        expect(await store.failDelivery({ lease, ...failure(now) })).toBe('lost');
        expect(await store.giveBackDelivery({ lease, now, notBefore: now })).toBe('lost');
      }),
    );

    it('go to another worker after that, and the first one can no longer end them', () =>
      withStore(lab, async (store) => {
        await store.acceptDelivery(delivery('d1'));
        const first = await mustClaimDelivery(store);
        const later = T + LEASE;
        const none = { deliveries: 0, evaluations: 0 };
        expect(await store.releaseExpired({ now: later - 1, maxAttempts: 3 })).toEqual(none);
        expect(await store.releaseExpired({ now: later, maxAttempts: 3 })).toEqual({ deliveries: 1, evaluations: 0 });
        const second = await mustClaimDelivery(store, later);
        expect(second.attempts).toBe(2);
        expect(second.lease.token).toBeGreaterThan(first.lease.token);
        expect(await store.finishDelivery({ lease: first.lease, now: later, outcome: 'old' })).toBe('lost');
        expect(await store.failDelivery({ lease: first.lease, ...failure(later) })).toBe('lost');
        expect(await store.finishDelivery({ lease: second.lease, now: later, outcome: 'new' })).toBe('done');
        const { ended } = await store.counts({ now: later });
        expect(ended).toEqual([{ event: 'pull_request', outcome: 'new', count: 1 }]);
      }));

    it('that end their workers again and again are set aside', () =>
      withStore(lab, async (store) => {
        await store.acceptDelivery(delivery('d1'));
        for (let n = 1; n <= 2; n++) {
          await mustClaimDelivery(store, T + n * LEASE);
          await store.releaseExpired({ now: T + (n + 1) * LEASE, maxAttempts: 2 });
        }
        expect(await store.claimDelivery(claimRequest(T + 9 * LEASE))).toBeUndefined();
        expect((await store.poison({ limit: 1 }))[0]?.error).toContain('lease expired');
      }));

    it('are given back without counting', () =>
      withStore(lab, async (store) => {
        await store.acceptDelivery(delivery('d1'));
        const { lease } = await mustClaimDelivery(store);
        expect(await store.giveBackDelivery({ lease, now: T, notBefore: T + 100 })).toBe('queued');
        expect(await store.claimDelivery(claimRequest(T + 99))).toBeUndefined();
        expect((await mustClaimDelivery(store, T + 100)).attempts).toBe(1);
      }));

    it('that arrive twice at once are stored once', () =>
      withStore(lab, async (store) => {
        const all = await Promise.all(
          Array.from({ length: 200 }, (_, n) => store.acceptDelivery(delivery(`d${n % 20}`))),
        );
        expect(all.filter((one) => one === 'stored')).toHaveLength(20);
        expect(all.filter((one) => one === 'duplicate')).toHaveLength(180);
      }));
  });
}
