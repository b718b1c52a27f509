import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { StorePlace } from '../../../src/app/store/open.ts';
import { openStore } from '../../../src/app/store/open.ts';
import type { Store } from '../../../src/app/store/store.ts';
import type { Lab } from './lab.ts';
import { claimRequest, delivery, LEASE, request, T, withStore } from './lab.ts';

const WORKERS = 8;
const ROWS = 500;

export function crashContract(lab: Lab): void {
  describe('many workers', () => {
    // As many stores on one place as it takes, so that on PostgreSQL they are like processes of their own.
    async function workers(
      body: (store: Store, worker: number) => Promise<void>,
      fill: (store: Store) => Promise<void>,
    ) {
      await withStore(lab, async (first, place) => {
        await fill(first);
        const others = lab.shared ? await Promise.all([openStore(place), openStore(place)]) : [];
        const stores = [first, ...others];
        try {
          await Promise.all(Array.from({ length: WORKERS }, (_, n) => body(stores[n % stores.length] ?? first, n)));
        } finally {
          for (const other of others) await other.close();
        }
      });
    }

    it('claim every delivery once', async () => {
      const claims: string[] = [];
      await workers(
        async (store, worker) => {
          for (;;) {
            const claimed = await store.claimDelivery(claimRequest(T, `w${worker}`));
            if (claimed === undefined) return;
            claims.push(claimed.id);
            const done = { lease: claimed.lease, now: T, outcome: 'evaluated' };
            expect(await store.finishDelivery(done)).toBe('done');
          }
        },
        async (store) => {
          for (let n = 0; n < ROWS; n++) await store.acceptDelivery(delivery(`d${n}`));
        },
      );
      expect(claims).toHaveLength(ROWS);
      expect(new Set(claims).size).toBe(ROWS);
    });

    it('evaluate every pull request, each by one at a time, and starve no repository', async () => {
      const order: number[] = [];
      const held = new Set<string>();
      const evaluated = new Map<string, number>();
      await workers(
        async (store, worker) => {
          for (;;) {
            const claimed = await store.claimEvaluation(claimRequest(T, `w${worker}`));
            if (claimed === undefined) return;
            expect(held.has(claimed.key)).toBe(false);
            held.add(claimed.key);
            order.push(claimed.repositoryId);
            const times = evaluated.get(claimed.key) ?? 0;
            evaluated.set(claimed.key, times + 1);
            // Every fifth is asked for again while it runs.
            if (times === 0 && claimed.number % 5 === 0) {
              await store.requestEvaluation(request(claimed.number, { repositoryId: claimed.repositoryId }));
            }
            held.delete(claimed.key);
            expect(await store.finishEvaluation({ lease: claimed.lease, now: T })).toBe(
              times === 0 && claimed.number % 5 === 0 ? 'again' : 'done',
            );
          }
        },
        async (store) => {
          // One repository asks for 410, nine ask for 10 each.
          for (let n = 1; n <= 410; n++) await store.requestEvaluation(request(n, { repositoryId: 1, priority: 900 }));
          for (let repositoryId = 2; repositoryId <= 10; repositoryId++) {
            for (let n = 1; n <= 10; n++) await store.requestEvaluation(request(n, { repositoryId }));
          }
        },
      );
      expect(evaluated.size).toBe(ROWS);
      for (const [key, times] of evaluated) expect([key, times]).toEqual([key, key.match(/[05]$/) ? 2 : 1]);
      // In turn each repository would be served within ten; workers that choose at the same time choose the same.
      for (let repositoryId = 2; repositoryId <= 10; repositoryId++) {
        expect(order.indexOf(repositoryId)).toBeLessThan(10 * WORKERS);
        expect(order.lastIndexOf(repositoryId)).toBeLessThan(order.length / 2);
      }
    });
  });

  describe('a process that is killed', () => {
    it('loses nothing that the store had acknowledged', async () => {
      const place = await lab.place();
      const told: Told = new Map();
      // The last one goes on until it has said everything at least once, however slow the machine is.
      for (const [round, [milliseconds, words]] of (
        [
          [1, []],
          [60, []],
          [200, WORDS],
        ] as const
      ).entries()) {
        await killedAfter(place, String(round + 1), { milliseconds, words }, told);
        const store = await openStore(place);
        try {
          for (const id of told.get('accepted') ?? []) {
            expect([id, await store.acceptDelivery(delivery(id))]).toEqual([id, 'duplicate']);
          }
          const key = String(round + 1);
          const kept = new Set((await store.decisionsOf(key)).map(({ id }) => id));
          for (const id of told.get('decided') ?? []) {
            if (id.startsWith(`${key}-`)) expect(kept).toContain(id);
          }
          for (const pull of told.get('begun') ?? []) {
            expect(await store.pendingPublications(pull)).toMatchObject([{ kind: 'comment', state: 'intent' }]);
          }
        } finally {
          await store.close();
        }
      }
      await checkLeases(place, told);
    });
  });
}

