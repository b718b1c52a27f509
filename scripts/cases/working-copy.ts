import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { hookSecrets } from '../../src/hooks/secrets.ts';
import type { Case } from './case.ts';
import { isList, objectAt, textAt } from './json.ts';
import type { JsonObject } from './json.ts';
import { git, inWorld, placed, writeCaseFiles } from './world.ts';
import type { World } from './world.ts';

/** The paths of secret-bearing files that the scan of a working copy reports, from the workspace, sorted. */
export function sensitiveFiles(base: string, { input }: Case): Promise<string[]> {
  const subfolder = textAt(input, 'workspace_subdir') ?? '';
  return inWorld(
    base,
    objectAt(input, 'env'),
    async (world) => {
      const top = join(world.top, 'workspace');
      if (input['no_git'] !== true) await git(world, top, 'init', '--quiet', '--template=', '--initial-branch=main');
      writeIgnoreRules(world, top, input);
      writeCaseFiles(world, input);
      const tracked = tracksOf(input);
      if (tracked.length > 0) await git(world, world.workspace, 'add', '--force', '--', ...tracked);
      return reported(world, (rule) => rule.startsWith('secrets/file-'));
    },
    subfolder,
  );
}

/** Whether a credential in git's configuration is reported. */
export function gitConfigCredentials(base: string, { input }: Case): Promise<boolean> {
  return inWorld(base, objectAt(input, 'env'), async (world) => {
    const { workspace } = world;
    const gitfile = textAt(input, 'gitfile');
    const config = textAt(input, 'git_config');
    if (gitfile === undefined) {
      await git(world, workspace, 'init', '--quiet', '--template=', '--initial-branch=main');
      if (config === undefined) rmSync(join(workspace, '.git', 'config'));
      else writeFileSync(join(workspace, '.git', 'config'), placed(config, world));
    } else {
      writeFileSync(join(workspace, '.git'), placed(gitfile, world));
    }
    writeCaseFiles(world, input);
    return (await reported(world, (rule) => rule === 'secrets/git-config')).length > 0;
  });
}

function writeIgnoreRules(world: World, top: string, input: JsonObject): void {
  const write = (path: string, text: string | undefined): void => {
    if (text === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, placed(text, world));
  };
  write(join(world.workspace, '.gitignore'), textAt(input, 'gitignore'));
  write(join(dirname(world.workspace), '.gitignore'), textAt(input, 'parent_gitignore'));
  write(join(top, '.git', 'info', 'exclude'), textAt(input, 'info_exclude'));
  const global = textAt(input, 'global_exclude');
  if (global === undefined) return;
  const excludes = join(world.home, 'excludes');
  write(excludes, global);
  writeFileSync(join(world.home, 'gitconfig'), `[core]\n\texcludesFile = ${JSON.stringify(excludes)}\n`);
}

function tracksOf(input: JsonObject): readonly string[] {
  const tracked = input['tracked'] ?? [];
  if (isList(tracked) && tracked.every((path) => typeof path === 'string')) return tracked;
  throw new Error('tracked must be a list of paths');
}

// The function that the hooks call; what it could not read is no answer.
async function reported(world: World, counts: (rule: string) => boolean): Promise<string[]> {
  const { secrets, unread } = await hookSecrets(world.workspace, world.environment);
  const paths = secrets.findings.flatMap(({ rule, place }) => {
    if (!counts(rule) || place.at !== 'file') return [];
    return [relative(world.workspace, join(world.workspace, place.path)).split(sep).join('/')];
  });
  if (paths.length === 0 && unread.length > 0) {
    throw new Error(`not everything was read: ${unread.map(({ what, why }) => `${what}: ${why}`).join('; ')}`);
  }
  return [...new Set(paths)].sort();
}
