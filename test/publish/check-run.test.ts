import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FileAnnotation } from '../../src/publish/check-annotations.ts';
import { GITHUB_ACTIONS_APP, publishCheckRun, startCheckRuns } from '../../src/publish/check-run.ts';
import type { CheckRunToPublish } from '../../src/publish/check-run.ts';
import type { CheckRun, PullRequest } from '../../src/sandbox/state.ts';
import { R } from '../sandbox/world.ts';
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

const place = () => ({
  ...{ ...world.context, sha: pull.head.sha, name: 'Countersign', app: { id: world.app.id }, externalId: 'e1' },
});
const start = async (changes = {}) => {
  const { name, ...where } = place();
  const asked = { ...where, names: [name], title: 'Looking', summary: 'Under way.', ...changes };
  return (await startCheckRuns(asked))[0];
};
const success = { status: 'completed', conclusion: 'success' } as const;
const failure = { status: 'completed', conclusion: 'failure' } as const;
const waiting = { status: 'in_progress', conclusion: null } as const;

const publish = (changes: Partial<CheckRunToPublish> = {}) =>
  publishCheckRun({
    ...{ ...place(), conclusion: failure, annotations: [] },
    ...{ output: { title: 'UNVERIFIED', summary: 'Tests are missing.', text: 'Details' }, ...changes },
  });

const annotations = (count: number): FileAnnotation[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ level: 'error', title: 'Countersign: secrets', message: `finding ${at}`, file: 'src/a.ts', line: at + 1 },
  }));

const runs = (): readonly CheckRun[] =>
  [...world.widgets.checkRuns.values()].filter(({ headSha }) => headSha === pull.head.sha);
const messages = (): readonly string[] => runs().flatMap((run) => run.annotations.map(({ message }) => message));

describe('the check run', () => {
  it('is begun, concluded, and not written again where it stands', async () => {
    const begun = await world.counted(() => start({ detailsUrl: new URL('https://example.com/e1') }));
    expect(begun.result).toMatchObject({ change: 'created' });
    expect(begun.calls).toEqual({ 'checks/list-for-ref': 1, 'checks/create': 1 });
    expect(runs()).toMatchObject([
      { status: 'in_progress', title: 'Looking', externalId: 'e1', detailsUrl: 'https://example.com/e1' },
    ]);
    const ended = await world.counted(() => publish({ annotations: annotations(3) }));
    expect(ended.result).toMatchObject({ change: 'updated' });
    expect(ended.calls).toEqual({ 'checks/list-for-ref': 1, 'checks/update': 1 });
    const same = await world.counted(() => publish({ annotations: annotations(3) }));
    expect(same.result).toMatchObject({ change: 'unchanged' });
    expect(same.calls).toEqual({ 'checks/list-for-ref': 1, 'checks/list-annotations': 1 });
    expect(runs()).toMatchObject([
      { status: 'completed', conclusion: 'failure', title: 'UNVERIFIED', text: 'Details' },
    ]);
    expect(messages()).toEqual(['finding 0', 'finding 1', 'finding 2']);
  });

  it('changes with the verdict, also back to waiting', async () => {
    await publish();
    const output = { title: 'VERIFIED', summary: 'Nothing is missing.', text: '' };
    expect(await publish({ conclusion: success, output })).toMatchObject({ change: 'updated' });
    expect(runs()).toMatchObject([{ conclusion: 'success', summary: 'Nothing is missing.', text: '' }]);
    await publish({ conclusion: waiting });
    expect(runs()).toMatchObject([{ status: 'in_progress', conclusion: null }]);
    await publish({ conclusion: { status: 'completed', conclusion: 'action_required' } });
    expect(runs()).toMatchObject([{ status: 'completed', conclusion: 'action_required' }]);
  });

  it('that is concluded is not begun again, but for a re-run', async () => {
    await publish({ conclusion: success });
    expect(await start()).toMatchObject({ change: 'unchanged' });
    expect(runs()).toMatchObject([{ conclusion: 'success' }]);
    const again = { rerun: true, externalId: 'e2' };
    expect(await start(again)).toMatchObject({ change: 'created' });
    expect(await start(again)).toMatchObject({ change: 'unchanged' });
    await publish(again);
    expect(runs()).toMatchObject([
      { conclusion: 'success', externalId: 'e1' },
      { conclusion: 'failure', externalId: 'e2' },
    ]);
    await publish({ conclusion: success, externalId: 'e3' });
    expect(runs().map(({ externalId }) => externalId)).toEqual(['e1', 'e3']);
  });

  it('that says the same is not written again by a later evaluation', async () => {
    await publish({ conclusion: success });
    expect(await publish({ conclusion: success, externalId: 'e2' })).toMatchObject({ change: 'unchanged' });
    expect(runs()).toMatchObject([{ externalId: 'e1' }]);
  });

  it('several are begun with one look', async () => {
    await publish({ conclusion: success });
    const names = ['Countersign', 'Countersign / attribution', 'Countersign / secrets'];
    const begun = await world.counted(() => start({ names }));
    expect(begun.calls).toEqual({ 'checks/list-for-ref': 1, 'checks/create': 2 });
    expect(runs().map(({ name, status }) => [name, status])).toEqual([
      ['Countersign', 'completed'],
      ['Countersign / attribution', 'in_progress'],
      ['Countersign / secrets', 'in_progress'],
    ]);
  });

  it('of another app or name is left alone', async () => {
    const other = await world.otherApp(`other-${next}`);
    await other('POST', `${R}/check-runs`, { name: 'Countersign', head_sha: pull.head.sha, conclusion: 'success' });
    await publish({ name: 'Countersign / secrets' });
    await publish();
    await publish({ conclusion: success });
    expect(runs().map(({ name, conclusion }) => `${name}: ${conclusion}`)).toEqual([
      ...['Countersign: success', 'Countersign / secrets: failure', 'Countersign: success'],
    ]);
  });

  it("of a workflow is found by the app's slug", async () => {
    const api = apiFor(world.sandbox.url, world.sandbox.workflowToken(world.widgets, { checks: 'write' }));
    const given = { api, app: GITHUB_ACTIONS_APP, detailsUrl: new URL('https://example.com/run') };
    expect(await publish(given)).toMatchObject({ change: 'created' });
    expect(await publish(given)).toMatchObject({ change: 'unchanged' });
    // Ours by the app's own token is another.
    expect(await publish()).toMatchObject({ change: 'created' });
    expect(runs()).toHaveLength(2);
  });
});

