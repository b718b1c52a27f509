import * as z from 'zod';
import { SECRET_RULES } from '../checks/secrets/rules.ts';
import type { SecretRuleId } from '../checks/secrets/rules.ts';
import { MODES, RUNS_REQUIRED } from '../config/words.ts';
import { placeSchema } from './place.ts';

/**
 * Everything that `decide` may know, as plain data. Nothing here is trusted by itself: what comes from the head
 * (its documents, its commits' messages) are claims, what the platform says is observed, what comes from the
 * base are the rules.
 */

const sha = z
  .string()
  .regex(/^[0-9a-f]{40,64}$/)
  .describe('object id in hex');
const count = z.int().nonnegative();
const time = z.iso.datetime({ offset: true });

/** A person, app or bot, by the platform's numeric id where it gives one. */
export const identitySchema = z.strictObject({
  name: z.string().default(''),
  email: z.string().default(''),
  login: z.string().optional(),
  id: count.optional(),
  type: z.enum(['user', 'bot', 'app', 'unknown']).default('unknown'),
});

/** Permissions on a repository, rising (REST "get repository permissions for a user"). */
export const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;

/** What the platform says of someone who could decide something. */
export const personSchema = z.strictObject({
  id: count,
  login: z.string(),
  type: z.enum(['user', 'bot', 'app', 'unknown']),
  permission: z.enum(PERMISSIONS),
  /** Slugs of the teams that the config names and the person is a member of. */
  teams: z.array(z.string()).default([]),
});

/** A file's change. `mode` is git's: 100644, 100755, 120000 (symlink), 160000 (submodule), 000000 (none). */
export const fileChangeSchema = z.strictObject({
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type-changed']),
  path: z.string(),
  old_path: z.string().optional(),
  mode: z.string().regex(/^[0-7]{6}$/),
  old_mode: z.string().regex(/^[0-7]{6}$/),
  /** Bytes at the head; absent where the file is deleted or the size is not known. */
  size: count.optional(),
});

/** What a commit changes below `.rapid-os`; for run records their texts, since those may move forward. */
export const ledgerChangeSchema = z.strictObject({
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type-changed']),
  path: z.string(),
  old_path: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
});

export const commitSchema = z.strictObject({
  sha,
  parents: z.array(sha),
  author: identitySchema,
  committer: identitySchema,
  message: z.string(),
  /** The platform verified the signature. */
  verified: z.boolean().default(false),
  /** Accounts behind its `Co-authored-by:` trailers, as the platform reads them. */
  co_authors: z.array(identitySchema).optional(),
  /** The account that pushed it, where the platform tells. */
  pusher: identitySchema.optional(),
  ledger_changes: z.array(ledgerChangeSchema),
});

