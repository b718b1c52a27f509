import type { Config } from '../config/schema.ts';
import type { Contract } from '../domain/contracts/contract.ts';
import type { GateKind } from '../domain/contracts/gates.ts';
import type { Assertion } from '../domain/evaluation/assertion.ts';
import type { Facts } from './facts.ts';
import type { Need } from './outcome.ts';
import type { TrustLevel } from './trust.ts';

export const STANDINGS = ['satisfied', 'waived', 'pending', 'unverified', 'failed', 'not-applicable'] as const;
export type AssertionStanding = (typeof STANDINGS)[number];

/** What the gate concludes of one assertion: ledger and observed facts joined. */
export interface GateAssertion {
  readonly id: string;
  readonly category: Assertion['category'];
  readonly subject: string;
  readonly required: boolean;
  readonly standing: AssertionStanding;
  readonly trust: TrustLevel;
  readonly reason: string;
  /** Ids of records, and of observed facts such as `github:review:<id>`. */
  readonly evidence: readonly string[];
}

/** An assertion and what it needs to be satisfied. */
export interface JudgedAssertion {
  readonly assertion: GateAssertion;
  readonly need: Need | undefined;
}

/** What was observed of an assertion, beside what the ledger says. */
export type Observation =
  | {
      readonly standing: 'satisfied' | 'waived' | 'not-applicable';
      readonly trust: TrustLevel;
      readonly reason: string;
      readonly records: readonly string[];
    }
  | {
      readonly standing: 'pending' | 'unverified' | 'failed';
      readonly trust: TrustLevel;
      readonly reason: string;
      readonly records: readonly string[];
      readonly who: Need['who'];
      readonly how: string;
      /** It only follows from other assertions, whose needs say all there is to say. */
      readonly follows?: true;
    };

/** What an observation is made from. */
export interface ObservationInput {
  readonly facts: Facts;
  readonly config: Config;
  readonly contract: Contract;
  readonly ledger: Assertion;
  readonly kind: GateKind | undefined;
  /** The other assertions of the run, for the gate that waits for all of them. */
  readonly others: readonly JudgedAssertion[];
}
