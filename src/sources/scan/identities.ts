import type { ScanSink } from '../../gate/scan-report.ts';
import { runGit, workingCopy } from '../git.ts';

/** Who git would record if a commit were made now. */
export interface CommitPeople {
  readonly author: { readonly name: string; readonly email: string } | undefined;
  readonly committer: { readonly name: string; readonly email: string } | undefined;
}

/** What a caller may have put into the environment for the next commit (git-commit-tree(1), "Commit information"). */
const PEOPLE = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL', 'EMAIL'] as const;
/** `Name <address> seconds zone` (git-var(1)). */
const IDENT = /^(.*) <([^<>]*)> \d+ [+-]\d{4}$/s;

/** Asks git for author and committer, by the environment and all configuration. What it does not tell is named. */
export async function nextPeople(
  root: string,
  sink: ScanSink,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<CommitPeople> {
  const copy = workingCopy(root, environment);
  const given = PEOPLE.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]] as const]));
  const asked = { ...copy, environment: { ...copy.environment, ...Object.fromEntries(given) } };
  const ask = async (part: 'author' | 'committer') => {
    const variable = `GIT_${part.toUpperCase()}_IDENT`;
    const { code, stdout } = await runGit(asked, ['var', variable], { fails: 'allowed' });
    const [, name, email] = IDENT.exec(stdout.toString('utf8').trimEnd()) ?? [];
    if (code === 0 && name !== undefined && email !== undefined) return { name, email };
    sink.miss(`the ${part} of the next commit`, 'git knows no name and address to record');
    return undefined;
  };
  return { author: await ask('author'), committer: await ask('committer') };
}
