/** Words of the configuration that other parts name; each list from the weakest to the strictest where it has an order. */

export const MODES = ['observe', 'warn', 'enforce'] as const;
export type Mode = (typeof MODES)[number];

export const RUNS_REQUIRED = ['never', 'agents', 'always'] as const;
export type RunsRequired = (typeof RUNS_REQUIRED)[number];

/** How much what a check finds weighs. */
export const ENFORCEMENTS = ['off', 'warn', 'block'] as const;
export type Enforcement = (typeof ENFORCEMENTS)[number];

/** Levels of trust that a configuration can demand; `attested` is reserved. */
export const TRUST_DEMANDS = ['declared', 'platform', 'reexecuted'] as const;
export type TrustDemand = (typeof TRUST_DEMANDS)[number];

export const PERMISSIONS = ['write', 'maintain', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const SELF_APPROVALS = ['admins', 'never'] as const;
export type SelfApproval = (typeof SELF_APPROVALS)[number];

export const FINAL_VERIFICATIONS = ['everything', 'review'] as const;
export type FinalVerification = (typeof FINAL_VERIFICATIONS)[number];

export const ATTRIBUTION_MODES = ['off', 'require-disclosure', 'forbid', 'forbid-mention'] as const;
export type AttributionMode = (typeof ATTRIBUTION_MODES)[number];

export const COMMENTS = ['never', 'on-problem', 'always'] as const;
export type CommentWhen = (typeof COMMENTS)[number];

export const PUBLISH_FORMS = ['none', 'status', 'check'] as const;
export type PublishForm = (typeof PUBLISH_FORMS)[number];
