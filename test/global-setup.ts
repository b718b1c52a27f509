import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

// The end-to-end tests run the real bundles. When they cannot be built, those tests fail and the others still run.
export default function globalSetup(): void {
  const build = ['scripts/build.ts', '--outdir', 'build', '--quiet'];
  const { status } = spawnSync(process.execPath, build, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    process.stderr.write('The bundles could not be built: the tests that run them will fail.\n');
    rmSync(join(ROOT, 'build', 'cli.mjs'), { force: true });
  }
}
