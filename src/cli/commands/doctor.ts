import type { Command } from 'commander';
import type { Diagnosis, Health } from '../../doctor/diagnosis.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RepositoryName } from '../../github/api.ts';
import { openProject } from '../../workspace/workspace.ts';
import { EXIT } from '../exit.ts';
import { answer, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { fileChecks, nodeCheck } from '../set-up/file-checks.ts';
import { gitChecks } from '../set-up/git-checks.ts';
import { originOf, readRepositoryName } from '../set-up/origin.ts';
import { table } from '../terminal.ts';
import type { Style, Terminal } from '../terminal.ts';

const STYLES = { ok: 'green', warn: 'yellow', fail: 'red' } as const satisfies Record<Health, Style>;

interface DoctorOptions extends CommonOptions {
  readonly base?: string;
  readonly github?: boolean;
  readonly repo?: string;
  readonly token?: string;
  readonly appId?: string;
}

/** `doctor` */
export function addDoctorCommand(program: Command, session: Session): void {
  leaf(program, 'doctor', 'look at the set-up: git, configuration, lock, workflows, documents; and at GitHub', [
    'doctor',
    'doctor --base develop --json',
    'doctor --github --repo acme/widgets',
    'doctor --github --repo acme/widgets --token ADMIN_TOKEN --app-id 12345',
  ])
    .option('--base <branch>', "branch that pull requests go to (default: origin's default branch, or main)")
    .option('--github', 'ask GitHub too, with a token or as the App (APP_ID and its key in the environment)')
    .option('--repo <owner/name>', 'repository to ask about, and only about that one (default: where origin is)')
    .option('--token <variable>', 'environment variable that holds a token (default: GITHUB_TOKEN, then GH_TOKEN)')
    .option('--app-id <id>', "the App that must have the verdict's check required (default: APP_ID)")
    .action(async (options: DoctorOptions) => {
      const checks = await allChecks(session, options);
      const healthy = checks.every(({ health }) => health !== 'fail');
      if (!healthy) session.exit = EXIT.refused.code;
      answer(session, options, { healthy, checks }, () => textOf(session.terminal, checks));
    });
}

async function allChecks(session: Session, options: DoctorOptions): Promise<readonly Diagnosis[]> {
  const { repo, appId } = options;
  const named = repo === undefined ? undefined : readRepositoryName(repo);
  if (repo !== undefined && named === undefined) throw new Refusal('CS1301', '--repo takes owner/name.');
  if (appId !== undefined && !/^[1-9]\d{0,8}$/.test(appId)) throw new Refusal('CS1301', '--app-id takes a number.');
  const more = [repo, options.token, appId].some((one) => one !== undefined);
  if (options.github !== true && more) {
    throw new Refusal('CS1301', '--repo, --token and --app-id are about GitHub: give --github too.');
  }
  // Who names a repository may ask from anywhere, such as the machine that the App runs on.
  if (named !== undefined) return [nodeCheck(process.version), ...(await asked(options, named))];
  const root = rootOf(session, options);
  const local = [
    nodeCheck(process.version),
    ...(await gitChecks(root, options.base)),
    ...fileChecks(openProject(root, 'strict')),
  ];
  const told = options.github === true || isAppThere(process.env);
  return told ? [...local, ...(await asked(options, await originOf(root)))] : local;
}

/** Whether the App's settings are there: then nothing more has to be said to have GitHub asked. */
function isAppThere({ APP_ID, PRIVATE_KEY, PRIVATE_KEY_PATH }: NodeJS.ProcessEnv): boolean {
  return (APP_ID ?? '') !== '' && (PRIVATE_KEY ?? PRIVATE_KEY_PATH ?? '') !== '';
}

/** Asks GitHub. Its client is loaded only where it is used. */
async function asked(options: DoctorOptions, repository: RepositoryName | undefined): Promise<readonly Diagnosis[]> {
  const { githubChecks } = await import('../set-up/github-checks.ts');
  return githubChecks({
    ...{ environment: process.env, repository, tokenFrom: options.token },
    appId: options.appId === undefined ? undefined : Number(options.appId),
  });
}

function textOf(terminal: Terminal, checks: readonly Diagnosis[]): string {
  const rows = checks.map(({ check, health, detail, why, remedy, who }) => [
    { text: health, style: STYLES[health] },
    check,
    [detail, why, remedy, who === undefined ? undefined : `Who can: ${who}.`]
      .filter((part) => part !== undefined)
      .join(' '),
  ]);
  const count = (health: Health): number => checks.filter((one) => one.health === health).length;
  return `${table(terminal, ['', 'check', 'what'], rows)}${count('ok')} ok, ${count('warn')} warning(s), ${count('fail')} failure(s).\n`;
}
