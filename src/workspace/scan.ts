import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../domain/json/canonical.ts';
import { sortedUnique } from '../domain/text/order.ts';

/** What a look at a project's files tells: for the context snapshot that an agent gets, not for any verdict. */
export interface ProjectModel {
  readonly languages: readonly string[];
  readonly frameworks: readonly string[];
  readonly test_command: string;
  readonly digest: string;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  c: 'C',
  cc: 'C++',
  cpp: 'C++',
  cs: 'C#',
  ex: 'Elixir',
  go: 'Go',
  java: 'Java',
  js: 'JavaScript',
  jsx: 'JavaScript',
  kt: 'Kotlin',
  mjs: 'JavaScript',
  php: 'PHP',
  py: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  scala: 'Scala',
  sh: 'Shell',
  swift: 'Swift',
  ts: 'TypeScript',
  tsx: 'TypeScript',
};
const FRAMEWORKS: Readonly<Record<string, string>> = {
  angular: 'Angular',
  '@angular/core': 'Angular',
  astro: 'Astro',
  django: 'Django',
  express: 'Express',
  fastapi: 'FastAPI',
  fastify: 'Fastify',
  flask: 'Flask',
  hono: 'Hono',
  jest: 'Jest',
  '@jest/globals': 'Jest',
  next: 'Next.js',
  pytest: 'pytest',
  react: 'React',
  svelte: 'Svelte',
  vitest: 'Vitest',
  vue: 'Vue',
};
const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'vendor',
  'dist',
  'build',
  'target',
  'coverage',
  '__pycache__',
  'venv',
]);

/** Files that a scan looks at, at the most: a large repository does not slow down creating a run. */
const MAX_FILES = 20_000;

/** Bytes of a manifest that is read, at the most. */
const MAX_MANIFEST = 4 * 1024 * 1024;

/** Scans languages by file endings, frameworks and the test command by the usual manifests. */
export function scanProject(root: string): ProjectModel {
  const languages = sortedUnique(endingsOf(root).flatMap((ending) => LANGUAGES[ending] ?? []));
  const dependencies = [...nodeDependencies(root), ...pythonDependencies(root)];
  const frameworks = sortedUnique(
    dependencies.flatMap((name) => (Object.hasOwn(FRAMEWORKS, name) ? (FRAMEWORKS[name] ?? []) : [])),
  );
  const body = { languages, frameworks, test_command: testCommand(root) };
  return { ...body, digest: digestOf(body) };
}

function endingsOf(root: string): string[] {
  const endings = new Set<string>();
  const queue = [root];
  for (let seen = 0, folder = queue.shift(); folder !== undefined && seen < MAX_FILES; folder = queue.shift()) {
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      continue; // a folder that cannot be seen tells nothing
    }
    for (const entry of entries) {
      seen += 1;
      if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name))
        queue.push(join(folder, entry.name));
      if (entry.isFile()) endings.add(entry.name.slice(entry.name.lastIndexOf('.') + 1).toLowerCase());
    }
  }
  return [...endings];
}

// A link, a device or a huge file under a manifest's name is no manifest.
function readIfAny(path: string): string {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= MAX_MANIFEST ? readFileSync(path, 'utf8') : '';
  } catch {
    return ''; // what cannot be read tells nothing
  }
}

function nodeManifest(root: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(readIfAny(join(root, 'package.json')) || '{}');
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {}; // a broken manifest is the project's business, not the scan's
  }
}

function nodeDependencies(root: string): string[] {
  const { dependencies, devDependencies } = nodeManifest(root);
  return [dependencies, devDependencies].flatMap((group) => (isRecord(group) ? Object.keys(group) : []));
}

function pythonDependencies(root: string): string[] {
  const text = `${readIfAny(join(root, 'requirements.txt'))}\n${readIfAny(join(root, 'pyproject.toml'))}`.toLowerCase();
  return text.match(/[a-z][a-z0-9_-]*/g) ?? [];
}

function testCommand(root: string): string {
  const { scripts } = nodeManifest(root);
  if (isRecord(scripts) && typeof scripts['test'] === 'string') return 'npm test';
  if (existsSync(join(root, 'go.mod'))) return 'go test ./...';
  if (existsSync(join(root, 'Cargo.toml'))) return 'cargo test';
  if (existsSync(join(root, 'pyproject.toml')) || existsSync(join(root, 'pytest.ini'))) return 'pytest';
  return /^test:/m.test(readIfAny(join(root, 'Makefile'))) ? 'make test' : '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
