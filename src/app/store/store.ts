import type { EtagStore, SweepStore, UpkeepStore } from './care.ts';
import type { DeliveryStore, EvaluationStore } from './queues.ts';
import type { DecisionStore, InstallationStore, PublicationStore } from './records.ts';

/**
 * What the App keeps: deliveries, the queue of evaluations, what was published, what people decided. Two stores carry
 * it out, SQLite in a file and PostgreSQL; one suite of tests (test/app/store/contract.ts) holds both to it.
 *
 * Every time is a number of milliseconds since 1970 and comes from the caller, so there is one clock. Ids of GitHub
 * are its numeric ids. Every operation is one transaction: once its promise is fulfilled, what it did outlives a crash.
 *
 * @throws Refusal of every operation: CS1814 where the database cannot be reached (try again later: nothing is known
 * about the operation that failed, so ask again; all of them may be repeated), CS1815 where it refuses
 */
export interface Store
  extends
    DeliveryStore,
    EvaluationStore,
    PublicationStore,
    DecisionStore,
    InstallationStore,
    SweepStore,
    EtagStore,
    UpkeepStore {
  readonly kind: 'sqlite' | 'postgres';
  /** Asks the database for a row, for readiness. */
  readonly ping: () => Promise<void>;
  /** Waits for operations under way and lets go of file, lock and connections. Later operations are refused (CS1814). */
  readonly close: () => Promise<void>;
}
