import { Refusal } from '../domain/errors.ts';

/**
 * The patterns of the configuration, matched from the repository's root, upper and lower case told apart:
 *
 * - `*` stands for any run of characters without `/`, also an empty one, and `?` for one character but `/`;
 * - `**` as a whole segment stands for any number of folders, also none;
 * - a pattern that ends in `/` or `/**` means the folder: everything below it, and an entry of its name that is
 *   no folder (a link or a submodule that took its place);
 * - names that start with a dot are names like any other;
 * - everything else stands for itself, brackets too. There are no braces and no negation.
 *
 * Both sides may start with `./` and repeat `/`.
 */
export type Glob = string;

/** Longest pattern; with it, matching costs at most this many steps for each character of a path. */
export const MAX_GLOB_LENGTH = 512;

/** Why a text is no pattern, or undefined where it is one. */
export function globFault(text: string): string | undefined {
  if (text.trim() === '') return 'must not be empty';
  if (text.length > MAX_GLOB_LENGTH) return `must have at most ${MAX_GLOB_LENGTH} characters`;
  if (text.startsWith('!')) return "must not start with '!': there is no negation";
  if (text.startsWith('/')) return "must not start with '/': patterns start at the repository's root anyway";
  if (text.includes('\\')) return "must be written with '/', not a backslash";
  const open = text.indexOf('{');
  if (open >= 0 && text.indexOf('}', open) > open) return 'must be without braces: write one pattern for each';
  const segments = text.split('/');
  if (segments.includes('..')) return "must not contain a '..' segment";
  if (segments.some((segment) => segment !== '**' && segment.includes('**'))) {
    return "must have '**' as a whole segment only, as in 'src/**/test'";
  }
  return segmentsOf(text).length === 0 ? 'must name something' : undefined;
}

/**
 * Whether a path of the repository matches a pattern.
 * @throws Refusal CS1403 for a path with a `..` segment
 */
export function matchesGlob(path: string, pattern: Glob): boolean {
  return globMatcher([pattern])(path);
}

/** Whether a path matches any of some patterns; for many paths, since the patterns are taken apart once. */
export function globMatcher(patterns: readonly Glob[]): (path: string) => boolean {
  const compiled = patterns.map(compile);
  return (path) => {
    const names = segmentsOf(path);
    if (names.includes('..')) throw new Refusal('CS1403', `No path inside the repository: ${JSON.stringify(path)}.`);
    return compiled.some((segments) => matchSegments(names, segments));
  };
}

/** Whether a text, such as a job's name, matches a pattern in which only `*` stands for something: any characters. */
export function matchesWildcard(text: string, pattern: string): boolean {
  return matchRuns([...text], [...pattern], '*', (char, wanted) => char === wanted);
}

/** A segment of a pattern: any folders, one exact name, or characters with stars among them. */
type Segment = '**' | { readonly exact: string } | { readonly chars: readonly string[] };

function compile(pattern: Glob): readonly Segment[] {
  const segments = segmentsOf(pattern).map((segment): Segment => {
    if (segment === '**') return '**';
    return /[*?]/.test(segment) ? { chars: [...segment] } : { exact: segment };
  });
  return pattern.endsWith('/') ? [...segments, '**'] : segments;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function matchSegments(names: readonly string[], pattern: readonly Segment[]): boolean {
  if (names.length === 0) return false;
  return matchRuns<string, Segment>(names, pattern, '**', (name, segment) => {
    if (segment === '**') return false;
    return 'exact' in segment ? name === segment.exact : matchName(name, segment.chars);
  });
}

function matchName(name: string, chars: readonly string[]): boolean {
  return matchRuns([...name], chars, '*', (char, wanted) => wanted === '?' || char === wanted);
}

/**
 * Matches a list with a pattern in which `star` stands for any run of items. After a mismatch only the latest star
 * takes one item more: an earlier one could never help, so the cost is at most the product of both lengths.
 */
function matchRuns<Item, Part>(
  items: readonly Item[],
  pattern: readonly Part[],
  star: Part & string,
  fits: (item: Item, part: Part) => boolean,
): boolean {
  let item = 0;
  let part = 0;
  let retry: { readonly part: number; item: number } | undefined;
  while (item < items.length) {
    if (pattern[part] === star) {
      part += 1;
      retry = { part, item };
    } else if (part < pattern.length && fits(items[item] as Item, pattern[part] as Part)) {
      item += 1;
      part += 1;
    } else if (retry !== undefined) {
      retry.item += 1;
      item = retry.item;
      part = retry.part;
    } else {
      return false;
    }
  }
  while (pattern[part] === star) part += 1;
  return part === pattern.length;
}
