import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { personOf } from '../../src/publish/author.ts';
import { publishComment } from '../../src/publish/comment.ts';
import type { CommentToPublish } from '../../src/publish/comment.ts';
import { isOwnComment, issueComment } from '../../src/publish/comment-search.ts';
import { COMMENT_MARKER } from '../../src/render/markdown.ts';
import { newId } from '../../src/sandbox/state.ts';
import type { PullRequest } from '../../src/sandbox/state.ts';
import { at, list, R } from '../sandbox/world.ts';
import { apiFor, memoryLog, startPublishing } from './support.ts';
import type { Publishing } from './support.ts';

let world: Publishing;
let pull: PullRequest;
let next = 0;

beforeAll(async () => {
  world = await startPublishing();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.sandbox.faults.clear();
  next += 1;
  pull = await world.pullRequest(`topic-${next}`);
});

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const text = (what: string): string => `${what}\n\n${COMMENT_MARKER}\n`;

const publish = (changes: Partial<CommentToPublish> = {}) =>
  publishComment({
    ...{ ...world.context, number: pull.number, author: world.author, body: text('UNVERIFIED') },
    ...changes,
  });

const byApp = async (body: string): Promise<number> =>
  Number(at((await world.api('POST', `${R}/issues/${pull.number}/comments`, { body })).body, 'id'));

const bodies = (): readonly string[] => world.comments(pull).map(({ body }) => body);
/** Remarks of bob's, of which nobody is told: events of thousands take their time. */
const chat = (count: number): void => {
  for (let one = 0; one < count; one += 1) {
    const id = newId(world.sandbox.state);
    const written = { createdAt: Date.now(), updatedAt: Date.now(), reactions: [] };
    const author = { userId: world.bob.id, appId: null };
    world.widgets.comments.set(id, { id, number: pull.number, body: `remark ${one}`, ...author, ...written });
  }
};

