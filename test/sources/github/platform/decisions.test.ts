import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decisionSchema } from '../../../../src/gate/facts.ts';
import { commentsToAnswer, decisionsOf } from '../../../../src/sources/github/platform/decisions.ts';
import type { DecisionContext } from '../../../../src/sources/github/platform/decisions.ts';
import { readPull } from '../../../../src/sources/github/platform/pull.ts';
import type { PullComment } from '../../../../src/sources/github/platform/pull.ts';
import { readPushes } from '../../../../src/sources/github/platform/pushes.ts';
import type { Push } from '../../../../src/sources/github/platform/pushes.ts';
import { startPlatform, WIDGETS } from './support.ts';
import type { Platform } from './support.ts';

const HEAD = 'ab'.repeat(20);
const OLD = 'cd'.repeat(20);
const [ONE, TWO, ALIKE] = ['1'.repeat(64), '2'.repeat(64), '1'.repeat(20) + 'f'.repeat(44)] as const;
const ID = '0123456789ab';

const push = (at: string, after: string): Push => ({ at, before: OLD, after, type: 'push', by: undefined });
const PUSHES = [push('2027-03-01T12:00:00Z', HEAD), push('2027-03-01T11:00:00Z', OLD)];
const CONTEXT: DecisionContext = { pushes: PUSHES, headSha: HEAD, contracts: [ONE] };

const comment = (body: string, more: Partial<PullComment> = {}): PullComment => ({
  ...{ id: 3, body, created_at: '2027-03-01T12:00:01Z', edited: false },
  author: { name: '', email: '', login: 'ada', id: 4, type: 'user' },
  ...more,
});
const decisions = (body: string, context: Partial<DecisionContext> = {}, more: Partial<PullComment> = {}) =>
  decisionsOf([comment(body, more)], { ...CONTEXT, ...context });

describe('decisions in comments', () => {
  it.each([
    ['approve', { kind: 'approve', subject: '', reason: '' }],
    ['confirm waiver a reason', { kind: 'confirm-waiver', subject: '', reason: 'a reason' }],
    ['confirm skip a reason', { kind: 'confirm-skip', subject: '', reason: 'a reason' }],
    ['confirm tests a reason', { kind: 'confirm-tests', subject: '', reason: 'a reason' }],
    [`allow ${ID} a reason`, { kind: 'allow', subject: ID, reason: 'a reason' }],
    [`allow ${ID} a reason until 2027-04-01`, { kind: 'allow', subject: ID, reason: 'a reason', until: '2027-04-01' }],
  ])('are read from %j', (words, expected) => {
    const read = decisions(`/countersign ${words}`);
    expect(read).toEqual([
      {
        ...{ user_id: 4, login: 'ada', at: '2027-03-01T12:00:01Z', head_sha: HEAD },
        ...{ source: 'github:comment:3', edited: false, ...expected },
      },
    ]);
    decisionSchema.parse(read[0]);
  });

  it.each(['recheck', 'help', `explain ${ID}`, 'approve please', 'confirm tests', `allow ${ID}`, 'merge'])(
    'are none in %j',
    (words) => {
      expect(decisions(`/countersign ${words}`)).toEqual([]);
    },
  );

  it('are several in one comment, each of the same source', () => {
    const read = decisions('/countersign approve\n/countersign confirm tests I read them');
    expect(read.map(({ kind, source }) => [kind, source])).toEqual([
      ['approve', 'github:comment:3'],
      ['confirm-tests', 'github:comment:3'],
    ]);
  });

  it('of an account that is gone are nobody’s', () => {
    expect(decisions('/countersign approve', {}, { author: undefined })).toMatchObject([
      { user_id: null, login: 'ghost' },
    ]);
  });

  it.each([
    ['an older head', '2027-03-01T11:30:00Z', OLD],
    ['no head known then', '2027-03-01T10:00:00Z', null],
    ['none that is sure, in the second of a push', '2027-03-01T12:00:00Z', null],
  ])('are bound to %s', (_what, created_at, head_sha) => {
    expect(decisions('/countersign approve', {}, { created_at })).toMatchObject([{ head_sha }]);
  });

  it('are bound to no head where the pushes are not known', () => {
    expect(decisions('/countersign approve', { pushes: [] })).toMatchObject([{ head_sha: null }]);
  });
});

