import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readPull } from '../../../../src/sources/github/platform/pull.ts';
import { forcePushes, headAt, pushersOf, readPushes } from '../../../../src/sources/github/platform/pushes.ts';
import type { Push } from '../../../../src/sources/github/platform/pushes.ts';
import { startPlatform, WIDGETS } from './support.ts';
import type { Platform } from './support.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

describe('pushes of the head branch', () => {
  it('tell who pushed last, who pushed each commit, and what was rewritten', async () => {
    const { sandbox, widgets, ada, bob, api, later } = platform;
    const first = await sandbox.push(widgets, bob, { branch: 'p', files: { a: '1' }, message: 'A' });
    const pull = await sandbox.openPullRequest(widgets, { by: bob, branch: 'p' });
    later();
    const gone = await sandbox.push(widgets, bob, { branch: 'p', files: { b: '1' }, message: 'B' });
    later();
    const head = await sandbox.push(widgets, ada, {
      ...{
        branch: 'p',
        from: first,
        force: true,
        files: { c: '1' },
        message: 'C',
        author: { name: 'bob', email: 'b@b.example' },
      },
    });
    const { commits, head: read } = await readPull(api, WIDGETS, pull.number);
    const pushes = await readPushes(api, read);
    expect(pushes).toMatchObject({
      complete: true,
      why: undefined,
      last_pusher: { login: 'ada', id: ada.id, type: 'user' },
    });
    expect(pushes.pushes.map(({ type, after }) => [type, after])).toEqual([
      ['force_push', head],
      ['push', gone],
      ['branch_creation', first],
    ]);
    expect([...pushersOf(pushes, commits)].map(([sha, { login }]) => [sha, login])).toEqual([
      [first, 'bob'],
      [head, 'ada'],
    ]);
    expect(forcePushes(pushes).map(({ after }) => after)).toEqual([head]);
  });

  it('of a fork are asked for at the fork; gone, private or unknown ones have no last pusher', async () => {
    const { sandbox, widgets, eve, api } = platform;
    const fork = await sandbox.fork(widgets, eve);
    const sha = await sandbox.push(fork, eve, { branch: 'f', files: { f: '1' }, message: 'F' });
    const repository = { owner: 'eve', repo: 'widgets' };
    expect((await readPushes(api, { repository, ref: 'f', sha })).last_pusher?.login).toBe('eve');
    const none = { pushes: [], complete: false, last_pusher: undefined };
    expect(await readPushes(api, { repository: undefined, ref: 'f', sha })).toEqual({
      ...{ ...none, why: 'the repository of the head branch is gone' },
    });
    expect(await readPushes(api, { repository: { owner: 'eve', repo: 'none' }, ref: 'f', sha })).toEqual({
      ...{ ...none, why: 'the activity of eve/none cannot be seen' },
    });
    const lagging = await readPushes(api, { repository, ref: 'f', sha: '0123'.repeat(10) });
    expect(lagging).toMatchObject({
      last_pusher: undefined,
      why: 'the activity of the branch does not end at the head',
    });
  });

  it('that cannot be read for another reason are a refusal', async () => {
    const { sandbox, api } = platform;
    const undo = sandbox.faults.add({ route: 'repos/list-activities', effect: { kind: 'status', status: 502 } });
    await expect(readPushes(api, { repository: WIDGETS, ref: 'p', sha: '' })).rejects.toMatchObject({ code: 'CS1601' });
    undo();
  });
});

const at = (second: number): string => new Date(Date.UTC(2027, 0, 1) + second * 1000).toISOString();
const push = (second: number, before: string, after: string, login = 'bob'): Push => ({
  ...{ at: at(second), before, after, type: 'push' },
  by: { name: '', email: '', login, type: 'user' },
});
const ZERO = '0'.repeat(40);

describe('the head at a time', () => {
  const pushes = [push(40, 'b', 'a'), push(30, ZERO, 'b'), push(20, 'a', ZERO), push(10, ZERO, 'a')];

  it.each([
    ['before any push', 9, null],
    ['in the second of a push', 10, null],
    ['after the first', 11, 'a'],
    ['while the branch is gone', 21, null],
    ['after it came back', 39, 'b'],
    ['in the second of the last push', 40, null],
    ['after the last push', 41, 'a'],
  ])('is known %s', (_when, second, head) => {
    expect(headAt(pushes, at(second))).toBe(head);
  });

  it('compares seconds, however the times are written', () => {
    expect(headAt([push(10, ZERO, 'a')], '2027-01-01T01:00:10.900+01:00')).toBeNull();
    expect(headAt([push(10, ZERO, 'a')], '2027-01-01T01:00:11.000+01:00')).toBe('a');
  });
});

describe('pushers', () => {
  const line = (n: number) => ({ sha: `c${n}`, parents: [`c${n - 1}`] });
  const commits = [1, 2, 3, 4].map(line);
  const logins = (pushes: readonly Push[], complete: boolean) =>
    Object.fromEntries(
      [...pushersOf({ pushes, complete, last_pusher: undefined, why: undefined }, commits)].map(([sha, { login }]) => [
        sha,
        login,
      ]),
    );

  it('are told of what a known start does not have', () => {
    expect(logins([push(2, 'c2', 'c4', 'ada')], false)).toEqual({ c3: 'ada', c4: 'ada' });
  });

  it('are not told where the start of the oldest push is not known', () => {
    expect(logins([push(2, 'c3', 'c4', 'ada'), push(1, 'x', 'c3', 'bob')], false)).toEqual({ c4: 'ada' });
  });

  it('are those who pushed first', () => {
    expect(logins([push(3, 'x', 'c4', 'eve'), push(2, 'c3', 'x', 'ada'), push(1, ZERO, 'c3', 'bob')], true)).toEqual({
      ...{ c1: 'bob', c2: 'bob', c3: 'bob', c4: 'eve' },
    });
  });

  it('are only of commits of the pull request, whatever the pushes', () => {
    const name = fc.constantFrom('c0', 'c1', 'c2', 'c3', 'c4', 'x', ZERO);
    const any = fc.array(fc.tuple(name, name).map(([before, after]) => push(1, before, after)));
    fc.assert(
      fc.property(any, fc.boolean(), (pushes, complete) => {
        expect(Object.keys(logins(pushes, complete)).every((sha) => /^c[1-4]$/.test(sha))).toBe(true);
      }),
    );
  });
});
