import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Case } from './case.ts';
import { objectAt, textAt } from './json.ts';
import { git, inWorld } from './world.ts';
import type { World } from './world.ts';
import { visible } from '../../src/domain/text/visible.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

/** Milliseconds after which a hook that does not answer is ended. */
const TIME_LIMIT = 60_000;

/** What the hook answers, `block` or `pass`, in the attribution mode that is asked for. */
export function commitMsg(base: string, { input }: Case, mode: 'forbid' | 'forbid-mention'): Promise<'block' | 'pass'> {
  // As git runs it where no editor opens, unless the case says otherwise.
  return inWorld(base, { GIT_EDITOR: ':', ...objectAt(input, 'env') }, async (world) => {
    const { workspace } = world;
    await git(world, workspace, 'init', '--quiet', '--template=', '--initial-branch=main');
    if (mode !== 'forbid') await commitMode(world, mode);
    const file = '.git/COMMIT_EDITMSG';
    const message = textAt(input, 'message');
    if (message !== undefined && input['missing_file'] !== true) writeFileSync(join(workspace, file), message);
    const { code, stderr } = await hook(base, world, input['no_arg'] === true ? [] : [file]);
    if (code === 0) return 'pass';
    // A hook that breaks also keeps git from committing, but has decided nothing.
    if (code === 1 && stderr !== '') return 'block';
    throw new Error(`the hook ended with ${code}: ${visible(stderr.slice(0, 300))}`);
  });
}

async function commitMode(world: World, mode: string): Promise<void> {
  mkdirSync(join(world.workspace, '.github'));
  writeFileSync(join(world.workspace, '.github/countersign.yml'), `version: 1\nattribution:\n  mode: ${mode}\n`);
  await git(world, world.workspace, 'add', '.github');
  await git(world, world.workspace, 'commit', '--quiet', '--no-verify', '-m', 'Set the mode');
}

function hook(base: string, world: World, args: readonly string[]): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, 'hook', 'commit-msg', ...args], {
      cwd: world.workspace,
      // The sources are compiled once for all cases.
      env: { ...world.environment, NODE_COMPILE_CACHE: join(base, 'compiled') },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: TIME_LIMIT,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, stderr }));
  });
}
