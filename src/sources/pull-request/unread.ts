import type { Unread } from '../snapshot/snapshot.ts';

/** Rows of what could not be read that facts carry; of more only the number is told. */
export const MAX_UNREAD = 100;

/** The first rows, and how many more there were. */
export function boundedUnread(rows: readonly Unread[]): Unread[] {
  if (rows.length <= MAX_UNREAD) return [...rows];
  const more = rows.length - MAX_UNREAD;
  return [...rows.slice(0, MAX_UNREAD), { what: `${more} more`, why: 'only the first are listed' }];
}
