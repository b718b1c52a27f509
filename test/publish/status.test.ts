import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { publishStatus } from '../../src/publish/status.ts';
import type { StatusToPublish } from '../../src/publish/status.ts';
import type { PullRequest } from '../../src/sandbox/state.ts';
import { R } from '../sandbox/world.ts';
import { memoryLog, startPublishing } from './support.ts';
import type { Publishing } from './support.ts';

let world: Publishing;
let pull: PullRequest;
let next = 0;

beforeAll(async () => {
  world = await startPublishing({ limits: { statusesOfAContext: 4 } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.sandbox.faults.clear();
  next += 1;
  pull = await world.pullRequest(`topic-${next}`);
});

const publish = (changes: Partial<StatusToPublish> = {}) =>
  publishStatus({
    ...{ ...world.context, sha: pull.head.sha, status: { state: 'pending', description: 'UNVERIFIED, waiting' } },
    ...changes,
  });
const statuses = () => world.widgets.statuses.filter(({ sha }) => sha === pull.head.sha);

describe('the commit status', () => {
  it('is set, and again only where something differs', async () => {
    const first = await world.counted(() => publish());
    expect(first.result).toMatchObject({ published: true, change: 'created' });
    expect(first.calls).toEqual({ 'repos/list-commit-statuses-for-ref': 1, 'repos/create-commit-status': 1 });
    const same = await world.counted(() => publish());
    expect(same.result).toMatchObject({ change: 'unchanged' });
    expect(same.calls).toEqual({ 'repos/list-commit-statuses-for-ref': 1 });
    const status = { state: 'success', description: 'VERIFIED' } as const;
    expect(await publish({ status })).toMatchObject({ change: 'updated' });
    expect(await publish({ status, targetUrl: new URL('https://example.com/run/1') })).toMatchObject({
      change: 'updated',
    });
    expect(statuses()).toMatchObject([
      { state: 'success', context: 'countersign', targetUrl: 'https://example.com/run/1' },
      { state: 'success', description: 'VERIFIED', targetUrl: null },
      { state: 'pending', description: 'UNVERIFIED, waiting' },
    ]);
  });

  it('is looked for by its context, the newest', async () => {
    const set = (context: string, state: string) =>
      world.api('POST', `${R}/statuses/${pull.head.sha}`, { context, state, description: 'UNVERIFIED, waiting' });
    await set('countersign', 'pending');
    await set('countersign', 'failure');
    await set('countersign-2', 'pending');
    expect(await publish()).toMatchObject({ change: 'updated' });
  });

  it('has the context that it is given', async () => {
    await publish();
    expect(await publish({ context: 'gate' })).toMatchObject({ change: 'created' });
    expect(await publish({ context: 'gate' })).toMatchObject({ change: 'unchanged' });
    expect(statuses().map(({ context }) => context)).toEqual(['gate', 'countersign']);
  });

  it('is found behind a hundred of others', async () => {
    await publish();
    const [own] = statuses();
    if (own === undefined) throw new Error('There is no status.');
    const others = Array.from({ length: 120 }, (_, one) => ({ ...own, id: own.id + one + 1, context: `ci/${one}` }));
    world.widgets.statuses.unshift(...others);
    const { result, calls } = await world.counted(() => publish());
    expect(result).toMatchObject({ change: 'unchanged', id: own.id });
    expect(calls).toEqual({ 'repos/list-commit-statuses-for-ref': 2 });
  });

  it('of somebody else is not ours, though it says the same', async () => {
    await world.asBob('POST', `${R}/statuses/${pull.head.sha}`, {
      ...{ context: 'countersign', state: 'pending', description: 'UNVERIFIED, waiting' },
    });
    expect(await publish()).toMatchObject({ change: 'unchanged' });
    const creator = { login: 'countersign[bot]', id: world.app.botId };
    expect(await publish({ creator })).toMatchObject({ change: 'updated' });
    expect(await publish({ creator })).toMatchObject({ change: 'unchanged' });
  });

  it('a forged success is written over', async () => {
    await publish();
    await world.asBob('POST', `${R}/statuses/${pull.head.sha}`, {
      ...{ context: 'countersign', state: 'success', description: 'VERIFIED' },
    });
    await publish();
    expect(statuses()[0]).toMatchObject({ state: 'pending' });
  });

  it('is refused where the commit takes no more', async () => {
    for (const description of ['1', '2', '3', '4']) await publish({ status: { state: 'pending', description } });
    const last = publish({ status: { state: 'success', description: '5' } });
    await expect(last).rejects.toMatchObject({ code: 'CS1607' });
    await expect(last).rejects.toThrow(/maximum number of statuses/);
  });

  it('takes 140 characters', async () => {
    expect(await publish({ status: { state: 'failure', description: 'd'.repeat(140) } })).toMatchObject({
      change: 'created',
    });
    await expect(publish({ status: { state: 'failure', description: 'd'.repeat(141) } })).rejects.toThrow(TypeError);
  });

  it.each([
    ['reset before', { kind: 'reset', when: 'before' }],
    ['reset after', { kind: 'reset', when: 'after' }],
    ['503 after', { kind: 'status', status: 503, when: 'after' }],
    ['secondary limit', { kind: 'secondary-limit', retryAfter: 60 }],
  ] as const)('%s: is set once', async (_what, effect) => {
    world.sandbox.faults.add({ route: 'repos/create-commit-status', nth: 1, effect });
    expect(await publish()).toMatchObject({ published: true, change: 'created' });
    expect(statuses()).toHaveLength(1);
  });

  it('is not tried for ever', async () => {
    world.sandbox.faults.add({ route: 'repos/create-commit-status', effect: { kind: 'reset' } });
    const { calls } = await world.counted(() => expect(publish()).rejects.toMatchObject({ code: 'CS1601' }));
    expect(calls).toMatchObject({ 'repos/create-commit-status': 2 });
  });

  it('is not set twice after a crash', async () => {
    const { log, crash } = memoryLog();
    crash(true);
    await expect(publish({ log })).rejects.toThrow('crash');
    crash(false);
    expect(await publish({ log })).toMatchObject({ change: 'unchanged' });
    expect(statuses()).toHaveLength(1);
  });
});
