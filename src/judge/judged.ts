import type { Facts } from '../gate/facts.ts';
import type { GateReport } from '../gate/report.ts';

/** What was judged, and on what. */
export interface Judged {
  readonly facts: Facts;
  readonly report: GateReport;
}
