import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { GITHUB_LIMITS } from '../../src/sandbox/http/limits.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import type { RunningSandbox } from '../../src/sandbox/start.ts';
import type { Account, App, Installation, PullRequest, Repository } from '../../src/sandbox/state.ts';
import { isRule } from '../../test/support/facts.ts';
import { governedProject } from '../../test/support/governed.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const CI = '.github/workflows/ci.yml';
export const CONFIG = '.github/countersign.yml';
const CONFIG_TEXT = `evidence:\n  tests:\n    workflows:\n      - path: ${CI}\n        jobs: [test]\n`;

/** Pull requests of one installation: the App paces its calls by GitHub's limits, which each installation has. */
const PULLS_PER_INSTALLATION = 20;

/** A message that says that a model wrote it, in parts, so that hooks of this project do not find it here. */
export const ATTRIBUTED = ['Add a part\n\nCo-Authored', '-By: Claude <noreply', '@anthropic.com>'].join('');

const manifestSchema = z.object({
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])),
  default_events: z.array(z.string()),
});

export interface SoakPull {
  readonly repository: Repository;
  readonly pull: PullRequest;
  readonly branch: string;
}

/** A GitHub with an App installed in several organisations, and their pull requests. */
export interface AppWorld {
  readonly sandbox: RunningSandbox;
  readonly app: App;
  readonly privateKey: string;
  readonly installations: readonly Installation[];
  readonly repositories: readonly Repository[];
  readonly people: { readonly ada: Account; readonly coder: Account; readonly ana: Account; readonly eve: Account };
  readonly pulls: readonly SoakPull[];
  /** Opens pull requests until there are so many. */
  readonly open: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** @param pulls how many there will be */
export async function appWorld(pulls: number): Promise<AppWorld> {
  const limits = Object.fromEntries(
    // The App's own pace is what is tried; a process that was killed has forgotten what it has used.
    (
      ['hourlyInstallation', 'pointsPerMinute', 'graphqlPointsPerMinute', 'contentPerMinute', 'contentPerHour'] as const
    ).map((name) => [name, GITHUB_LIMITS[name] * 1000]),
  );
  const sandbox = await startSandbox({ limits });
  const governed = governedProject();
  const documents = Object.fromEntries(governed.entries().map(({ path, text = '' }) => [path, text]));
  governed.remove();
  const of = (rules: boolean): Record<string, string> =>
    Object.fromEntries(Object.entries(documents).filter(([path]) => isRule(path) === rules));
  const people = {
    ada: sandbox.addUser('ada', { name: 'Ada' }),
    coder: sandbox.addUser('coder', { name: 'Coder', email: 'coder@example.com' }),
    ana: sandbox.addUser('ana', { name: 'Ana' }),
    eve: sandbox.addUser('eve', { name: 'Eve' }),
  };
  const manifest = manifestSchema.parse(parse(readFileSync(join(ROOT, 'app.yml'), 'utf8')));
  // GitHub's description does not have it, and the sandbox none that it lacks.
  const { merge_queues: _, ...permissions } = manifest.default_permissions;
  const { app, privateKey } = sandbox.addApp(people.ada, 'countersign', {
    permissions,
    events: manifest.default_events,
  });
  const repositories: Repository[] = [];
  const installations: Installation[] = [];
  for (let at = 0; at < Math.max(2, Math.ceil(pulls / PULLS_PER_INSTALLATION)); at += 1) {
    const organization = sandbox.addOrganization(`acme${at}`, [people.ada]);
    const repository = await sandbox.addRepository(organization, 'widgets', {
      files: {
        'README.md': '# Widgets\n',
        'src/app.ts': 'export const app = 1;\n',
        [CI]: readFileSync(join(ROOT, 'docs', 'examples', 'ci.yml'), 'utf8'),
        [CONFIG]: CONFIG_TEXT,
        ...of(true),
      },
      collaborators: { coder: 'write', ana: 'write' },
      protectedBranches: ['main'],
    });
    await sandbox.push(repository, people.ada, { branch: 'release', from: 'main' });
    repositories.push(repository);
    installations.push(sandbox.install(app, organization));
  }
  const opened: SoakPull[] = [];
  const open = async (count: number): Promise<void> => {
    for (let at = opened.length; at < Math.min(count, pulls); at += 1) {
      const repository = repositories[at % repositories.length];
      if (repository === undefined) throw new Error('There is no repository.');
      opened.push(await openOne(sandbox, repository, people.coder, of(false), at));
    }
  };
  return {
    ...{ sandbox, app, privateKey, installations, repositories, people, pulls: opened, open },
    stop: () => sandbox.stop(),
  };
}

/** One of each kind in turn: of a finished run, by a person alone, with findings, of the rules, with another's head. */
async function openOne(
  sandbox: RunningSandbox,
  repository: Repository,
  by: Account,
  ledger: Readonly<Record<string, string>>,
  at: number,
): Promise<SoakPull> {
  const kind = Math.floor(at / 2) % 6;
  const branch = `topic-${at}`;
  const part = { [`src/part-${at}.ts`]: 'export const part = 1;\n' };
  const change = { 'src/app.ts': 'export const app = 2;\n' };
  const pushes = [
    { files: { ...change, ...ledger }, message: 'Add the demo' },
    { files: part, message: 'Add a part' },
    { files: part, message: ATTRIBUTED },
    { files: { ...part, '.env': 'NAME=1\n' }, message: 'Add settings' },
    { files: { ...change, ...ledger }, message: 'Add the demo' },
    { files: { ...part, [CONFIG]: `${CONFIG_TEXT}# more\n` }, message: 'Change the rules' },
  ];
  const { files = part, message = '' } = pushes[kind] ?? {};
  const twin = [...repository.pulls.values()].find((one) => one.head.ref.startsWith('twin-'));
  // In each repository one head is open in two pull requests, into two branches.
  if (kind === 1 && twin !== undefined && ![...repository.pulls.values()].some(({ base }) => base.ref === 'release')) {
    const ref = twin.head.ref;
    const pull = await sandbox.openPullRequest(repository, {
      by,
      branch: ref,
      base: 'release',
      title: 'Add a part too',
    });
    return { repository, pull, branch: ref };
  }
  const name = kind === 0 && twin === undefined ? `twin-${at}` : branch;
  await sandbox.push(repository, by, { branch: name, commits: [{ files, message }] });
  return { repository, branch: name, pull: await sandbox.openPullRequest(repository, { by, branch: name, body: '' }) };
}
