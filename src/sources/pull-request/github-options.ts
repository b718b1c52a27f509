import type { Caller } from '../../gate/facts.ts';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import type { BlobMemory } from '../github/content/blob-memory.ts';

/** What every collection from GitHub is given. */
export interface GitHubOptions {
  readonly api: GitHubApi;
  readonly repository: RepositoryName;
  /** The time of the collection, ISO 8601 with offset. */
  readonly now: string;
  /** Version of this program. */
  readonly engine: string;
  /** Ids of runs that the caller names. */
  readonly runs?: readonly string[];
  /** What the caller asks for on top of the base's rules. */
  readonly caller?: Caller;
  /** The organisation whose `.github` repository counts where nothing is named. */
  readonly organisation?: string;
  /** Contents of files that earlier collections have read. */
  readonly memory?: BlobMemory;
}
