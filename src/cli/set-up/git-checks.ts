import { realpathSync } from 'node:fs';
import { isRefusal } from '../../domain/errors.ts';
import { RAPID_OS } from '../../domain/project.ts';
import { runGit, workingCopy } from '../../sources/git.ts';
import { bad, ok } from '../../doctor/diagnosis.ts';
import type { Diagnosis } from '../../doctor/diagnosis.ts';
import { ATTRIBUTES } from './templates.ts';

/** The oldest git that has all that is asked of it: `rev-parse --path-format`. https://git-scm.com/docs/git-rev-parse */
const OLDEST_GIT = [2, 31] as const;

/** What git says; undefined where it fails. @throws Refusal CS1503 where there is no git */
async function git(root: string, ...args: readonly string[]): Promise<string | undefined> {
  // Options would come before `--version`, which needs none: it reads no repository.
  const copy = args[0] === '--version' ? { ...workingCopy(root), options: [] } : workingCopy(root);
  const { code, stdout } = await runGit(copy, args, { fails: 'allowed' });
  return code === 0 ? stdout.toString('utf8').trimEnd() : undefined;
}

/**
 * What git has to say: its version, where the repository is, which branch is the base, line ends.
 * @param base the base branch that is meant; looked for where it is not given
 */
export async function gitChecks(root: string, base: string | undefined): Promise<Diagnosis[]> {
  let version: string | undefined;
  try {
    version = await git(root, '--version');
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
  }
  const first = versionCheck(version);
  if (first.health === 'fail') return [first];
  const top = await git(root, 'rev-parse', '--show-toplevel');
  if (top === undefined) {
    return [first, bad('repository', 'fail', 'This is no git repository.', 'Run it inside one, or make one: git init')];
  }
  return [first, await repositoryCheck(root, top), await baseCheck(root, base), await attributesCheck(root)];
}

function versionCheck(text: string | undefined): Diagnosis {
  const [major = 0, minor = 0] = (/\d{1,4}\.\d{1,4}/.exec(text ?? '')?.[0] ?? '').split('.').map(Number);
  const wanted = OLDEST_GIT.join('.');
  if (text === undefined || major === 0)
    return bad('git', 'fail', 'git cannot be started.', `Install git ${wanted} or newer.`);
  const enough = major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1]);
  return enough ? ok('git', text) : bad('git', 'fail', `${text} is too old.`, `Install git ${wanted} or newer.`);
}

async function repositoryCheck(root: string, top: string): Promise<Diagnosis> {
  if (realpathSync.native(top) !== root) {
    const remedy = 'Move .rapid-os and .github to the top of the repository: GitHub reads them there.';
    return bad('repository', 'fail', `The repository is ${top}, and the project a folder in it.`, remedy);
  }
  if ((await git(root, 'rev-parse', '--is-shallow-repository')) === 'true') {
    const remedy = 'Get the whole history: git fetch --unshallow';
    return bad('repository', 'warn', 'This is a shallow clone: a merge base may be missing.', remedy);
  }
  return ok('repository', top);
}

const USUAL_BASES = ['main', 'master', 'trunk'];

async function baseCheck(root: string, named: string | undefined): Promise<Diagnosis> {
  const remedy = 'Name it with --base, or let git ask: git remote set-head origin --auto';
  const remote = await git(root, 'symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  const candidates =
    named === undefined
      ? [remote, ...USUAL_BASES.flatMap((name) => [`refs/remotes/origin/${name}`, `refs/heads/${name}`])]
      : [`refs/heads/${named}`, `refs/remotes/origin/${named}`, `refs/remotes/${named}`];
  for (const ref of candidates) {
    if (ref === undefined) continue;
    const commit = await git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
    if (commit !== undefined) return ok('base branch', `${ref} at ${commit.slice(0, 12)}`);
  }
  if (named !== undefined) return bad('base branch', 'fail', `There is no branch '${named}'.`, remedy);
  return bad('base branch', 'warn', 'No base branch was found.', remedy);
}

async function attributesCheck(root: string): Promise<Diagnosis> {
  const answer = await git(root, 'check-attr', 'text', '--', `${RAPID_OS}/runs/any/contract.json`);
  if (answer?.endsWith(': unset') === true) return ok('line ends', `git leaves those of ${RAPID_OS} alone`);
  const detail = `git may convert line ends of ${RAPID_OS}, and digests cover them.`;
  return bad('line ends', 'warn', detail, `Add this line to .gitattributes: ${ATTRIBUTES}`);
}
