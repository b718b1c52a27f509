import * as z from 'zod';

/*
 * What is read of the payloads of webhooks (docs.github.com, "Webhook events and payloads"). GitHub sends much more and
 * may send more tomorrow, so that unknown fields are let pass.
 */

const id = z.int().nonnegative();
const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const login = z.string();
const time = z.iso.datetime({ offset: true });

export const accountSchema = z.object({ id, login, type: z.string().optional() });
const repositorySchema = z.object({ id, name: z.string(), owner: z.object({ login }) });
const listedRepositorySchema = z.object({ id, name: z.string(), full_name: z.string() });
const installationSchema = z.object({ id });

const inRepository = z.object({
  repository: repositorySchema,
  installation: installationSchema,
  sender: accountSchema.optional(),
});

export const pullRequestEvent = inRepository.extend({
  action: z.string(),
  pull_request: z.object({ number: z.int().positive(), head: z.object({ sha }), state: z.enum(['open', 'closed']) }),
});

export const issueCommentEvent = inRepository.extend({
  action: z.enum(['created', 'edited', 'deleted']),
  issue: z.object({ number: z.int().positive(), pull_request: z.object({}).nullish(), state: z.string() }),
  comment: z.object({ id, body: z.string().nullish(), user: accountSchema.nullish(), created_at: time }),
  changes: z.object({ body: z.object({ from: z.string() }).nullish() }).nullish(),
});
export type IssueCommentEvent = z.infer<typeof issueCommentEvent>;

const pullsOfSuite = z.array(z.object({ number: z.int().positive(), head: z.object({ sha }) })).default([]);

export const checkRunEvent = inRepository.extend({
  action: z.string(),
  check_run: z.object({
    head_sha: sha,
    name: z.string(),
    app: z.object({ id, slug: z.string().nullish() }).nullish(),
    pull_requests: pullsOfSuite,
  }),
});
export type CheckRunEvent = z.infer<typeof checkRunEvent>;

export const checkSuiteEvent = inRepository.extend({
  action: z.string(),
  check_suite: z.object({ head_sha: sha, app: z.object({ id }).nullish(), pull_requests: pullsOfSuite }),
});

export const workflowRunEvent = inRepository.extend({
  action: z.string(),
  workflow_run: z.object({ head_sha: sha, event: z.string(), pull_requests: pullsOfSuite }),
});

export const mergeGroupEvent = inRepository.extend({
  merge_group: z.object({ head_sha: sha, head_ref: z.string(), base_sha: sha, base_ref: z.string() }),
});
export type MergeGroupEvent = z.infer<typeof mergeGroupEvent>;

const paths = z.array(z.string()).default([]);
export const pushEvent = inRepository.extend({
  repository: repositorySchema.extend({ default_branch: z.string() }),
  ref: z.string(),
  deleted: z.boolean().default(false),
  forced: z.boolean().default(false),
  commits: z.array(z.object({ added: paths, modified: paths, removed: paths })).default([]),
});

export const installationEvent = z.object({
  action: z.string(),
  installation: z.object({ id, account: accountSchema, suspended_at: z.string().nullish() }),
  repositories: z.array(listedRepositorySchema).default([]),
});

export const installationRepositoriesEvent = z.object({
  installation: z.object({ id, account: accountSchema }),
  repositories_added: z.array(listedRepositorySchema).default([]),
  repositories_removed: z.array(listedRepositorySchema).default([]),
});

export const repositoryEvent = inRepository.extend({ action: z.string() });
export type RepositoryPayload = z.infer<typeof repositorySchema>;
