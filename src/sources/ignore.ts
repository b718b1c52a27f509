import { Refusal } from '../domain/errors.ts';
import type { IgnoreVerdict } from '../checks/secrets/ignore-rules.ts';
import { gitFailure, runGit, workingCopy } from './git.ts';

/**
 * Asks git itself which paths of a working tree it ignores: by every .gitignore, `.git/info/exclude` and
 * `core.excludesFile`. A tracked path is answered by the rules too, as if it were not tracked.
 * @param root the working tree's folder, or one in it
 * @param paths relative to `root`, with `/`; one that ends with a slash is a folder
 * @returns a verdict for every path
 * @throws Refusal CS1502 if git fails, for example since `root` is in no repository or a path lies outside of it; CS1503
 */
export async function askIgnored(
  root: string,
  paths: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Map<string, IgnoreVerdict>> {
  if (paths.length === 0) return new Map();
  const faulty = paths.find((path) => path === '' || path.includes('\0'));
  if (faulty !== undefined) throw new Refusal('CS1502', 'git check-ignore takes no empty path and no U+0000');
  // Exit status 1 says that no path is ignored.
  const copy = workingCopy(root, environment);
  const args = ['check-ignore', '--no-index', '--stdin', '-z', '--verbose', '--non-matching'];
  // Behind `./` a colon starts no pathspec magic.
  const asked = paths.map((path) => (path.startsWith(':') ? `./${path}` : path));
  const answer = await runGit(copy, args, { input: `${asked.join('\0')}\0`, fails: 'allowed' });
  if (answer.code !== 0 && answer.code !== 1) throw gitFailure(copy, 'check-ignore', answer);
  const fields = answer.stdout.toString('utf8').split('\0');
  const verdicts = new Map<string, IgnoreVerdict>();
  // source, line number, pattern, path; all but the path are empty where no rule matches.
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = '', line = '', pattern = '', given = ''] = fields.slice(at, at + 4);
    const path = given.startsWith('./:') ? given.slice(2) : given;
    const isNegated = pattern.startsWith('!');
    verdicts.set(
      path,
      line === ''
        ? { isIgnored: false }
        : { isIgnored: !isNegated, rule: { path: source, line: Number(line), pattern, isNegated } },
    );
  }
  const missing = paths.find((path) => !verdicts.has(path));
  if (missing !== undefined)
    throw new Refusal('CS1502', `git check-ignore said nothing about ${JSON.stringify(missing)}`);
  return verdicts;
}

/**
 * The paths that git tracks below a folder, relative to it.
 * @throws Refusal CS1502 if git fails, CS1503
 */
export async function askTracked(root: string, environment: NodeJS.ProcessEnv = process.env): Promise<Set<string>> {
  const { stdout } = await runGit(workingCopy(root, environment), ['ls-files', '-z']);
  return new Set(
    stdout
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== ''),
  );
}

/**
 * Paths in a working tree that are neither tracked nor ignored, relative to the folder.
 * @throws Refusal CS1502 if git fails, CS1503
 */
export async function askUntracked(root: string, environment: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  const { stdout } = await runGit(workingCopy(root, environment), ['ls-files', '-z', '--others', '--exclude-standard']);
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
}
