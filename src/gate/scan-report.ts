import * as z from 'zod';
import { identify } from '../checks/finding.ts';
import type { FindingDraft } from '../checks/finding.ts';
import type { Severity } from '../checks/rule.ts';
import { findingSchema } from './report.ts';

export const SCAN_TARGETS = ['range', 'staged', 'all', 'paths', 'message'] as const;
export const SCAN_OUTCOMES = ['clean', 'found', 'blocked', 'incomplete'] as const;
export type ScanOutcome = (typeof SCAN_OUTCOMES)[number];

const count = z.int().nonnegative();

/** What one check alone says of some commits, files or texts: the answer of `countersign scan`. */
export const scanReportSchema = z.strictObject({
  schema_version: z.literal(1),
  engine: z.string(),
  check: z.enum(['attribution', 'secrets']),
  target: z.strictObject({
    kind: z.enum(SCAN_TARGETS),
    text: z.string().describe('what was asked for, in words'),
  }),
  outcome: z
    .enum(SCAN_OUTCOMES)
    .describe(
      'incomplete: something could not be looked at; blocked: a finding blocks; found: there are findings that do not; clean: there are none',
    ),
  looked_at: z.strictObject({ commits: count, files: count, bytes: count }),
  counts: z.strictObject({ block: count, warn: count, note: count }).describe('all findings, also those left out'),
  findings: z.array(findingSchema),
  left_out: count.describe('findings that are counted and not listed'),
  unread: z.array(z.strictObject({ what: z.string(), why: z.string() })).describe('what could not be looked at'),
  notes: z.array(z.string()),
});

export type ScanReport = z.infer<typeof scanReportSchema>;

/** Findings that a report lists, and things it names as unread; of more it tells the number. */
export const MAX_LISTED_FINDINGS = 5000;
export const MAX_LISTED_UNREAD = 1000;

/** Where a scan puts what it finds, in memory that has a bound. */
export interface ScanSink {
  add(drafts: readonly FindingDraft[]): void;
  /** Something that could not be looked at. */
  miss(what: string, why: string): void;
  note(text: string): void;
  /** Counts what was looked at. */
  saw(what: { readonly commits?: number; readonly files?: number; readonly bytes?: number }): void;
  report(about: Pick<ScanReport, 'engine' | 'check' | 'target'>): ScanReport;
}

/** A sink that keeps the first findings of each weight, and counts all. */
export function scanSink(limit = MAX_LISTED_FINDINGS): ScanSink {
  const kept: Record<Severity, FindingDraft[]> = { block: [], warn: [], note: [] };
  const counts: Record<Severity, number> = { block: 0, warn: 0, note: 0 };
  const looked = { commits: 0, files: 0, bytes: 0 };
  const unread: { what: string; why: string }[] = [];
  const notes = new Set<string>();
  let unnamed = 0;
  return {
    add: (drafts) => {
      for (const draft of drafts) {
        counts[draft.severity] += 1;
        if (kept[draft.severity].length < limit) kept[draft.severity].push(draft);
      }
    },
    miss: (what, why) => {
      if (unread.length < MAX_LISTED_UNREAD) unread.push({ what, why });
      else unnamed += 1;
    },
    note: (text) => void notes.add(text),
    saw: ({ commits = 0, files = 0, bytes = 0 }) => {
      looked.commits += commits;
      looked.files += files;
      looked.bytes += bytes;
    },
    report: (about) => {
      const listed = [...kept.block, ...kept.warn, ...kept.note].slice(0, limit);
      const more = unnamed === 0 ? [] : [{ what: `${unnamed} more`, why: 'only the first are named' }];
      const all = [...unread, ...more];
      const outcome = all.length > 0 ? 'incomplete' : outcomeOf(counts);
      const { engine, check, target } = about;
      return {
        schema_version: 1,
        engine,
        check,
        target,
        outcome,
        looked_at: { ...looked },
        counts: { ...counts },
        findings: identify(listed).map((finding) => ({ ...finding, place: { ...finding.place } })),
        left_out: counts.block + counts.warn + counts.note - listed.length,
        unread: all,
        notes: [...notes],
      };
    },
  };
}

function outcomeOf({ block, warn, note }: Readonly<Record<Severity, number>>): ScanOutcome {
  if (block > 0) return 'blocked';
  return warn + note > 0 ? 'found' : 'clean';
}
