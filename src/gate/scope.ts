import { globMatcher } from '../config/globs.ts';

const GLOB = /[*?[{]/;

/** Whether a path lies within a declared path: a glob, a file, or a folder and all below it. */
export function declaredPathMatches(path: string, declared: string): boolean {
  if (GLOB.test(declared)) return globMatcher([declared])(path);
  return path === declared || path.startsWith(`${declared}/`);
}
