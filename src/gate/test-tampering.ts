import { globMatcher } from '../config/globs.ts';
import type { Config } from '../config/schema.ts';
import { readTestInput } from '../config/test-inputs.ts';
import type { Facts, FileChange } from './facts.ts';
import { localCalls } from './local-calls.ts';
import { snapshotText } from './snapshot-tree.ts';

/** What a workflow may call inside its repository: these steer the tests whatever `evidence.tests.inputs` lists. */
const CALLED = ['.github/actions/**', '.github/workflows/**', '**/action.yml', '**/action.yaml'] as const;

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?)\//i;
const TEST_NAME = /(?:^|[/._-])(?:test|tests|spec)\.[a-z0-9]{1,8}$|(?:^|\/)test_[^/]{1,200}\.py$/i;

interface Inputs {
  /** Whether any of them matches: most files match none, and one question is enough to know. */
  readonly any: (path: string) => boolean;
  readonly each: readonly { readonly matches: (path: string) => boolean; readonly key: string | undefined }[];
}

const known = new WeakMap<Facts, { readonly config: Config; readonly reasons: readonly string[] }>();

/**
 * Why a successful job proves less than it seems: the pull request changes what the job runs, or deletes tests.
 * Empty where it does not.
 */
export function testTampering(facts: Facts, config: Config): readonly string[] {
  // Several assertions of each run ask this, and it takes every file and pattern.
  const before = known.get(facts);
  if (before?.config === config) return before.reasons;
  const reasons = findTampering(facts, config);
  known.set(facts, { config, reasons });
  return reasons;
}

function findTampering(facts: Facts, config: Config): string[] {
  const workflows = new Set(config.evidence.tests.workflows.map((one) => one.path));
  const { folders } = localCalls((path) => snapshotText(facts.base, path), [...workflows]);
  const isCalled = (name: string): boolean =>
    folders.some((folder) => name === folder || name.startsWith(`${folder}/`));
  const inputs = compiled([...new Set([...CALLED, ...config.evidence.tests.inputs])]);
  return facts.files.flatMap((file) => {
    const names = file.old_path === undefined || file.status === 'copied' ? [file.path] : [file.old_path, file.path];
    if (names.some((name) => workflows.has(name))) return [`${names.join(' → ')} is the workflow that runs the tests`];
    if (names.some((name) => isCalled(name) || steersTests(facts, file, name, inputs)))
      return [`${names.join(' → ')} steers how the tests run`];
    const gone = goneTest(file);
    return gone === undefined ? [] : [`${gone} is a test and is ${goneHow(file)}`];
  });
}

function compiled(entries: readonly string[]): Inputs {
  const read = entries.map(readTestInput);
  return {
    any: globMatcher(read.map(({ glob }) => glob)),
    each: read.map(({ glob, key }) => ({ matches: globMatcher([glob]), key })),
  };
}

function goneHow({ status }: FileChange): string {
  return status === 'renamed' ? 'renamed away' : status === 'modified' ? 'emptied' : status;
}

/** The test that a change takes away, if it takes one away. */
function goneTest({ status, path, old_path, size }: FileChange): string | undefined {
  switch (status) {
    case 'deleted':
    case 'type-changed':
      return isTest(path) ? path : undefined;
    case 'renamed': {
      const before = old_path ?? path;
      if (!isTest(before)) return undefined;
      const stays =
        isTest(path) && endingOf(path) === endingOf(before) && (!TEST_NAME.test(before) || TEST_NAME.test(path));
      return stays ? undefined : before;
    }
    // By its name only: a folder of tests may hold files that are empty for good reason.
    case 'modified':
      return size === 0 && TEST_NAME.test(path) ? path : undefined;
    case 'added':
    case 'copied':
      return undefined;
  }
}

function isTest(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path);
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

// Of a package.json only some keys steer the tests: a dependency bump is no tampering.
function steersTests(facts: Facts, file: FileChange, name: string, inputs: Inputs): boolean {
  if (!inputs.any(name)) return false;
  const hits = inputs.each.filter(({ matches }) => matches(name));
  const keys = [...new Set(hits.flatMap(({ key }) => key ?? []))];
  if (hits.some(({ key }) => key === undefined) || file.status !== 'modified') return true;
  const before = keysOf(snapshotText(facts.base, name), keys);
  const after = keysOf(snapshotText(facts.head, name), keys);
  return before === undefined || before !== after;
}

function keysOf(text: string | undefined, keys: readonly string[]): string | undefined {
  if (text === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest !== 'object' || manifest === null) return undefined;
    return JSON.stringify(
      keys.map((key) => (Object.hasOwn(manifest, key) ? Object.entries(manifest).find(([own]) => own === key) : null)),
    );
  } catch (cause) {
    // What cannot be compared counts as changed: no JSON, or nested too deeply to be written again.
    if (cause instanceof SyntaxError || cause instanceof RangeError) return undefined;
    throw cause;
  }
}
