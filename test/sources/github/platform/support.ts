import { createGitHub } from '../../../../src/github/client.ts';
import type { GitHubApi } from '../../../../src/github/api.ts';
import type { SandboxOptions } from '../../../../src/sandbox/start.ts';
import { startWorld } from '../../../sandbox/world.ts';

export const WIDGETS = { owner: 'acme', repo: 'widgets' } as const;

/** A sandbox whose clock is moved by hand, and clients of it as the product has them. */
export async function startPlatform(options: SandboxOptions = {}) {
  let now = Date.parse('2027-03-01T12:00:00Z');
  const world = await startWorld({ now: () => now, ...options });
  return {
    ...world,
    api: apiOf(world.sandbox.url, world.token),
    /** Time goes on by some seconds. */
    later: (seconds = 10): void => {
      now += seconds * 1000;
    },
    as: (token: string): GitHubApi => apiOf(world.sandbox.url, token),
  };
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>;

function apiOf(baseUrl: string, auth: string): GitHubApi {
  return createGitHub({ baseUrl, auth, userAgent: 'countersign/test', budget: 0 }).api;
}
