/** What a process's exit code says: one table for all commands; docs/reference/exit-codes.md is made from it. */
export const EXIT = {
  holds: { code: 0, meaning: 'It holds: verified, or not governed; for other commands, done.' },
  refused: { code: 1, meaning: 'It does not hold: unverified, failed, or refused with a code.' },
  usage: { code: 2, meaning: 'The command line is wrong.' },
  nothing: { code: 3, meaning: 'There is nothing to inspect.' },
  incomplete: { code: 4, meaning: 'Not everything could be looked at, so nothing is concluded.' },
  pending: { code: 5, meaning: 'Nothing is wrong, but something expected is still awaited.' },
  internal: { code: 70, meaning: 'A defect of this program.' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

export type ExitName = keyof typeof EXIT;
