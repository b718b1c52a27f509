import { Octokit } from '@octokit/core';
import type { GitHubApi } from './api.ts';
import { attachRules } from './rules.ts';
import type { RulesOptions } from './rules.ts';

export interface GitHubOptions extends RulesOptions {
  /** The REST interface: `GITHUB_API_URL` of a runner, by default `https://api.github.com`. */
  readonly baseUrl?: string;
  /** A token, or one of octokit's strategies for apps. Without either calls are anonymous. */
  readonly auth?: string | { readonly strategy: unknown; readonly options: unknown };
  /** `countersign/1.2.3`: GitHub demands that a client names itself. */
  readonly userAgent: string;
}

/** Attempts made so far, by route (`GET /repos/{owner}/{repo}/pulls/{pull_number}`, `POST /graphql`). */
export type CallCounts = Readonly<Record<string, number>>;

/** GitHub, as one run of the Action or one installation of the App uses it. */
export interface GitHub {
  readonly api: GitHubApi;
  readonly calls: () => CallCounts;
}

/** A client of GitHub's REST and GraphQL interface that keeps the rules of `rules.ts`. It makes no call by itself. */
export function createGitHub(options: GitHubOptions): GitHub {
  const { baseUrl, auth, userAgent, onCall } = options;
  const octokit = new Octokit({
    userAgent,
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.replace(/\/$/, '') }),
    ...(typeof auth === 'string' ? { auth } : {}),
    ...(typeof auth === 'object' ? { authStrategy: auth.strategy, auth: auth.options } : {}),
  });
  const counts = new Map<string, number>();
  attachRules(octokit, {
    ...options,
    onCall: (record) => {
      counts.set(record.route, (counts.get(record.route) ?? 0) + 1);
      onCall?.(record);
    },
  });
  const { request, graphql } = octokit;
  return { api: { request, graphql }, calls: () => Object.fromEntries([...counts].sort()) };
}