describe('annotations', () => {
  it.each([
    [50, 1, 0],
    [51, 1, 1],
    [120, 1, 2],
  ])('%d take %d + %d calls, and the conclusion comes last', async (count, creates, updates) => {
    const { calls } = await world.counted(() => publish({ annotations: annotations(count) }));
    expect(calls).toEqual({
      ...{ 'checks/list-for-ref': 1, 'checks/create': creates },
      ...(updates === 0 ? {} : { 'checks/update': updates }),
    });
    expect(messages()).toHaveLength(count);
    const told = world.sandbox.events().filter(({ event, action }) => `${event}.${action}` === 'check_run.completed');
    expect(told.at(-1)).toMatchObject({ payload: { check_run: { output: { annotations_count: count } } } });
  });

  it('are only added to: those that stand are not sent again', async () => {
    await publish({ annotations: annotations(60) });
    const { calls } = await world.counted(() => publish({ annotations: annotations(130) }));
    expect(calls).toEqual({ 'checks/list-for-ref': 1, 'checks/list-annotations': 1, 'checks/update': 2 });
    expect(messages()).toHaveLength(130);
    expect(new Set(messages()).size).toBe(130);
    const more = await world.counted(() => publish({ conclusion: success, annotations: annotations(130) }));
    expect(more.calls).toEqual({ 'checks/list-for-ref': 1, 'checks/list-annotations': 2, 'checks/update': 1 });
    expect(messages()).toHaveLength(130);
  });

  it('stand at a line, at a column, or at the file', async () => {
    const one = { title: 't', message: 'm', file: 'src/a.ts' };
    await publish({
      annotations: [
        { ...one, level: 'error', line: 3, column: 7 },
        { ...one, level: 'warning', line: 3 },
        { ...one, level: 'notice' },
      ],
    });
    expect(runs()[0]?.annotations).toMatchObject([
      { level: 'failure', startLine: 3, endLine: 3, startColumn: 7, endColumn: 7 },
      { level: 'warning', startLine: 3, endLine: 3, startColumn: null },
      { level: 'notice', startLine: 1, endLine: 1, path: 'src/a.ts' },
    ]);
  });
});