describe('an approval of a contract', () => {
  const BEFORE = { created_at: '2027-03-01T11:30:00Z' };

  it.each<[string, string, Partial<DecisionContext>, Partial<PullComment>, string]>([
    ['by its digest', ONE, {}, {}, ONE],
    ['by its digest, at another head', ONE, {}, BEFORE, ONE],
    ['by a digest that is none of them', TWO, {}, {}, TWO],
    ['by digits that one starts with', ONE.slice(0, 12), { contracts: [ONE, TWO] }, {}, ONE],
    ['by digits that two start with', ONE.slice(0, 12), { contracts: [ONE, ALIKE] }, {}, ONE.slice(0, 12)],
    ['by digits, at another head', ONE.slice(0, 12), {}, BEFORE, ONE.slice(0, 12)],
    ['by digits, with no head known', ONE.slice(0, 12), { pushes: [] }, {}, ONE.slice(0, 12)],
    ['without a digest, where there is one', '', {}, {}, ONE],
    ['without a digest, where one is named twice', '', { contracts: [ONE, ONE] }, {}, ONE],
    ['without a digest, where there are two', '', { contracts: [ONE, TWO] }, {}, ''],
    ['without a digest, where there is none', '', { contracts: [] }, {}, ''],
    ['without a digest, at another head', '', {}, BEFORE, ''],
  ])('is about it %s', (_how, digest, context, more, subject) => {
    expect(decisions(`/countersign approve contract ${digest}`, context, more)).toMatchObject([
      { kind: 'approve-contract', subject },
    ]);
  });
});

describe('comments to answer', () => {
  it('are those of people with commands, understood or not', () => {
    const bot = { author: { name: '', email: '', login: 'x[bot]', id: 5, type: 'bot' as const } };
    const comments = [
      comment('/countersign merge'),
      comment('Fine.'),
      comment('/countersign recheck', bot),
      comment('/countersign recheck', { author: undefined }),
    ];
    expect(commentsToAnswer(comments).map(({ commands }) => commands.map(({ command }) => command.kind))).toEqual([
      ['not-understood'],
    ]);
  });
});

describe('on the platform', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.stop());

  it('a decision is void after a push, an edit is seen, and one given anew counts again', async () => {
    const { sandbox, widgets, ada, bob, api, later, pullRequest } = platform;
    const pull = await pullRequest('decided');
    const read = async () => {
      const { comments, head } = await readPull(api, WIDGETS, pull.number);
      const { pushes } = await readPushes(api, head);
      const found = decisionsOf(comments, { pushes, headSha: head.sha, contracts: [] });
      return found.map(({ kind, login, head_sha, edited }) => [kind, login, head_sha === head.sha, edited]);
    };
    later();
    sandbox.comment(widgets, pull, ada, '/countersign approve');
    expect(await read()).toEqual([['approve', 'ada', true, false]]);
    later();
    await sandbox.push(widgets, bob, { branch: 'decided', files: { more: '1' }, message: 'More' });
    expect(await read()).toEqual([['approve', 'ada', false, false]]);
    later();
    const again = sandbox.comment(widgets, pull, ada, '/countersign approve');
    later();
    const other = sandbox.comment(widgets, pull, ada, 'No.');
    sandbox.editComment(widgets, other, bob, '/countersign confirm tests they pass');
    expect(await read()).toEqual([
      ['approve', 'ada', false, false],
      ['approve', 'ada', true, false],
      ['confirm-tests', 'ada', true, true],
    ]);
    sandbox.deleteComment(widgets, again, ada);
    expect((await read()).map(([, , now]) => now)).toEqual([false, true]);
  });
});