describe('the comment', () => {
  it('is created, edited in place, and not written again where its text stands', async () => {
    const created = await world.counted(() => publish());
    expect(created.result).toMatchObject({ published: true, change: 'created', folded: 0 });
    expect(created.calls).toEqual({ 'issues/list-comments': 1, 'issues/create-comment': 1 });
    const edited = await world.counted(() => publish({ body: text('VERIFIED') }));
    expect(edited.result).toMatchObject({ change: 'updated', id: at(created.result, 'id') });
    expect(edited.calls).toEqual({ 'issues/list-comments': 1, 'issues/update-comment': 1 });
    const same = await world.counted(() => publish({ body: text('VERIFIED') }));
    expect(same.result).toMatchObject({ change: 'unchanged', id: at(created.result, 'id') });
    expect(same.calls).toEqual({ 'issues/list-comments': 1 });
    expect(bodies()).toEqual([text('VERIFIED')]);
  });

  it.each([
    ['a person', () => Promise.resolve(world.sandbox.comment(world.widgets, pull, world.bob, text('VERIFIED')))],
    [
      'another app',
      async () =>
        (await world.otherApp(`other-${next}`))('POST', `${R}/issues/${pull.number}/comments`, {
          body: text('VERIFIED'),
        }),
    ],
    [
      'a workflow',
      () => {
        const token = world.sandbox.workflowToken(world.widgets, { pull_requests: 'write' });
        return fetch(`${world.sandbox.url}${R}/issues/${pull.number}/comments`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' },
          body: JSON.stringify({ body: text('VERIFIED') }),
        });
      },
    ],
  ])('leaves a marker that %s planted alone', async (_who, plant) => {
    await plant();
    expect(await publish()).toMatchObject({ change: 'created', folded: 0 });
    expect(bodies()).toEqual([text('VERIFIED'), text('UNVERIFIED')]);
    expect(await publish({ body: text('VERIFIED') })).toMatchObject({ change: 'updated', folded: 0 });
    expect(world.comments(pull)).toHaveLength(2);
  });

  it.each([
    ['what is given', {}, true],
    ['the id alone', { login: undefined, appId: undefined }, true],
    ['the login alone', { id: undefined, appId: undefined }, true],
    ['another login', { login: 'someone[bot]' }, false],
    ['another id', { id: 1 }, false],
    ['another app', { appId: 1 }, false],
    ['no app', { appId: null }, false],
  ])('is ours by %s: %#', (_what, changes, ours) => {
    const { author } = world;
    const comment = {
      ...{ id: 1, html_url: 'https://example.com/1', body: text('VERIFIED') },
      user: { login: author.login, id: author.id },
      performed_via_github_app: { id: author.appId },
    };
    const sought = Object.entries({ ...author, ...changes }).filter(([, value]) => value !== undefined);
    expect(isOwnComment(comment, Object.fromEntries(sought))).toBe(ours);
    expect(isOwnComment({ ...comment, user: null }, Object.fromEntries(sought))).toBe(false);
    expect(isOwnComment({ ...comment, performed_via_github_app: undefined }, author)).toBe(false);
  });

  it('by another token than was thought is still one', async () => {
    const author = { login: 'github-actions[bot]' };
    const first = await publish({ author });
    expect(await publish({ author, body: text('VERIFIED') })).toMatchObject({
      ...{ change: 'updated', id: at(first, 'id'), folded: 1 },
    });
    expect(bodies()).toEqual([text('VERIFIED')]);
  });

  it("is a person's where the token is", async () => {
    const { sandbox, bob } = world;
    const api = apiFor(sandbox.url, sandbox.userToken(bob));
    expect(await personOf(world.context.api)).toBeUndefined();
    const author = await personOf(api);
    if (author === undefined) throw new Error('There is no person.');
    expect(author).toEqual({ login: 'bob', id: bob.id, appId: null });
    await byApp(text('x'));
    expect(await publish({ api, author })).toMatchObject({ change: 'created' });
    expect(await publish({ api, author })).toMatchObject({ change: 'unchanged' });
    await expect(personOf(apiFor(sandbox.url, 'nothing'))).rejects.toMatchObject({ code: 'CS1602' });
  });

  it('cannot be sought by nobody', async () => {
    chat(1);
    await expect(publish({ author: { appId: world.app.id } })).rejects.toThrow(TypeError);
  });

  it.each([
    ['an own comment without a marker', 'Recheck is under way.'],
    ['another marker that begins alike', text('x').replace(' v1 ', ' v1-api ')],
    ['a marker within a line', `I write ${COMMENT_MARKER} at the end.`],
  ])('is not %s', async (_what, body) => {
    await byApp(body);
    await publish();
    expect(bodies()).toEqual([body, text('UNVERIFIED')]);
  });

  it('is the oldest of several; the others are deleted', async () => {
    const first = await byApp(text('one'));
    world.sandbox.comment(world.widgets, pull, world.bob, 'remark');
    await byApp(text('two'));
    await byApp(text('three'));
    const { result, calls } = await world.counted(() => publish());
    expect(result).toMatchObject({ change: 'updated', id: first, folded: 2 });
    expect(calls).toEqual({ 'issues/list-comments': 1, 'issues/update-comment': 1, 'issues/delete-comment': 2 });
    expect(bodies()).toEqual([text('UNVERIFIED'), 'remark']);
  });

  it('stands though a duplicate cannot be deleted', async () => {
    await byApp(text('UNVERIFIED'));
    await byApp(text('two'));
    world.sandbox.faults.add({ route: 'issues/delete-comment', effect: { kind: 'status', status: 502 } });
    expect(await publish()).toMatchObject({ change: 'unchanged', folded: 0 });
  });

  it('is known by its text though a browser saved it', async () => {
    const id = await byApp(text('UNVERIFIED'));
    await world.api('PATCH', `${R}/issues/comments/${id}`, { body: text('UNVERIFIED').replaceAll('\n', '\r\n') });
    expect(await publish()).toMatchObject({ change: 'unchanged', id });
  });

  it('is written over where somebody changed it', async () => {
    const id = await byApp(text('UNVERIFIED'));
    const comment = world.comments(pull)[0];
    if (comment === undefined) throw new Error('There is no comment.');
    world.sandbox.editComment(world.widgets, comment, world.ada, text('VERIFIED'));
    expect(await publish()).toMatchObject({ change: 'updated', id });
    expect(bodies()).toEqual([text('UNVERIFIED')]);
  });

  it('is found behind a hundred others, on no more pages than it takes', async () => {
    chat(130);
    const id = await byApp(text('one'));
    chat(100);
    const { result, calls } = await world.counted(() => publish());
    expect(result).toMatchObject({ change: 'updated', id });
    expect(calls).toEqual({ 'issues/list-comments': 2, 'issues/update-comment': 1 });
  });

  it('has its duplicate behind the end of a page folded', async () => {
    chat(99);
    const id = await byApp(text('one'));
    await byApp(text('two'));
    const { result, calls } = await world.counted(() => publish());
    expect(result).toMatchObject({ id, folded: 1 });
    expect(calls).toMatchObject({ 'issues/list-comments': 2 });
  });

  it('is not added where its own may be behind what is looked through', async () => {
    chat(5_000);
    await expect(publish()).rejects.toMatchObject({ code: 'CS1608' });
    expect(world.comments(pull)).toHaveLength(5_000);
  });
});

