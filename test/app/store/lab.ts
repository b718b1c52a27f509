import type { StorePlace } from '../../../src/app/store/open.ts';
import { openStore } from '../../../src/app/store/open.ts';
import type {
  ClaimedDelivery,
  ClaimedEvaluation,
  EvaluationRequest,
  NewDelivery,
} from '../../../src/app/store/queues.ts';
import type { Store } from '../../../src/app/store/store.ts';

/** What the contract is tested on. */
export interface Lab {
  /** An empty place for a store. */
  readonly place: () => Promise<StorePlace>;
  /** How many stores may be open on one place. */
  readonly shared: boolean;
}

/** Opens an empty store for the body, and closes it. */
export async function withStore<T>(lab: Lab, body: (store: Store, place: StorePlace) => Promise<T>): Promise<T> {
  const place = await lab.place();
  const store = await openStore(place);
  try {
    return await body(store, place);
  } finally {
    await store.close();
  }
}

/** A point in time at which tests begin. */
export const T = 1_800_000_000_000;
export const LEASE_SECONDS = 60;
export const LEASE = LEASE_SECONDS * 1000;

export function delivery(id: string, more: Partial<NewDelivery> = {}): NewDelivery {
  return {
    id,
    event: 'pull_request',
    action: 'opened',
    installationId: 7,
    repositoryId: 42,
    pullKey: '42#1',
    receivedAt: T,
    payload: '{"number":1}',
    headers: { 'x-github-event': 'pull_request' },
    ...more,
  };
}

export function request(number: number, more: Partial<EvaluationRequest> = {}): EvaluationRequest {
  return {
    repositoryId: 42,
    installationId: 7,
    number,
    reason: 'pull_request.opened',
    now: T,
    notBefore: T,
    priority: 0,
    ...more,
  };
}

export const claimRequest = (now = T, worker = 'w1') => ({ worker, now, leaseSeconds: LEASE_SECONDS });

export async function mustClaimDelivery(store: Store, now = T): Promise<ClaimedDelivery> {
  const claimed = await store.claimDelivery(claimRequest(now));
  if (claimed === undefined) throw new Error('There is no delivery to claim.');
  return claimed;
}

export async function mustClaim(store: Store, now = T): Promise<ClaimedEvaluation> {
  const claimed = await store.claimEvaluation(claimRequest(now));
  if (claimed === undefined) throw new Error('There is no pull request to claim.');
  return claimed;
}

export const failure = (now: number, more: { retryAt?: number; maxAttempts?: number; error?: string } = {}) => ({
  now,
  retryAt: now + 1000,
  maxAttempts: 3,
  error: 'the API answered 502',
  ...more,
});
