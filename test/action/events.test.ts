import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EVENTS, readPayload, targetOf } from '../../src/action/events.ts';
import { isRefusal } from '../../src/domain/errors.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const NONE = '0'.repeat(40);
const PULL = {
  pull_request: { number: 7, head: { sha: A, ref: 'feature', repo: { owner: { login: 'acme' } } } },
};
const GROUP = {
  merge_group: {
    head_ref: `refs/heads/gh-readonly-queue/main/pr-7-${B}`,
    head_sha: A,
    base_ref: 'refs/heads/main',
    base_sha: B,
  },
};

function codeOf(body: () => unknown): string {
  try {
    body();
  } catch (thrown) {
    if (isRefusal(thrown)) return thrown.code;
    throw thrown;
  }
  return 'none';
}

describe('what an event asks for', () => {
  it.each([
    ...(['pull_request', 'pull_request_target', 'pull_request_review'] as const).map(
      (event) => [event, PULL, { kind: 'pull-request', number: 7, headSha: A, retargeted: false }] as const,
    ),
    [
      'pull_request',
      { pull_request: { number: 7, head: { sha: A, ref: 'feature', repo: null } } },
      { kind: 'pull-request', number: 7, headSha: A, retargeted: false },
    ],
    [
      'workflow_run',
      {
        workflow_run: {
          head_sha: A,
          head_branch: 'feature',
          head_repository: { owner: { login: 'eve' } },
          pull_requests: [],
        },
      },
      { kind: 'head', headSha: A },
    ],
    [
      'workflow_run',
      { workflow_run: { head_sha: A, head_branch: null, head_repository: null, pull_requests: [{ number: 9 }] } },
      { kind: 'head', headSha: A },
    ],
    [
      'merge_group',
      { action: 'checks_requested', ...GROUP },
      { kind: 'merge-group', headRef: GROUP.merge_group.head_ref, headSha: A, baseRef: 'refs/heads/main', baseSha: B },
    ],
    ['merge_group', { action: 'destroyed', ...GROUP }, { kind: 'nothing', why: expect.any(String) }],
    [
      'push',
      { ref: 'refs/heads/x', before: A, after: B, forced: false },
      { kind: 'push', ref: 'refs/heads/x', before: A, after: B, forced: false },
    ],
    [
      'push',
      { ref: 'refs/heads/x', before: NONE, after: B, forced: false },
      { kind: 'push', ref: 'refs/heads/x', before: undefined, after: B, forced: false },
    ],
    [
      'push',
      { ref: 'refs/heads/x', before: A, after: B, forced: true },
      { kind: 'push', ref: 'refs/heads/x', before: A, after: B, forced: true },
    ],
    ['push', { ref: 'refs/heads/x', before: A, after: NONE }, { kind: 'nothing', why: 'refs/heads/x was deleted.' }],
    [
      'push',
      { ref: 'refs/tags/v1', before: NONE, after: B, forced: false },
      { kind: 'push', ref: 'refs/tags/v1', before: undefined, after: B, forced: false },
    ],
    ['workflow_dispatch', { ref: 'refs/heads/x' }, { kind: 'ref', ref: 'refs/heads/x', sha: B }],
    ['workflow_dispatch', { ref: 'x' }, { kind: 'ref', ref: 'refs/heads/x', sha: B }],
  ])('%s', (event, payload, expected) => {
    expect(targetOf(event, payload, B)).toEqual(expected);
  });

  it.each(['issues', 'issue_comment', 'schedule', 'check_suite', '', 'pull_request\n::error::x', '__proto__'])(
    'refuses %j and lists what it knows',
    (event) => {
      expect(codeOf(() => targetOf(event, PULL, B))).toBe('CS1703');
      expect(() => targetOf(event, PULL, B)).toThrow(EVENTS.join(', '));
      expect(() => targetOf(event, PULL, B)).not.toThrow(/\n/);
    },
  );

  it.each([
    ['pull_request', {}],
    ['pull_request', { pull_request: { number: '7', head: { sha: A } } }],
    ['pull_request', { pull_request: { number: 7, head: { sha: '../..' } } }],
    ['pull_request', null],
    ['workflow_run', { workflow_run: { head_sha: `${A}\n` } }],
    ['merge_group', { merge_group: { ...GROUP.merge_group, base_sha: 7 } }],
    ['push', { ref: '', before: A, after: B }],
    ['push', { ref: 'refs/heads/x', before: A }],
    ['workflow_dispatch', {}],
  ])('refuses a payload of %s that GitHub does not send: %j', (event, payload) => {
    expect(codeOf(() => targetOf(event, payload, B))).toBe('CS1702');
  });

  it('refuses an event file that is none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-event-'));
    const path = join(folder, 'event.json');
    writeFileSync(path, '{');
    expect(codeOf(() => readPayload(path))).toBe('CS1702');
    expect(codeOf(() => readPayload(join(folder, 'none.json')))).toBe('CS1702');
    writeFileSync(path, '{"a":1}');
    expect(readPayload(path)).toEqual({ a: 1 });
    rmSync(folder, { recursive: true });
  });
});
