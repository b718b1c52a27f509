// Whether the committed bundles are what the sources give: node scripts/check-dist.ts
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtFiles, bundle, ROOT } from './build.ts';

const DIST = join(ROOT, 'dist');

const expected = await bundle();
const problems: string[] = [];
for (const [path, contents] of expected) {
  const file = join(DIST, path);
  if (!existsSync(file)) problems.push(`missing    dist/${path}`);
  else if (!(await readFile(file)).equals(contents)) problems.push(`different  dist/${path}`);
}
for (const path of await builtFiles(DIST)) {
  if (!expected.has(path)) problems.push(`left over  dist/${path}`);
}

if (problems.length > 0) {
  process.stderr.write(
    `${problems.join('\n')}\ndist/ is not what the sources give: run "npm run build" and commit it.\n`,
  );
  process.exitCode = 1;
} else {
  process.stderr.write(`dist/ is up to date (${expected.size} files).\n`);
}
