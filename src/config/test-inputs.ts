import { globFault, globMatcher } from './globs.ts';

/** Which files decide what the tests do: a pattern, and of JSON files perhaps one top-level key only. */
export interface TestInput {
  readonly glob: string;
  readonly key: string | undefined;
}

/** `evidence.tests.inputs` where the configuration names none. The test workflows and what they call come on top. */
export const DEFAULT_TEST_INPUTS = [
  '.github/actions/**',
  '.github/workflows/**',
  '**/action.yml',
  '**/action.yaml',
  '.rapid-os/config.json',
  // A change of a dependency is no change of how tests are run; of a script it is.
  '**/package.json#scripts',
  '**/package.json#jest',
  '**/package.json#mocha',
  '**/package.json#ava',
  '**/Makefile',
  '**/makefile',
  '**/GNUmakefile',
  '**/*.mk',
  '**/justfile',
  '**/Taskfile.yml',
  '**/Rakefile',
  '**/jest.config.*',
  '**/vitest.config.*',
  '**/vitest.workspace.*',
  '**/karma.conf.*',
  '**/.mocharc.*',
  '**/ava.config.*',
  '**/playwright.config.*',
  '**/cypress.config.*',
  '**/pytest.ini',
  '**/conftest.py',
  '**/tox.ini',
  '**/noxfile.py',
  '**/phpunit.xml',
  '**/phpunit.xml.dist',
  '**/.rspec',
] as const;

const JSON_KEY = /\.json#([A-Za-z0-9_-]{1,64})$/;

/** Takes an entry of `evidence.tests.inputs` apart. */
export function readTestInput(entry: string): TestInput {
  const key = JSON_KEY.exec(entry)?.[1];
  return key === undefined ? { glob: entry, key } : { glob: entry.slice(0, -key.length - 1), key };
}

/** Why a text is no entry of `evidence.tests.inputs`, or undefined where it is one. */
export function testInputFault(entry: string): string | undefined {
  return globFault(readTestInput(entry).glob);
}

/**
 * What of a file decides what the tests do: all of it, these of its top-level keys (it is JSON), or nothing.
 * @throws Refusal CS1403 for a path with a `..` segment
 */
export function testInputOf(path: string, entries: readonly string[]): 'all' | readonly string[] {
  const hits = entries.map(readTestInput).filter(({ glob }) => globMatcher([glob])(path));
  if (hits.some(({ key }) => key === undefined)) return 'all';
  return [...new Set(hits.flatMap(({ key }) => key ?? []))];
}
