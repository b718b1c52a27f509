import { describe, expect, it } from '@jest/globals';
import { commentWish } from '../../src/publish/comment-policy.ts';
import type { CommentPolicy, CommentWish } from '../../src/publish/comment-policy.ts';
import { finding, report, run } from '../support/reports.ts';
import type { ReportBody } from '../support/reports.ts';

const FAILED: Partial<ReportBody> = {
  ...{ outcome: 'failed', word: 'UNVERIFIED', findings: [finding({ severity: 'block' })] },
};
const VERIFIED: Partial<ReportBody> = { outcome: 'verified', word: 'VERIFIED', runs: [run()] };

describe('whether a comment is wished', () => {
  const warning = { findings: [finding({ severity: 'warn' })] };
  const note = { findings: [finding({ severity: 'note' })] };
  const pending = { outcome: 'pending', word: 'UNVERIFIED' } as const;
  const cases: readonly (readonly [CommentPolicy, string, Partial<ReportBody>, CommentWish])[] = [
    ['always', 'nothing', {}, 'update'],
    ['always', 'a note', note, 'update'],
    ['always', 'a warning', warning, 'write'],
    ['always', 'a verified run', VERIFIED, 'write'],
    ['always', 'something awaited', pending, 'write'],
    ['always', 'a failure', FAILED, 'write'],
    ['always', 'a failure in mode warn', { ...FAILED, mode: 'warn' }, 'write'],
    ['always', 'a failure in mode observe', { ...FAILED, mode: 'observe' }, 'none'],
    ['on-problem', 'nothing', {}, 'update'],
    ['on-problem', 'a warning', warning, 'update'],
    ['on-problem', 'a verified run', VERIFIED, 'update'],
    ['on-problem', 'something awaited', { ...pending, runs: [run()] }, 'write'],
    ['on-problem', 'a failure', FAILED, 'write'],
    ['on-problem', 'what could not be read', { outcome: 'incomplete', word: 'UNVERIFIED' }, 'write'],
    ['never', 'a failure', FAILED, 'none'],
  ];
  it.each(cases)('%s, with %s', (policy, _what, changes, wish) => {
    expect(commentWish(policy, report(changes))).toBe(wish);
  });
});