describe('what is wished', () => {
  it.each(['none', 'update'] as const)('%s: adds no comment', async (wish) => {
    const { result, calls } = await world.counted(() => publish({ wish }));
    expect(result).toEqual({ published: false, why: 'policy' });
    expect(calls).toEqual(wish === 'none' ? {} : { 'issues/list-comments': 1 });
  });

  it('update: brings a comment up to date', async () => {
    await byApp(text('UNVERIFIED'));
    expect(await publish({ wish: 'update', body: text('VERIFIED') })).toMatchObject({ change: 'updated' });
  });

  it.each([
    ['too long a text', 'x'.repeat(65_536 - 20) + text('')],
    ['a text without marker', 'VERIFIED'],
  ])('%s is a defect of the caller', async (_what, body) => {
    await expect(publish({ body })).rejects.toThrow(TypeError);
  });

  it('takes a text of just the limit', async () => {
    const body = 'x'.repeat(65_536 - text('').length) + text('');
    expect(await publish({ body })).toMatchObject({ change: 'created' });
  });
});

describe('comments that were just read', () => {
  const read = async () =>
    list((await world.api('GET', `${R}/issues/${pull.number}/comments`)).body, null).map((one) =>
      issueComment(one as Parameters<typeof issueComment>[0]),
    );

  it('save the search', async () => {
    await byApp(text('one'));
    await byApp(text('two'));
    const comments = await read();
    const { result, calls } = await world.counted(() => publish({ comments }));
    expect(result).toMatchObject({ change: 'updated', folded: 1 });
    expect(calls).toEqual({ 'issues/update-comment': 1, 'issues/delete-comment': 1 });
  });

  it('are read again where the comment was deleted since', async () => {
    const id = await byApp(text('one'));
    const comments = await read();
    await world.api('DELETE', `${R}/issues/comments/${id}`);
    expect(await publish({ comments })).toMatchObject({ change: 'created' });
    expect(bodies()).toEqual([text('UNVERIFIED')]);
  });
});

