import * as z from 'zod';
import { pullKey } from '../store/queues.ts';

/**
 * The events and actions that can change a verdict or what the App knows of its installations; `*`: events without an
 * action. Everything else is answered and forgotten.
 */
export const EVENTS: Readonly<Record<string, readonly string[]>> = {
  pull_request: [
    'opened',
    'reopened',
    'synchronize',
    'edited',
    'ready_for_review',
    'converted_to_draft',
    'closed',
    'enqueued',
    'dequeued',
  ],
  pull_request_review: ['submitted', 'edited', 'dismissed'],
  issue_comment: ['created', 'edited', 'deleted'],
  check_run: ['completed', 'rerequested', 'requested_action'],
  check_suite: ['rerequested'],
  workflow_run: ['requested', 'in_progress', 'completed'],
  merge_group: ['checks_requested'],
  push: ['*'],
  installation: ['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted'],
  installation_repositories: ['added', 'removed'],
  repository: ['renamed', 'transferred', 'deleted'],
};

/** Whether an event is looked at. */
export function isWanted(event: string, action: string | undefined): boolean {
  return Object.hasOwn(EVENTS, event) && EVENTS[event]?.includes(action ?? '*') === true;
}

// What every payload may have. GitHub's payloads hold much more; nothing else is looked at here.
const id = z.int().nonnegative();
const number = z.int().positive();
const envelopeSchema = z.object({
  action: z.string().max(100).optional(),
  installation: z.object({ id }).nullish(),
  repository: z.object({ id }).nullish(),
  pull_request: z.object({ number }).nullish(),
  issue: z.object({ number, pull_request: z.object({}).nullish() }).nullish(),
});

/** What a delivery is filed under. */
export interface Envelope {
  readonly action: string | undefined;
  readonly installationId: number | undefined;
  readonly repositoryId: number | undefined;
  readonly pullKey: string | undefined;
}

/** Reads what a delivery is filed under; undefined where the payload is none of GitHub's. */
export function envelopeOf(payload: unknown): Envelope | undefined {
  const read = envelopeSchema.safeParse(payload);
  if (!read.success) return undefined;
  const { action, installation, repository, pull_request: pull, issue } = read.data;
  const pullNumber = pull?.number ?? (issue?.pull_request ? issue.number : undefined);
  return {
    action,
    installationId: installation?.id,
    repositoryId: repository?.id,
    pullKey: repository && pullNumber !== undefined ? pullKey(repository.id, pullNumber) : undefined,
  };
}
