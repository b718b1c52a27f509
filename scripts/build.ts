// Bundles the faces: node scripts/build.ts [--outdir DIR] [--quiet]
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { licences, packagesOf } from './licences.ts';

export const ROOT = resolve(import.meta.dirname, '..');

interface Entry {
  /** Name of the bundle: `cli` becomes `cli.mjs`. */
  readonly name: string;
  readonly source: string;
  /** The oldest Node that has to run it. */
  readonly target: 'node20' | 'node24';
}

/** One whose source does not exist is left out. */
const ENTRIES: readonly Entry[] = [
  { name: 'cli', source: 'src/cli/main.ts', target: 'node20' },
  { name: 'action', source: 'src/action/main.ts', target: 'node24' },
  { name: 'app', source: 'src/app/main.ts', target: 'node24' },
];

// Packages in CommonJS call `require` for Node's own modules; an ES module has none.
const BANNER = `#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;

// Making a `require` costs a fraction of a millisecond for each file, and few of them use it. Its lines are emptied, not
// taken out: the source map counts them.
function withoutIdleRequire({ path, text, contents }: esbuild.OutputFile): Uint8Array {
  if (!path.endsWith('.mjs') || /\brequire\(|typeof require\b/.test(text.slice(text.indexOf(BANNER) + BANNER.length)))
    return contents;
  return Buffer.from(text.replace(BANNER, '#!/usr/bin/env node\n\n'));
}

/**
 * A file in which only esbuild's own helpers stand is loaded by those that use them. Entries import it for its effects
 * too, of which it has none, and would wait for it. Blanks take the import's place: the source map counts columns.
 */
function withoutIdleHelpers(path: string, contents: Uint8Array, { outputs }: esbuild.Metafile): Uint8Array {
  const entry = outputs[`dist/${path}`];
  if (entry?.entryPoint === undefined) return contents;
  const helpers = entry.imports.flatMap(({ path: to }) =>
    Object.keys(outputs[to]?.inputs ?? { it: {} }).length === 0 ? [`import"./${to.slice('dist/'.length)}";`] : [],
  );
  const text = Buffer.from(contents).toString('utf8');
  return Buffer.from(helpers.reduce((all, one) => all.replace(one, ' '.repeat(one.length)), text));
}

/**
 * The toolkit's HTTP client, which only asks for OpenID tokens: nobody here does. It and undici behind it are 550 KB
 * that each run of the Action would have to read.
 */
const WITHOUT_OPENID: esbuild.Plugin = {
  name: 'without-openid',
  setup(building) {
    building.onResolve({ filter: /^@actions\/http-client(\/|$)/ }, ({ path }) => ({ path, namespace: 'left-out' }));
    building.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: ['HttpClient', 'BearerCredentialHandler']
        .map((name) => `export function ${name}() { throw new Error('${path} is left out of this bundle'); }`)
        .join('\n'),
    }));
  },
};

/**
 * What Probot fetches from the registry while it runs: a tunnel for webhooks, a client of Redis, a writer of `.env`. A
 * program that holds an App's key fetches no code, and none of the three is used here.
 */
const WITHOUT_FETCHED_CODE: esbuild.Plugin = {
  name: 'without-fetched-code',
  setup(building) {
    building.onResolve({ filter: /^npx-import-light$/ }, ({ path }) => ({ path, namespace: 'never-fetched' }));
    building.onLoad({ filter: /.*/, namespace: 'never-fetched' }, ({ path }) => ({
      contents: `export function npxImport() { throw new Error('${path} is left out of this bundle'); }`,
    }));
  },
};

/** Paths inside the output folder, with forward slashes, and their contents. */
export type Files = ReadonlyMap<string, Uint8Array>;

async function bundleEntry({ name, source, target }: Entry, version: string) {
  return esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [{ in: source, out: name }],
    bundle: true,
    platform: 'node',
    target,
    format: 'esm',
    splitting: true,
    // Never the folder that is written to: paths in source maps, and so the names of chunks, must not depend on it.
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    banner: { js: BANNER },
    plugins: [WITHOUT_OPENID, WITHOUT_FETCHED_CODE],
    // Bindings to a library of the machine's: `pg` takes them only where they are asked for.
    external: ['pg-native'],
    define: { __COUNTERSIGN_VERSION__: JSON.stringify(version) },
    // Less text to read and compile at every start; names stay, so that stack traces can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
}

/** Makes all bundles in memory. The same sources give the same bytes wherever the project lies. */
export async function bundle(): Promise<Files> {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const present = ENTRIES.filter(({ source }) => existsSync(join(ROOT, source)));
  const files = new Map<string, Uint8Array>();
  const packages = new Set<string>();
  // Each on its own: what two shared would lie in files between them, and each file more is felt at every start.
  for (const entry of present) {
    const result = await bundleEntry(entry, manifest.version);
    for (const file of result.outputFiles) {
      const path = relative(join(ROOT, 'dist'), file.path).split(sep).join('/');
      files.set(path, withoutIdleHelpers(path, withoutIdleRequire(file), result.metafile));
    }
    for (const folder of packagesOf(result.metafile)) packages.add(folder);
  }
  if (files.size > 0) files.set('licenses.txt', Buffer.from(await licences(ROOT, packages)));
  return files;
}

/** Files under a folder that a build may have written, as paths inside it. */
export async function builtFiles(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => /\.mjs(\.map)?$|^licenses\.txt$/.test(name));
  const chunks = join(folder, 'chunks');
  if (!existsSync(chunks)) return names;
  return [...names, ...(await readdir(chunks)).map((name) => `chunks/${name}`)];
}

/** Bundles into a folder: each file appears whole, and what an older build left there is removed. */
export async function build(outdir: string): Promise<Files> {
  const folder = resolve(ROOT, outdir);
  const files = await bundle();
  for (const [path, contents] of files) {
    const file = join(folder, path);
    const temporary = `${file}.${process.pid}.tmp`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, contents);
    if (!path.includes('/') && path.endsWith('.mjs')) await chmod(temporary, 0o755);
    await rename(temporary, file);
  }
  const stale = (await builtFiles(folder)).filter((path) => !files.has(path) && !path.endsWith('.tmp'));
  await Promise.all(stale.map((path) => rm(join(folder, path), { force: true })));
  return files;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { outdir: { type: 'string', default: 'dist' }, quiet: { type: 'boolean', default: false } },
  });
  const files = await build(values.outdir);
  if (!values.quiet) {
    for (const [path, contents] of files) {
      if (!path.endsWith('.map')) process.stderr.write(`${join(values.outdir, path)}  ${contents.byteLength} bytes\n`);
    }
    if (files.size === 0) process.stderr.write('Nothing to build: no entry point exists yet.\n');
  }
}
