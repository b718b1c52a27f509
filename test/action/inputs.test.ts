import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readInputs } from '../../src/action/inputs.ts';
import { isRefusal } from '../../src/domain/errors.ts';

const TOKEN = { 'INPUT_GITHUB-TOKEN': 'a token' };

function refusal(environment: NodeJS.ProcessEnv): { readonly code: string; readonly message: string } {
  try {
    readInputs(environment);
  } catch (thrown) {
    if (isRefusal(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('It was taken.');
}

describe('the inputs of the Action', () => {
  it('leaves out what is not given, so that the configuration decides', () => {
    expect(readInputs({ ...TOKEN, INPUT_MODE: '', 'INPUT_FAIL-ON': '  ' })).toEqual({ token: 'a token', runIds: [] });
  });

  it.each([
    ['INPUT_MODE', 'warn', { mode: 'warn' }],
    ['INPUT_REQUIRE', ' always\n', { require: 'always' }],
    ['INPUT_COMMENT', 'on-problem', { comment: 'on-problem' }],
    ['INPUT_PUBLISH', 'check', { publish: 'check' }],
    ['INPUT_CONFIG', 'ops/countersign.yml', { config: 'ops/countersign.yml' }],
    ['INPUT_FAIL-ON', 'failed, incomplete', { failOn: ['failed', 'incomplete'] }],
    ['INPUT_FAIL-ON', 'never', { failOn: [] }],
    ['INPUT_RUN-ID', 'a-r1-run-001,\n b-r1-run-001 a-r1-run-001', { runIds: ['a-r1-run-001', 'b-r1-run-001'] }],
  ])('reads %s=%j', (name, value, expected) => {
    expect(readInputs({ ...TOKEN, [name]: value })).toEqual({ token: 'a token', runIds: [], ...expected });
  });

  it.each([
    ['INPUT_MODE', 'Enforce', 'observe, warn, enforce'],
    ['INPUT_REQUIRE', 'yes', 'never, agents, always'],
    ['INPUT_COMMENT', 'true', 'never, on-problem, always'],
    ['INPUT_PUBLISH', 'comment', 'none, status, check'],
    ['INPUT_FAIL-ON', 'failed,verified', 'pending, unverified, failed, incomplete, never (alone)'],
    ['INPUT_FAIL-ON', 'never,failed', 'pending, unverified, failed, incomplete, never (alone)'],
  ])('refuses %s=%j and lists what it takes', (name, value, allowed) => {
    const { code, message } = refusal({ ...TOKEN, [name]: value });
    expect(code).toBe('CS1701');
    expect(message).toContain(`none of: ${allowed}.`);
  });

  it.each(['/etc/passwd', '../x.yml', 'a//b.yml', 'a\\b', './a', 'a/', 'a\nb'])('refuses the path %j', (path) => {
    expect(refusal({ ...TOKEN, INPUT_CONFIG: path }).code).toBe('CS1701');
  });

  it('shows no control characters of what was given, and not all of it', () => {
    const { message } = refusal({ ...TOKEN, INPUT_MODE: `a\u001b[31m\n::error::x${'y'.repeat(9000)}` });
    expect(message).not.toMatch(/[\u0000-\u001f]/);
    expect(message.length).toBeLessThan(300);
  });

  it('refuses to work without a token', () => {
    expect(refusal({}).message).toContain('github-token');
  });

  it('has each of them in action.yml, with its allowed values and no default', () => {
    const file = parse(readFileSync(join(import.meta.dirname, '../../action.yml'), 'utf8')) as {
      readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
    };
    expect(Object.keys(file.inputs)).toEqual([
      ...['run-id', 'require', 'config', 'mode', 'comment', 'publish', 'fail-on', 'github-token'],
    ]);
    for (const [name, { default: standard }] of Object.entries(file.inputs)) {
      expect([name, standard]).toEqual([name, name === 'github-token' ? '${{ github.token }}' : undefined]);
    }
    for (const [name, value] of [
      ['require', 'always'],
      ['mode', 'observe'],
      ['comment', 'on-problem'],
      ['publish', 'check'],
      ['fail-on', 'never'],
    ] as const) {
      expect(file.inputs[name]?.description).toContain(`\`${value}\``);
    }
  });
});
