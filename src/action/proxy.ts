import * as http from 'node:http';

/** Variables by which a runner names a proxy (GitHub, "Using a proxy server with a runner"). */
const PROXIES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** Set where a process was started anew for the proxy's sake, so that it is done once. */
const RESTARTED = 'NODE_USE_ENV_PROXY';

/**
 * Has `fetch` go through the proxy that the environment names, `no_proxy` heeded. Node reads the variables at its start,
 * and only when told to; since 24.14 also later.
 * @returns true where this Node cannot do it later: it has to be started anew, by {@link RESTARTED}
 */
export function useProxy(environment: NodeJS.ProcessEnv): boolean {
  if (PROXIES.every((name) => (environment[name] ?? '') === '') || environment[RESTARTED] === '1') return false;
  // Types of Node 24.14 have it; runners may have an older one.
  const set = (http as { readonly setGlobalProxyFromEnv?: (from: NodeJS.ProcessEnv) => void }).setGlobalProxyFromEnv;
  if (set === undefined) return true;
  set(environment);
  return false;
}

/** Starts the same program anew with Node's own support of proxies. @returns its exit code */
export async function restart(environment: NodeJS.ProcessEnv): Promise<number> {
  const { spawnSync } = await import('node:child_process');
  const { status } = spawnSync(process.execPath, process.argv.slice(1), {
    env: { ...environment, [RESTARTED]: '1' },
    stdio: 'inherit',
  });
  return status ?? 70;
}