/** A document or artifact of a snapshot: its bytes, or, where only its digest matters, size and SHA-256. */
export const entrySchema = z.strictObject({
  path: z.string(),
  mode: z.enum(['100644', '100755', '120000', '160000']),
  text: z.string().optional(),
  base64: z.string().optional(),
  size: count.optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** The documents of one state of the repository that decide needs, and only those. */
export const snapshotSchema = z.strictObject({
  /** Folders (or files) that were looked at whole: what is not listed below them does not exist. */
  covers: z.array(z.string()),
  entries: z.array(entrySchema),
});

export const jobSchema = z.strictObject({
  id: count,
  name: z.string(),
  status: z.enum(['queued', 'in_progress', 'completed', 'waiting', 'pending', 'requested']),
  conclusion: z
    .enum([
      'success',
      'failure',
      'neutral',
      'cancelled',
      'skipped',
      'timed_out',
      'action_required',
      'startup_failure',
      'stale',
    ])
    .nullable(),
});

/** A workflow run at the head, of its latest attempt. */
export const workflowRunSchema = z.strictObject({
  id: count,
  attempt: z.int().positive(),
  /** Path of the workflow file, without a ref. */
  path: z.string(),
  event: z.string(),
  head_sha: sha,
  status: jobSchema.shape.status,
  conclusion: jobSchema.shape.conclusion,
  jobs: z.array(jobSchema),
  /** When it was first started, whatever attempt this is: all attempts run the same workflow file at the same merge. */
  created_at: time.optional(),
  /** Numbers of open pull requests with its head, not of those that it was started for; the platform names none for forks. */
  pull_requests: z.array(z.int().positive()).optional(),
});

export const reviewSchema = z.strictObject({
  id: count,
  user_id: count.nullable(),
  login: z.string(),
  state: z.enum(['approved', 'changes_requested', 'commented', 'dismissed', 'pending']),
  commit_sha: sha.nullable(),
  submitted_at: time,
});

/** Something that a person decided, read back from the platform. Edited comments are listed, and never count. */
export const decisionSchema = z.strictObject({
  kind: z.enum(['approve', 'approve-contract', 'confirm-waiver', 'confirm-skip', 'confirm-tests', 'allow']),
  user_id: count.nullable(),
  login: z.string(),
  at: time,
  head_sha: sha.nullable(),
  /** What it is about: a run id, a contract digest, a finding id; empty for all of its kind. */
  subject: z.string().default(''),
  reason: z.string().default(''),
  until: z.iso.date().optional(),
  source: z.string(),
  edited: z.boolean(),
});

/** What became of running the base's tests on a disposable worktree at the head. */
export const rerunSchema = z.discriminatedUnion('ran', [
  z.strictObject({ ran: z.literal(true), command: z.array(z.string()), exit_code: z.int(), head_sha: sha }),
  z.strictObject({ ran: z.literal(false), why: z.string() }),
]);

/** What was found of secrets. Facts hold no secret, so whoever collects them looks for secrets and tells where they are. */
export const secretsSchema = z.strictObject({
  /** `whole`: everything that this kind of subject has to show, but for what `unread` names. `not`: nobody looked. */
  scanned: z.enum(['whole', 'not']),
  /** How much one weighs is the rule's and the config's to say. */
  findings: z.array(
    z.strictObject({
      rule: z.enum(Object.keys(SECRET_RULES) as [SecretRuleId, ...SecretRuleId[]]),
      place: placeSchema,
      subject: z.string(),
      message: z.string(),
      remedy: z.string(),
    }),
  ),
});

/** What whoever starts the program asks for on top of the base's rules: the Action's inputs. */
export const callerSchema = z.strictObject({
  /** The workflow file that asks, and whether the head has another one than the base. Absent: not known. */
  workflow: z.strictObject({ path: z.string(), changed: z.boolean() }).optional(),
  mode: z.enum(MODES).optional(),
  require: z.enum(RUNS_REQUIRED).optional(),
  /** Path of the repository's config at the base. */
  config: z.string().min(1).optional(),
  /** Outcomes that fail the job. */
  fail_on: z.array(z.enum(['pending', 'unverified', 'failed', 'incomplete'])).optional(),
});

export const factsSchema = z.strictObject({
  schema_version: z.literal(1),
  engine: z.string().describe('version of the program that collected the facts'),
  profile: z.enum(['local', 'github']).describe('profile of trust'),
  now: time,
  subject: z.strictObject({
    /** `range`: commits that nobody asks to merge, such as pushed ones: only attribution and secrets are judged. */
    kind: z.enum(['working-tree', 'branch', 'pull-request', 'range']),
    repository: z.string().optional(),
    number: z.int().positive().optional(),
    title: z.string().default(''),
    body: z.string().default(''),
    author: identitySchema.optional(),
    base: z.strictObject({
      ref: z.string(),
      sha: sha.nullable(),
      /** It is the default branch or protected. Absent: nobody asked. */
      guarded: z.boolean().optional(),
    }),
    head: z.strictObject({ ref: z.string(), sha: sha.nullable() }),
    /** What the repository makes of a squash and of a merge (REST "get a repository"). */
    squash: z
      .strictObject({
        title: z.enum(['PR_TITLE', 'COMMIT_OR_PR_TITLE']),
        message: z.enum(['PR_BODY', 'COMMIT_MESSAGES', 'BLANK']),
      })
      .optional(),
    merge_message: z.enum(['PR_BODY', 'PR_TITLE', 'BLANK']).optional(),
    merge_base: sha.nullable(),
    /** When the pull request was opened, and when it was last given another base, if ever. */
    opened_at: time.optional(),
    base_changed_at: time.optional(),
    /** Other pull requests of the same branch with this head that stood open beside it, and since when they may have. */
    elsewhere: z.array(z.strictObject({ number: z.int().positive(), base: z.string(), since: time })).optional(),
    /** How many commits and files the platform says there are; fewer seen means not all were seen. */
    commit_count: count.optional(),
    file_count: count.optional(),
  }),
  /** Ids given by the caller: the Action's input, `--run`. */
  named_runs: z.array(z.string()).default([]),
  caller: callerSchema.optional(),
  commits: z.array(commitSchema),
  files: z.array(fileChangeSchema),
  base: snapshotSchema,
  head: snapshotSchema,
  /** The organisation's layer of the config, where one is named. */
  organisation_config: z
    .discriminatedUnion('state', [
      z.strictObject({ state: z.literal('absent') }),
      z.strictObject({ state: z.literal('read'), text: z.string(), source: z.string() }),
      z.strictObject({ state: z.literal('unreadable'), why: z.string(), source: z.string() }),
    ])
    .default({ state: 'absent' }),
  workflow_runs: z.array(workflowRunSchema).default([]),
  reviews: z.array(reviewSchema).default([]),
  decisions: z.array(decisionSchema).default([]),
  people: z.array(personSchema).default([]),
  last_pusher: identitySchema.optional(),
  rerun: rerunSchema.optional(),
  /** Absent: nobody looked for any. */
  secrets: secretsSchema.optional(),
  /** What could not be read, and why. Anything here keeps the verdict from being more than incomplete. */
  unread: z.array(z.strictObject({ what: z.string(), why: z.string() })).default([]),
});

export type Facts = z.infer<typeof factsSchema>;
export type SecretFacts = z.infer<typeof secretsSchema>;
export type Caller = z.infer<typeof callerSchema>;
export type Identity = z.infer<typeof identitySchema>;
export type Person = z.infer<typeof personSchema>;
export type FileChange = z.infer<typeof fileChangeSchema>;
export type LedgerChange = z.infer<typeof ledgerChangeSchema>;
export type CommitFacts = z.infer<typeof commitSchema>;
export type Snapshot = z.infer<typeof snapshotSchema>;
export type SnapshotEntry = z.infer<typeof entrySchema>;
export type WorkflowRun = z.infer<typeof workflowRunSchema>;
export type Job = z.infer<typeof jobSchema>;
export type ReviewFacts = z.infer<typeof reviewSchema>;
export type DecisionFacts = z.infer<typeof decisionSchema>;
