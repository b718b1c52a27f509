import { bytesOf, compileWildmatch } from './wildmatch.ts';

/** A file of ignore rules. */
export interface IgnoreFile {
  /** Where it is, for messages: `sub/.gitignore`. */
  readonly path: string;
  /** The folder that it applies to, '' for the root. */
  readonly folder: string;
  readonly text: string;
}

/** One rule, where it stands. */
export interface IgnoreRule {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** As written, without its line end. */
  readonly pattern: string;
  readonly isNegated: boolean;
}

export interface IgnoreVerdict {
  readonly isIgnored: boolean;
  /** The rule that decided: the last one that matches the path, or the folder that is excluded. */
  readonly rule?: IgnoreRule;
}

export interface IgnoreOptions {
  /** `core.ignoreCase`: true where the file system takes `.ENV` for `.env`; git on Linux says false. */
  readonly ignoreCase?: boolean;
  /**
   * Rules with less weight than any .gitignore, the weightiest first: `.git/info/exclude`, then what
   * `core.excludesFile` names. Both apply to the root.
   */
  readonly global?: readonly IgnoreFile[];
}

/** Whether git ignores a path: whose name ends in a slash is a folder. */
export type IgnoreMatcher = (path: string) => IgnoreVerdict;

/**
 * Decides as git does (gitignore(5); `git check-ignore --no-index`) from the texts of the rule files: the last
 * matching rule of the nearest file decides, and nothing below an excluded folder can be included again.
 * @param files all `.gitignore` files of a snapshot, regular files only: git follows no link here
 */
export function ignoreMatcher(files: readonly IgnoreFile[], options: IgnoreOptions = {}): IgnoreMatcher {
  const { ignoreCase = false, global = [] } = options;
  const byFolder = new Map<string, CompiledRule[]>();
  for (const file of files) {
    const folder = bytesOf(file.folder);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), ...compile(file, ignoreCase)]);
  }
  const globals = global.map((file) => compile(file, ignoreCase));
  const folders = new Map<string, CompiledRule | undefined>();

  // The rule that decides about one path, its parents left aside.
  const decide = (path: string, isFolder: boolean): CompiledRule | undefined => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const folder = end === -1 ? '' : path.slice(0, end);
      const relative = end === -1 ? path : path.slice(end + 1);
      const rule = lastMatch(byFolder.get(folder), relative, name, isFolder);
      if (rule !== undefined) return rule;
      if (end <= 0) break;
    }
    for (const rules of globals) {
      const rule = lastMatch(rules, path, name, isFolder);
      if (rule !== undefined) return rule;
    }
    return undefined;
  };

  // The rule that excludes a folder or one that it lies in.
  const excludedFolder = (folder: string): CompiledRule | undefined => {
    if (folder === '') return undefined;
    if (folders.has(folder)) return folders.get(folder);
    const cut = folder.lastIndexOf('/');
    const above = excludedFolder(cut === -1 ? '' : folder.slice(0, cut));
    const own = above ?? decide(folder, true);
    const rule = own === undefined || own.rule.isNegated ? undefined : own;
    folders.set(folder, rule);
    return rule;
  };

  return (given) => {
    const isFolder = given.endsWith('/');
    const path = bytesOf(isFolder ? given.slice(0, -1) : given);
    const cut = path.lastIndexOf('/');
    const rule = excludedFolder(cut === -1 ? '' : path.slice(0, cut)) ?? decide(path, isFolder);
    return rule === undefined ? { isIgnored: false } : { isIgnored: !rule.rule.isNegated, rule: rule.rule };
  };
}

interface CompiledRule {
  readonly rule: IgnoreRule;
  readonly matches: (relative: string, name: string, isFolder: boolean) => boolean;
}

function lastMatch(
  rules: readonly CompiledRule[] | undefined,
  relative: string,
  name: string,
  isFolder: boolean,
): CompiledRule | undefined {
  return rules?.findLast(({ matches }) => matches(relative, name, isFolder));
}

function compile(file: IgnoreFile, ignoreCase: boolean): CompiledRule[] {
  return file.text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((row, index) => {
      const written = row.endsWith('\r') ? row.slice(0, -1) : row;
      if (row === '' || row.startsWith('#')) return [];
      // A pattern is a C string to git.
      const pattern = withoutTrailingSpaces(bytesOf(written.split('\0', 1)[0] ?? ''));
      const isNegated = pattern.startsWith('!');
      const matches = compilePattern(isNegated ? pattern.slice(1) : pattern, ignoreCase);
      return [{ rule: { path: file.path, line: index + 1, pattern: written, isNegated }, matches }];
    });
}

// Spaces at the end go, unless a backslash stands before; tabs and other white space stay.
function withoutTrailingSpaces(pattern: string): string {
  let end: number | undefined;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === ' ') end ??= at;
    else {
      end = undefined;
      if (pattern[at] === '\\') at += 1;
    }
  }
  return pattern.slice(0, end);
}

const SPECIAL = /[*?[\\]/;

function compilePattern(written: string, ignoreCase: boolean): CompiledRule['matches'] {
  const onlyFolders = written.endsWith('/');
  const pattern = onlyFolders ? written.slice(0, -1) : written;
  const same = (a: string, b: string) => (ignoreCase ? foldAscii(a) === foldAscii(b) : a === b);
  let test: (relative: string, name: string) => boolean;
  if (!pattern.includes('/')) {
    // Without a slash it is compared with the name alone, at every depth.
    const wild = compileWildmatch(pattern, 'alike', ignoreCase);
    test = SPECIAL.test(pattern) ? (_, name) => wild(name) : (_, name) => same(name, pattern);
  } else {
    const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern;
    const special = anchored.search(SPECIAL);
    const literal = special === -1 ? anchored : anchored.slice(0, special);
    // git takes what stands before the first special character off both, and then reads the rest as a pattern of its
    // own: the stars of `a**` stand at its start.
    const wild = special === -1 ? undefined : compileWildmatch(anchored.slice(special), 'apart', ignoreCase);
    test = (relative) =>
      same(relative.slice(0, literal.length), literal) &&
      (wild === undefined ? relative.length === literal.length : wild(relative.slice(literal.length)));
  }
  return (relative, name, isFolder) => (isFolder || !onlyFolders) && test(relative, name);
}

function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