describe('limits', () => {
  const action = { label: 'Recheck', description: 'Look again', identifier: 'recheck' };

  it('takes three actions', async () => {
    await publish({ actions: [action, action, action] });
    expect(runs()[0]?.actions).toHaveLength(3);
  });

  it.each([
    ['four actions', { actions: [action, action, action, action] }],
    ['a long label', { actions: [{ ...action, label: 'l'.repeat(21) }] }],
    ['a long description', { actions: [{ ...action, description: 'd'.repeat(41) }] }],
    ['a long identifier', { actions: [{ ...action, identifier: 'i'.repeat(21) }] }],
    ['no identifier', { actions: [{ ...action, identifier: '' }] }],
    ['a long title', { output: { title: 't'.repeat(256), summary: 's', text: '' } }],
    ['a long summary', { output: { title: 't', summary: 'ü'.repeat(32_768), text: '' } }],
    ['a long text', { output: { title: 't', summary: 's', text: 'ü'.repeat(32_768) } }],
    ['no summary', { output: { title: 't', summary: '', text: '' } }],
  ])('%s is a defect of the caller', async (_what, changes) => {
    const { calls } = await world.counted(() => expect(publish(changes)).rejects.toThrow(TypeError));
    expect(calls).toEqual({});
  });

  it('takes texts of just the limit', async () => {
    const output = { title: 't'.repeat(255), summary: 's'.repeat(65_535), text: 't'.repeat(65_535) };
    expect(await publish({ output })).toMatchObject({ change: 'created' });
    expect(await publish({ output })).toMatchObject({ change: 'unchanged' });
  });
});

describe('when GitHub fails', () => {
  const EFFECTS = [
    ['reset before', { kind: 'reset', when: 'before' }],
    ['reset after', { kind: 'reset', when: 'after' }],
    ['truncated', { kind: 'truncated' }],
    ['502 after', { kind: 'status', status: 502, when: 'after' }],
    ['secondary limit', { kind: 'secondary-limit', retryAfter: 60 }],
  ] as const;

  it.each(EFFECTS)('%s of creating: there is one check run', async (_what, effect) => {
    world.sandbox.faults.add({ route: 'checks/create', nth: 1, effect });
    expect(await publish({ annotations: annotations(70) })).toMatchObject({ published: true });
    expect(runs()).toMatchObject([{ conclusion: 'failure' }]);
    expect([messages().length, new Set(messages()).size]).toEqual([70, 70]);
  });

  it.each(EFFECTS)('%s of creating for a re-run: there is one more', async (_what, effect) => {
    await publish();
    world.sandbox.faults.add({ route: 'checks/create', nth: 1, effect });
    await publish({ rerun: true, externalId: 'e2' });
    expect(runs().map(({ externalId }) => externalId)).toEqual(['e1', 'e2']);
  });

  it.each(EFFECTS)('%s of appending: no annotation stands twice', async (_what, effect) => {
    await start();
    world.sandbox.faults.add({ route: 'checks/update', nth: 2, effect });
    await publish({ annotations: annotations(130) });
    expect(runs()).toMatchObject([{ conclusion: 'failure' }]);
    expect([messages().length, new Set(messages()).size]).toEqual([130, 130]);
  });

  it('is not tried for ever', async () => {
    world.sandbox.faults.add({ route: 'checks/create', effect: { kind: 'reset' } });
    const { calls } = await world.counted(() => expect(publish()).rejects.toMatchObject({ code: 'CS1601' }));
    expect(calls).toEqual({ 'checks/list-for-ref': 3, 'checks/create': 3 });
  });

  it('a crash before the books does not double', async () => {
    const { log, crash } = memoryLog();
    crash(true);
    await expect(publish({ log, annotations: annotations(60) })).rejects.toThrow('crash');
    crash(false);
    expect(await publish({ log, annotations: annotations(60) })).toMatchObject({ change: 'unchanged' });
    expect(runs()).toHaveLength(1);
    expect(messages()).toHaveLength(60);
  });
});
