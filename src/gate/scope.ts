import { globMatcher, MAX_GLOB_LENGTH } from '../config/globs.ts';

const GLOB = /[*?]/;

/**
 * Whether a path lies within any of some declared paths: globs, files, or folders and all below them. A pattern that
 * is too long to be matched in bounded time covers nothing.
 */
export function declaredPaths(declared: readonly string[]): (path: string) => boolean {
  const isGlob = (text: string): boolean => GLOB.test(text);
  const matches = globMatcher(declared.filter((text) => isGlob(text) && text.length <= MAX_GLOB_LENGTH));
  const plain = new Set(declared.filter((text) => !isGlob(text)));
  return (path) => {
    for (let cut = path.length; cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      if (plain.has(path.slice(0, cut))) return true;
    }
    return matches(path);
  };
}
