import type { GitHubApi, RepositoryName } from '../github/api.ts';
import type { Inputs } from './inputs.ts';
import type { Runner } from './runner.ts';

/** What a remark is to whoever reads the job: something to know, or something to mend. */
export interface Remark {
  readonly level: 'notice' | 'warning' | 'error';
  readonly text: string;
}

/** What one run of the Action works with. */
export interface Session {
  readonly inputs: Inputs;
  readonly runner: Runner;
  readonly api: GitHubApi;
  readonly repository: RepositoryName;
  /** As the event names it. */
  readonly defaultBranch: string | undefined;
  /** The time of this evaluation, one for all that it judges. */
  readonly now: string;
  readonly remark: (remark: Remark) => void;
}
