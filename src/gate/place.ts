import * as z from 'zod';

/** Where a finding stands. */
export const placeSchema = z.discriminatedUnion('at', [
  z.strictObject({
    at: z.literal('file'),
    path: z.string(),
    line: z.int().positive().optional(),
    column: z.int().positive().optional(),
  }),
  z.strictObject({
    at: z.literal('commit'),
    sha: z.string(),
    part: z.enum(['author', 'committer', 'message']),
    line: z.int().positive().optional(),
  }),
  z.strictObject({
    at: z.literal('pull-request'),
    part: z.enum(['title', 'body', 'squash-message']),
    line: z.int().positive().optional(),
  }),
  z.strictObject({ at: z.literal('run'), runId: z.string() }),
  z.strictObject({ at: z.literal('repository') }),
]);
