// Writes to a store until it is killed, and says on its standard output what the store has acknowledged:
// node crash-child.ts '{"file":…}' prefix
import { writeSync } from 'node:fs';
import type { StorePlace } from '../../../src/app/store/open.ts';
import { openStore } from '../../../src/app/store/open.ts';
import { claimRequest, delivery, request, T } from './lab.ts';

const place = JSON.parse(process.argv[2] ?? '') as StorePlace;
const prefix = process.argv[3] ?? '';
const store = await openStore(place);

// Written through at once, so that the kill cannot take back what was said.
const say = (...words: readonly (string | number)[]): unknown => writeSync(1, `${words.join(' ')}\n`);

async function write(n: number): Promise<void> {
  const id = `${prefix}-${n}`;
  await store.acceptDelivery(delivery(id, { payload: JSON.stringify({ n, filling: 'x'.repeat(3000) }) }));
  say('accepted', id);
  await store.requestEvaluation(request(n, { repositoryId: Number(prefix), reason: id }));
  say('requested', `${prefix}#${n}`);
  const decision = { id, commentId: n, key: prefix, actorId: 1, actorLogin: 'ana', verb: 'approve', details: {} };
  await store.appendDecision({ ...decision, headSha: 'a', contractDigest: undefined, at: T });
  say('decided', id);
}

async function work(): Promise<void> {
  const claimed = await store.claimDelivery(claimRequest(T, prefix));
  if (claimed !== undefined) {
    say('claimed', claimed.id, claimed.lease.token);
    // Every other one stays in hand.
    if (Number(claimed.id.split('-')[1]) % 2 === 0) {
      say('finishing', claimed.id);
      await store.finishDelivery({ lease: claimed.lease, now: T, outcome: 'evaluated' });
      say('finished', claimed.id);
    }
  }
  const pull = await store.claimEvaluation(claimRequest(T, prefix));
  if (pull === undefined) return;
  say('publishing', pull.key);
  const publication = { kind: 'comment', target: 'verdict', evaluationId: 'e', digest: 'd' };
  await store.beginPublication({ lease: pull.lease, now: T, ...publication });
  say('begun', pull.key);
}

for (let n = 1; ; n++) await Promise.all([write(n), work()]);
