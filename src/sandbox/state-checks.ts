import type { Json } from './json.ts';

// Checks, statuses and workflow runs: what says of a commit whether it holds. See `state.ts`.

export type CheckStatus = 'queued' | 'in_progress' | 'completed' | 'waiting' | 'requested' | 'pending';
export type Conclusion =
  | 'success'
  | 'failure'
  | 'neutral'
  | 'cancelled'
  | 'skipped'
  | 'timed_out'
  | 'action_required'
  | 'startup_failure'
  | 'stale';

export interface Annotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
  readonly level: string;
  readonly title: string | null;
  readonly message: string;
  readonly rawDetails: string | null;
}

export interface CheckSuite {
  readonly id: number;
  readonly appId: number;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly before: string | null;
  readonly createdAt: number;
  updatedAt: number;
}

export interface CheckRun {
  readonly id: number;
  readonly suiteId: number;
  name: string;
  readonly headSha: string;
  status: CheckStatus;
  conclusion: Conclusion | null;
  startedAt: number | null;
  completedAt: number | null;
  externalId: string | null;
  detailsUrl: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  annotations: Annotation[];
  actions: readonly Json[];
}

export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creatorId: number;
  readonly createdAt: number;
}

export interface Job {
  readonly id: number;
  readonly name: string;
  status: CheckStatus;
  conclusion: Conclusion | null;
  readonly createdAt: number;
  completedAt: number | null;
}

export interface Attempt {
  readonly number: number;
  status: CheckStatus;
  conclusion: Conclusion | null;
  readonly startedAt: number;
  updatedAt: number;
  readonly jobs: Job[];
}

export interface Workflow {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly createdAt: number;
}

export interface WorkflowRun {
  readonly id: number;
  readonly workflowId: number;
  readonly suiteId: number;
  readonly event: string;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly headRepositoryId: number;
  readonly actorId: number;
  readonly runNumber: number;
  readonly displayTitle: string;
  readonly createdAt: number;
  readonly attempts: Attempt[];
}