describe('when GitHub fails', () => {
  it('a comment that is listed but cannot be changed is not written beside', async () => {
    await byApp(text('one'));
    const real = globalThis.fetch;
    const absent = () => new Response('{"message":"Not Found"}', { status: 404, headers: JSON_TYPE });
    globalThis.fetch = (url, init) => (init?.method === 'PATCH' ? Promise.resolve(absent()) : real(url, init));
    try {
      await expect(publish()).rejects.toMatchObject({ code: 'CS1604' });
    } finally {
      globalThis.fetch = real;
    }
    expect(bodies()).toEqual([text('one')]);
  });

  it.each([
    ['reset before', { kind: 'reset', when: 'before' }],
    ['reset after', { kind: 'reset', when: 'after' }],
    ['truncated', { kind: 'truncated' }],
    ['502 before', { kind: 'status', status: 502 }],
    ['502 after', { kind: 'status', status: 502, when: 'after' }],
    ['secondary limit', { kind: 'secondary-limit', retryAfter: 60 }],
    ['too many requests', { kind: 'too-many-requests', retryAfter: 5 }],
  ] as const)('%s: there is one comment in the end', async (_what, effect) => {
    world.sandbox.faults.add({ route: 'issues/create-comment', nth: 1, effect });
    expect(await publish()).toMatchObject({ published: true, change: 'created', folded: 0 });
    expect(bodies()).toEqual([text('UNVERIFIED')]);
  });

  it('looks before it writes again', async () => {
    world.sandbox.faults.add({ route: 'issues/create-comment', nth: 1, effect: { kind: 'reset', when: 'after' } });
    const { calls } = await world.counted(() => publish());
    expect(calls).toEqual({ 'issues/list-comments': 2, 'issues/create-comment': 1 });
  });

  it('gives up after two tries that left nothing', async () => {
    world.sandbox.faults.add({ route: 'issues/create-comment', effect: { kind: 'reset', when: 'before' } });
    const { calls } = await world.counted(() => expect(publish()).rejects.toMatchObject({ code: 'CS1601' }));
    expect(calls).toEqual({ 'issues/list-comments': 3, 'issues/create-comment': 2 });
    expect(bodies()).toEqual([]);
  });

  it('takes over what another run wrote meanwhile', async () => {
    world.sandbox.faults.add({ route: 'issues/create-comment', nth: 1, effect: { kind: 'reset', when: 'before' } });
    const act = () => byApp(text('another'));
    world.sandbox.faults.add({ route: 'issues/list-comments', nth: 2, effect: { kind: 'meanwhile', act } });
    expect(await publish()).toMatchObject({ change: 'updated' });
    expect(bodies()).toEqual([text('UNVERIFIED')]);
  });
});

describe('with a log', () => {
  it('a crash between the call and the books does not double', async () => {
    const { log, entries, crash } = memoryLog();
    crash(true);
    await expect(publish({ log })).rejects.toThrow('crash');
    crash(false);
    expect([...entries.values()]).toMatchObject([{ id: undefined }]);
    // What was read before is not believed after a crash.
    expect(await publish({ log, comments: [] })).toMatchObject({ change: 'unchanged' });
    expect(bodies()).toEqual([text('UNVERIFIED')]);
  });

  it('the comment is read by its id, and looked for where it is gone', async () => {
    const { log } = memoryLog();
    await publish({ log });
    const same = await world.counted(() => publish({ log }));
    expect(same.calls).toEqual({ 'issues/get-comment': 1 });
    const edited = await world.counted(() => publish({ log, body: text('VERIFIED') }));
    expect(edited.calls).toEqual({ 'issues/get-comment': 1, 'issues/update-comment': 1 });
    await world.api('DELETE', `${R}/issues/comments/${String(at(same.result, 'id'))}`);
    expect(await publish({ log })).toMatchObject({ change: 'created' });
    expect(bodies()).toEqual([text('UNVERIFIED')]);
  });

  it('what another worker publishes is left to it', async () => {
    const log = { begin: () => Promise.resolve({ state: 'lost' as const }), finish: () => Promise.resolve() };
    const { result, calls } = await world.counted(() => publish({ log }));
    expect(result).toEqual({ published: false, why: 'superseded' });
    expect(calls).toEqual({});
  });
});