/** What children said, by its first word. */
type Told = Map<string, string[]>;

// After the lease, everything that was not finished is there to be claimed, and nothing that was.
async function checkLeases(place: StorePlace, told: Told): Promise<void> {
  const store = await openStore(place);
  try {
    const lease = (words: string) => ({ id: words.split(' ')[0] ?? '', token: Number(words.split(' ')[1]) });
    const held = (told.get('claimed') ?? []).map(lease).filter(({ id }) => !(told.get('finishing') ?? []).includes(id));
    expect(held.length).toBeGreaterThan(0);
    const late = T + LEASE;
    await store.releaseExpired({ now: late, maxAttempts: 99 });
    const claimable = new Set<string>();
    for (;;) {
      const claimed = await store.claimDelivery(claimRequest(late));
      if (claimed === undefined) break;
      claimable.add(claimed.id);
    }
    for (const one of held) {
      expect(claimable).toContain(one.id);
      expect(await store.finishDelivery({ lease: one, now: T, outcome: 'of the dead' })).toBe('lost');
    }
    for (const id of told.get('finished') ?? []) expect(claimable).not.toContain(id);
    for (const id of told.get('accepted') ?? []) {
      if (!(told.get('finishing') ?? []).includes(id)) expect(claimable).toContain(id);
    }
    const pulls = new Set<string>();
    for (;;) {
      const claimed = await store.claimEvaluation(claimRequest(late));
      if (claimed === undefined) break;
      pulls.add(claimed.key);
      const publication = { kind: 'comment', target: 'verdict', evaluationId: 'e', digest: 'd' };
      const begun = await store.beginPublication({ lease: claimed.lease, now: late, ...publication });
      if ((told.get('begun') ?? []).includes(claimed.key)) expect(begun).toEqual({ is: 'look' });
    }
    for (const key of told.get('requested') ?? []) expect(pulls).toContain(key);
  } finally {
    await store.close();
  }
}

const WORDS = ['accepted', 'decided', 'claimed', 'finished', 'begun'];

// Lets a child write until it has said something and all of the words, and for the given time after that, and kills it.
async function killedAfter(
  place: StorePlace,
  prefix: string,
  { milliseconds, words }: { readonly milliseconds: number; readonly words: readonly string[] },
  told: Told,
): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crash-child.ts'), JSON.stringify(place), prefix], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let complained = '';
  let doomed = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (doomed || !words.every((word) => said.includes(`${word} `))) return;
    doomed = true;
    setTimeout(() => child.kill('SIGKILL'), milliseconds);
  });
  const signal = await new Promise((resolve) => child.once('close', (_code, how) => resolve(how)));
  if (signal !== 'SIGKILL') throw new Error(`The child ended by itself: ${complained}`);
  for (const line of said.split('\n').slice(0, -1)) {
    const [what = '', ...rest] = line.split(' ');
    told.set(what, [...(told.get(what) ?? []), rest.join(' ')]);
  }
}
