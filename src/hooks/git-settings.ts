import type { Person } from '../checks/attribution/input.ts';
import { findGit, gitFailure, runGit } from '../sources/git.ts';
import type { Runnable } from '../sources/git.ts';

/** What git's configuration says about messages; undefined where it says nothing. */
export interface MessageSettings {
  /** `commit.cleanup` */
  readonly cleanup: string | undefined;
  /** `core.commentChar` or `core.commentString`, whichever comes last: git takes them for one setting. */
  readonly comment: string | undefined;
  /** `commit.verbose`: whether git adds the difference below a scissors line. */
  readonly verbose: boolean;
  /** `i18n.commitEncoding` */
  readonly encoding: string | undefined;
}

/**
 * How a hook asks git: in the environment that git has given it. `git -c`, `GIT_DIR`, `GIT_AUTHOR_NAME` and their like
 * are how git tells a hook what is being committed, and where. The person who commits has set all of it, so there is
 * nothing to be shielded from.
 * @throws Refusal CS1503
 */
export function callingGit(folder: string, environment: NodeJS.ProcessEnv): Runnable {
  return {
    program: findGit(environment),
    root: folder,
    environment: { ...environment, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
    options: ['--no-pager'],
  };
}

const ASKED = String.raw`^(commit\.(cleanup|verbose)|core\.comment(char|string)|i18n\.commitencoding)$`;

/** Asks git how it will record a message. @throws Refusal CS1502 where its configuration is broken; CS1503 */
export async function messageSettings(git: Runnable): Promise<MessageSettings> {
  // Exit status 1 says that none of them is set.
  const answer = await runGit(git, ['config', '--null', '--get-regexp', ASKED], { fails: 'allowed' });
  if (answer.code !== 0 && answer.code !== 1) throw gitFailure(git, 'config', answer);
  const values = new Map<string, string>();
  for (const entry of answer.stdout.toString('utf8').split('\0')) {
    if (entry === '') continue;
    const lf = entry.indexOf('\n');
    const key = lf === -1 ? entry : entry.slice(0, lf);
    // The last one counts; a key without a value is a true one.
    values.set(key.startsWith('core.comment') ? 'core.comment' : key, lf === -1 ? 'true' : entry.slice(lf + 1));
  }
  return {
    cleanup: values.get('commit.cleanup'),
    comment: values.get('core.comment'),
    verbose: !/^(?:|false|no|off|0)$/i.test(values.get('commit.verbose') ?? ''),
    encoding: values.get('i18n.commitencoding'),
  };
}

/**
 * The author or committer of the commit that is being made; undefined where git knows none. Then it makes no commit
 * either, so nobody slips through.
 * @throws Refusal CS1503, CS1502 where git does not end
 */
export async function identityOf(git: Runnable, part: 'author' | 'committer'): Promise<Person | undefined> {
  const answer = await runGit(git, ['var', `GIT_${part.toUpperCase()}_IDENT`], { fails: 'allowed' });
  if (answer.code !== 0) return undefined;
  // `Name <address> 1700000000 +0100`; neither name nor address can hold an angle bracket (git, ident.c).
  const [, name = '', email = ''] = /^(.*?) ?<([^<>]*)> [^<>]*$/.exec(answer.stdout.toString('utf8').trimEnd()) ?? [];
  return { name, email };
}
