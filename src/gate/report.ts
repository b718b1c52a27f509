import * as z from 'zod';
import { digestOf, without } from '../domain/json/canonical.ts';
import { ASSERTION_CATEGORIES } from '../domain/evaluation/assertion.ts';
import { STANDINGS } from './observation.ts';
import { MODES, OUTCOMES } from './outcome.ts';
import { TRUST_LEVELS } from './trust.ts';
import { placeSchema } from './place.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const findingSchema = z.strictObject({
  id: z.string(),
  rule: z.string(),
  severity: z.enum(['block', 'warn', 'note']),
  place: placeSchema,
  message: z.string(),
  remedy: z.string(),
});

export const needSchema = z.strictObject({
  outcome: z.enum(['pending', 'unverified', 'failed', 'incomplete']),
  what: z.string(),
  who: z.enum(['agent', 'maintainer', 'person', 'platform', 'operator']),
  how: z.string(),
  run: z.string().optional(),
});

export const gateAssertionSchema = z.strictObject({
  id: z.string(),
  category: z.enum(ASSERTION_CATEGORIES),
  subject: z.string(),
  required: z.boolean(),
  standing: z.enum(STANDINGS),
  trust: z.enum(TRUST_LEVELS),
  reason: z.string(),
  evidence: z.array(z.string()),
});

/** Documents of the formats, attached as they are. */
const attached = z.record(z.string(), z.unknown());

export const runVerdictSchema = z.strictObject({
  run_id: z.string(),
  named_by: z.array(z.string()),
  harness: z.string().nullable(),
  classification: z.string().nullable(),
  risk: z.string().nullable(),
  contract_digest: digest.nullable(),
  resolution: attached.nullable().describe("the run's requirements against the base's lock"),
  report: attached.nullable().describe('rule set 1 over the files alone'),
  assertions: z.array(gateAssertionSchema),
  excuses: z.array(
    z.strictObject({
      kind: z.enum(['waiver', 'skip']),
      subject: z.string(),
      reason: z.string(),
      confirmed_by: z.string().nullable(),
    }),
  ),
});

/** What the gate says of a pull request: everything that is rendered or published comes from here. */
export const gateReportSchema = z.strictObject({
  schema_version: z.literal(1),
  engine: z.string(),
  profile: z.enum(['local', 'github']),
  evaluated_at: z.string().describe('left out of the digest'),
  subject: z.strictObject({
    kind: z.enum(['working-tree', 'branch', 'pull-request', 'range']),
    repository: z.string().nullable(),
    number: z.int().nullable(),
    base_ref: z.string(),
    base_sha: z.string().nullable(),
    head_ref: z.string(),
    head_sha: z.string().nullable(),
    merge_base: z.string().nullable(),
  }),
  config_digest: digest,
  mode: z.enum(MODES),
  outcome: z.enum(OUTCOMES),
  word: z.enum(['VERIFIED', 'UNVERIFIED']).nullable(),
  headline: z.string().describe('the verdict line'),
  trust: z.strictObject({ best: z.enum(TRUST_LEVELS), declared: z.int(), total: z.int() }),
  needs: z.array(needSchema),
  runs: z.array(runVerdictSchema),
  findings: z.array(findingSchema),
  control_plane: z.strictObject({
    situation: z.enum(['untouched', 'governed', 'bootstrap', 'ungoverned']),
    approved_by: z.array(z.string()),
  }),
  notes: z.array(z.string()),
  report_digest: digest,
});

export type GateReport = z.infer<typeof gateReportSchema>;
export type GateFinding = GateReport['findings'][number];

/** A report with its digest, which leaves the time out: equal facts give equal digests whenever they are judged. */
export function sealReport(body: Omit<GateReport, 'report_digest'>): GateReport {
  return { ...body, report_digest: digestOf(plain(without(body, 'evaluated_at'))) };
}

// Optional fields that are not given are left out of the canonical text, as they are of the written one.
function plain(value: object): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, plainValue(item)]])),
  );
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === 'object' && value !== null ? plain(value) : value;
}
