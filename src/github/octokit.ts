import type { Octokit } from '@octokit/core';

/** A call as octokit hands it to its hooks. */
export type CallOptions = Parameters<Octokit['request']['endpoint']['parse']>[0] & { url: string };
/** An answer as octokit gives it back. */
export type CallResponse = Awaited<ReturnType<Octokit['request']>>;
export type Send = (options: CallOptions) => Promise<CallResponse>;
