import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestRepository } from '../../support/repository.ts';
import type { Placed } from './contract.ts';

/** The commit of every submodule. */
export const SUBMODULE = '1234567890123456789012345678901234567890';

/** Places a state on disk. */
export function place(root: string, state: Readonly<Record<string, Placed>>): void {
  for (const [path, placed] of Object.entries(state)) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    if ('file' in placed) {
      writeFileSync(at, placed.file);
      if (placed.executable === true) chmodSync(at, 0o755);
    } else if ('link' in placed) symlinkSync(placed.link, at);
    else {
      mkdirSync(at);
      writeFileSync(join(at, '.git'), 'gitdir: elsewhere\n');
      writeFileSync(join(at, 'inside'), 'not of this repository');
    }
  }
}

/** Commits a state. @returns the commit's id */
export function placeAll(
  repository: TestRepository,
  state: Readonly<Record<string, Placed>>,
  format: 'sha1' | 'sha256',
): string {
  const files = Object.entries(state).filter(([, placed]) => !('submodule' in placed));
  place(repository.root, Object.fromEntries(files));
  repository.git('add', '-A');
  for (const [path, placed] of Object.entries(state)) {
    const id = format === 'sha1' ? SUBMODULE : SUBMODULE.padEnd(64, '0');
    if ('submodule' in placed) repository.git('update-index', '--add', '--cacheinfo', `160000,${id},${path}`);
  }
  repository.git('commit', '-q', '-m', 'state');
  return repository.git('rev-parse', 'HEAD');
}
