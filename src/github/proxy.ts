import { Refusal } from '../domain/errors.ts';

/** The variables by which proxies are named, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Missing before 24.14. */
interface ProxyOfNode {
  readonly setGlobalProxyFromEnv?: (env: Environment) => () => void;
}

const NOTHING_TO_UNDO = (): void => undefined;

/**
 * Has `fetch` go through the proxy that the environment names for an address, in this whole process: `HTTPS_PROXY`
 * for https, `HTTP_PROXY` for http, but not for the hosts of `NO_PROXY`; lower case goes before upper, and the scheme
 * may be missing, as runners allow. Every connection is a tunnel (`CONNECT`). Costs nothing where no variable is set.
 * @param url an address of the interface that is going to be used
 * @returns undoes it
 * @throws Refusal CS1601 for an address that is none; CS1304 where this Node.js cannot do it (it can from 24.14 on)
 */
export async function honourProxy(env: Environment, url: string): Promise<() => void> {
  const scheme = new URL(url).protocol === 'http:' ? 'http' : 'https';
  const name = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`].find((one) => (env[one] ?? '') !== '');
  if (name === undefined) return NOTHING_TO_UNDO;
  const proxy = proxyUrl(name, env[name] ?? '');
  const { setGlobalProxyFromEnv }: ProxyOfNode = await import('node:http');
  if (setGlobalProxyFromEnv === undefined) {
    throw new Refusal('CS1304', `${name} is set, and Node.js ${process.version} cannot use a proxy`);
  }
  // Node's own reading would use HTTP_PROXY for https too, which neither curl nor the runner's toolkit does.
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return setGlobalProxyFromEnv({ http_proxy: proxy, https_proxy: proxy, no_proxy: noProxy });
}

// The message does not show the address: it may hold a password.
function proxyUrl(name: string, value: string): string {
  const address = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new Refusal('CS1601', `${name} is not the address of an http or https proxy`, {
    remedy: `Set ${name} to an address such as http://proxy.example:3128, or unset it.`,
  });
}
