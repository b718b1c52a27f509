import { setTimeout } from 'node:timers/promises';
import type { GitHubApi, RepositoryName } from '../github/api.ts';
import type { PublicationLog } from './log.ts';

/** What every publisher writes with. */
export interface PublishContext {
  readonly api: GitHubApi;
  readonly repository: RepositoryName;
  readonly log?: PublicationLog;
  /** Waits so many milliseconds; a test may not. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** Milliseconds before one looks for what an unanswered call may have written: a copy may be read that lags behind. */
const SETTLING = 1_000;

export async function settle({ wait = setTimeout }: PublishContext): Promise<void> {
  await wait(SETTLING);
}
