import { describe, expect, it } from '@jest/globals';
import { checkArgv, testCommandOf } from '../../src/process/test-command.ts';
import { codeOf } from '../support/sample.ts';

const READ: readonly (readonly [string, readonly string[] | undefined])[] = [
  ['{"test_command": "npm test"}', ['npm', 'test']],
  ['{"test_command": ["npm", "run", "a b; c"]}', ['npm', 'run', 'a b; c']],
  ['{"language": "ts", "test_command": ["x"], "more": {"a": [1]}}', ['x']],
  ['{"language": "ts"}', undefined],
  ['{"test_command": ""}', undefined],
];
const REFUSED: readonly (readonly [string, string])[] = [
  ['{"test_command": "npm test && curl x"}', 'CS1305'],
  ['{"test_command": []}', 'CS1305'],
  ['{"test_command": [""]}', 'CS1305'],
  ['{"test_command": ["npm", 1]}', 'CS1305'],
  ['{"test_command": {"run": "x"}}', 'CS1305'],
  ['{"test_command": null}', 'CS1305'],
  ['{"test_command": ["a\\u0000b"]}', 'CS1305'],
  ['["npm"]', 'CS1305'],
  ['not json', 'CS1305'],
  ['{"test_command": "a", "test_command": "b"}', 'CS1101'],
];

describe('the test command of a project', () => {
  it.each(READ)('%s is %j', (text, argv) => {
    expect(testCommandOf(text)).toEqual(argv);
  });

  it.each(REFUSED)('%s is refused with %s', (text, code) => {
    expect(codeOf(() => testCommandOf(text))).toBe(code);
  });

  it('is bounded', () => {
    expect(codeOf(() => checkArgv(['a', 'b'.repeat(40_000)]))).toBe('CS1305');
    expect(codeOf(() => checkArgv([]))).toBe('CS1305');
  });
});
