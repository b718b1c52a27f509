import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { GateReport } from '../../src/gate/report.ts';
import { GITHUB_ACTIONS_APP } from '../../src/publish/check-run.ts';
import { GITHUB_ACTIONS_AUTHOR } from '../../src/publish/comment-search.ts';
import { stillAt } from '../../src/publish/head.ts';
import { publishVerdict } from '../../src/publish/publish.ts';
import type { Publication, VerdictToPublish } from '../../src/publish/publish.ts';
import type { Permissions, PullRequest } from '../../src/sandbox/state.ts';
import { finding, report, run } from '../support/reports.ts';
import type { ReportBody } from '../support/reports.ts';
import { apiFor, REPOSITORY, startPublishing } from './support.ts';
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

const secret = finding({ rule: 'secrets/file', severity: 'block', place: { at: 'file', path: 'src/a.ts', line: 2 } });
const FAILED: Partial<ReportBody> = {
  ...{ outcome: 'failed', word: 'UNVERIFIED', headline: 'UNVERIFIED (failed): a secret', findings: [secret] },
};
const VERIFIED: Partial<ReportBody> = {
  ...{ outcome: 'verified', word: 'VERIFIED', headline: 'VERIFIED (platform)', runs: [run()] },
};

const judged = (changes: Partial<ReportBody>, head = pull.head.sha): GateReport =>
  report({ ...changes, subject: { ...report().subject, number: pull.number, head_sha: head } });

const asApp = () => ({
  check: { name: 'Countersign', app: { id: world.app.id }, externalId: 'e1' },
  status: {},
  comment: { policy: 'always', author: world.author } as const,
});
const asWorkflow = (permissions: Permissions, of: PullRequest = pull) => ({
  ...{ repository: REPOSITORY, wait: world.context.wait },
  api: apiFor(world.sandbox.url, world.sandbox.workflowToken(world.widgets, permissions, of)),
  surfaces: {
    check: { name: 'Countersign', app: GITHUB_ACTIONS_APP, externalId: 'e1' },
    status: {},
    comment: { policy: 'always', author: GITHUB_ACTIONS_AUTHOR } as const,
  },
});

const publish = (changes: Partial<VerdictToPublish> = {}) =>
  publishVerdict({
    ...{ ...world.context, report: judged(FAILED), surfaces: asApp() },
    ...{ pull: { number: pull.number, head: pull.head.sha, base: 'main' }, ...changes },
  });

const standing = () => ({
  checks: [...world.widgets.checkRuns.values()].filter(({ headSha }) => headSha === pull.head.sha).length,
  statuses: world.widgets.statuses.filter(({ sha }) => sha === pull.head.sha).length,
  comments: world.comments(pull).length,
});
const writes = (): readonly string[] =>
  world.sandbox.log().flatMap(({ method, route }) => (method === 'GET' ? [] : [route]));

describe('a verdict', () => {
  it('is written to each surface in order, after one look at the head, and once only', async () => {
    const { result, calls } = await world.counted(() => publish({ detailsUrl: new URL('https://example.com/r') }));
    expect(result).toMatchObject({ notice: undefined, error: undefined, warnings: [] });
    expect(result.results.map((one) => `${one.surface} ${one.result}`)).toEqual([
      ...['check done', 'status done', 'comment done'],
    ]);
    expect(calls).toMatchObject({ 'pulls/get': 1 });
    expect(writes()).toEqual(['checks/create', 'repos/create-commit-status', 'issues/create-comment']);
    expect([...world.widgets.checkRuns.values()].at(-1)).toMatchObject({
      ...{ conclusion: 'failure', annotations: [{ path: 'src/a.ts', startLine: 2, level: 'failure' }] },
    });
    const again = await world.counted(() => publish({ detailsUrl: new URL('https://example.com/r') }));
    expect(again.result.results.map(({ result: one }) => one)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(writes()).toEqual([]);
    expect(again.calls).toEqual({
      ...{ 'pulls/get': 1, 'checks/list-for-ref': 1, 'checks/list-annotations': 1 },
      ...{ 'repos/list-commit-statuses-for-ref': 1, 'issues/list-comments': 1 },
    });
  });

  it('turns good in the same comment', async () => {
    await publish();
    await publish({ report: judged(VERIFIED) });
    expect(world.comments(pull)).toMatchObject([{ body: expect.stringContaining('VERIFIED (platform)') }]);
    expect(standing()).toEqual({ checks: 1, statuses: 2, comments: 1 });
  });

  it('without surfaces asks for nothing', async () => {
    const { result, calls } = await world.counted(() => publish({ surfaces: {} }));
    expect(result.results).toEqual([]);
    expect(calls).toEqual({});
  });

  it('of a merge group has no comment and no head that moves', async () => {
    const group = { ...world.context, report: judged(VERIFIED), surfaces: asApp() };
    const { result, calls } = await world.counted(() => publishVerdict(group));
    expect(result.results.map(({ surface }) => surface)).toEqual(['check', 'status']);
    expect(calls).not.toHaveProperty('pulls/get');
  });

  it('a plain change by people gets none', async () => {
    const { results } = await publish({ report: judged({}) });
    expect(results[2]).toEqual({ surface: 'comment', result: 'skipped', what: { published: false, why: 'policy' } });
  });

  it('of another head is a defect of the caller', async () => {
    await expect(publish({ report: judged(FAILED, 'a'.repeat(40)) })).rejects.toThrow(TypeError);
  });
});

describe('a pull request that changed', () => {
  const push = async () => {
    const { widgets, bob, sandbox } = world;
    await sandbox.push(widgets, bob, { branch: pull.head.ref, files: { 'more.txt': 'm\n' }, message: 'More' });
  };
  const before = () => ({ number: pull.number, head: pull.head.sha, base: 'main' });

  it('by a push right before the writes gets nothing', async () => {
    const at = before();
    const old = judged(FAILED);
    world.sandbox.faults.add({ route: 'pulls/get', nth: 1, effect: { kind: 'meanwhile', act: push } });
    world.sandbox.forgetCalls();
    const { results, error } = await publish({ pull: at, report: old });
    expect(error).toBeUndefined();
    const what = { published: false, why: 'moved', head: pull.head.sha, base: 'main' };
    expect(results).toEqual(['check', 'status', 'comment'].map((surface) => ({ surface, result: 'skipped', what })));
    expect(writes()).toEqual([]);
  });

  it('its base gets nothing either, nor does a closed one', async () => {
    const { sandbox, widgets, bob, context } = world;
    const at = before();
    expect(await stillAt(context.api, REPOSITORY, at)).toEqual({ still: true });
    await sandbox.push(widgets, bob, { branch: `next-${next}`, files: { 'n.txt': 'n\n' }, message: 'Next' });
    await sandbox.editPullRequest(widgets, pull, bob, { base: `next-${next}` });
    expect(await stillAt(context.api, REPOSITORY, at)).toMatchObject({ why: 'moved', base: `next-${next}` });
    await sandbox.editPullRequest(widgets, pull, bob, { state: 'closed' });
    expect(await stillAt(context.api, REPOSITORY, at)).toEqual({ published: false, why: 'closed' });
    expect((await publish({ pull: at })).results).toMatchObject([{ what: { why: 'closed' } }, {}, {}]);
    expect(standing()).toEqual({ checks: 0, statuses: 0, comments: 0 });
  });

  it("is judged still where only its base's tip moved", async () => {
    const at = before();
    await world.sandbox.push(world.widgets, world.ada, { branch: 'main', files: { 'z.txt': `${next}` }, message: 'Z' });
    expect(await stillAt(world.context.api, REPOSITORY, at)).toEqual({ still: true });
  });

  it('that cannot be read fails every surface', async () => {
    world.sandbox.faults.add({ route: 'pulls/get', effect: { kind: 'status', status: 503 } });
    const { results, error, warnings } = await publish();
    expect(results.map(({ result }) => result)).toEqual(['failed', 'failed', 'failed']);
    expect(error).toMatchObject({ code: 'CS1601' });
    expect(warnings).toEqual([]);
    expect(standing()).toEqual({ checks: 0, statuses: 0, comments: 0 });
  });
});

describe('a token that may not', () => {
  it('of a fork writes nothing, which is no error, and says so once', async () => {
    const { sandbox, widgets, eve } = world;
    const fork = await sandbox.fork(widgets, eve);
    await sandbox.push(fork, eve, { branch: 'theirs', files: { 't.txt': 't\n' }, message: 'Theirs' });
    pull = await sandbox.openPullRequest(widgets, { by: eve, branch: 'theirs', from: fork });
    const given = asWorkflow({ checks: 'write', statuses: 'write', pull_requests: 'write' });
    const { results, notice, error, warnings } = await publish({
      ...given,
      pull: { number: pull.number, head: pull.head.sha, base: 'main', restricted: true },
    });
    expect(results).toMatchObject([
      { surface: 'check', result: 'skipped', what: { why: 'read-only', permission: 'checks', line: 'checks: write' } },
      { surface: 'status', result: 'skipped', what: { why: 'read-only', line: 'statuses: write' } },
      { surface: 'comment', result: 'skipped', what: { why: 'read-only', line: 'pull-requests: write' } },
    ]);
    expect([error, warnings]).toEqual([undefined, []]);
    expect(notice).toContain('two-workflow pattern');
    expect(notice).toContain('`statuses: write`');
    expect(standing()).toEqual({ checks: 0, statuses: 0, comments: 0 });
  });

  it('of our own repository: the rest is written, and the line to add is an error', async () => {
    const given = asWorkflow({ checks: 'write', statuses: 'read', pull_requests: 'write' });
    const { results, notice, error } = await publish(given);
    expect(results.map(({ result }) => result)).toEqual(['done', 'skipped', 'done']);
    expect(error).toMatchObject({ code: 'CS1603' });
    expect(error?.message).toContain('statuses: write');
    expect(notice).toBe(
      'The verdict was not posted as commit status: the token may not write there (`statuses: write`). ' +
        'Add under `permissions:` of the job: `statuses: write`.',
    );
    const silent = asWorkflow({ checks: 'write', statuses: 'write', pull_requests: 'read' });
    const second = await publish({ ...silent, report: judged(VERIFIED) });
    expect(second.results.map(({ result }) => result)).toEqual(['done', 'done', 'skipped']);
    expect(second.error).toBeUndefined();
    expect(second.notice).toContain('pull-requests: write');
  });

  it('is not blamed for a locked conversation', async () => {
    const locked = new Response(JSON.stringify({ message: 'Unable to create comment because issue is locked.' }), {
      ...{ status: 403, headers: { 'content-type': 'application/json' } },
    });
    const real = globalThis.fetch;
    globalThis.fetch = (url, init) =>
      init?.method === 'POST' && typeof url === 'string' && url.endsWith('/comments')
        ? Promise.resolve(locked)
        : real(url, init);
    try {
      const { results, error, warnings, notice } = await publish();
      expect(results.map(({ result }) => result)).toEqual(['done', 'done', 'failed']);
      expect([error, notice]).toEqual([undefined, undefined]);
      expect(warnings).toMatchObject([{ code: 'CS1603' }]);
    } finally {
      globalThis.fetch = real;
    }
  });
});

describe('failures', () => {
  it('of the comment are a warning', async () => {
    world.sandbox.faults.add({ route: 'issues/*', effect: { kind: 'status', status: 500 } });
    const { results, error, warnings } = await publish();
    expect(results.map(({ result }) => result)).toEqual(['done', 'done', 'failed']);
    expect(error).toBeUndefined();
    expect(warnings).toMatchObject([{ code: 'CS1601' }]);
  });

  it('of the status are an error, and the comment is written all the same', async () => {
    world.sandbox.faults.add({ route: 'repos/create-commit-status', effect: { kind: 'status', status: 500 } });
    const { results, error, warnings } = await publish();
    expect(results.map(({ result }) => result)).toEqual(['done', 'failed', 'done']);
    expect(error).toMatchObject({ code: 'CS1601' });
    expect(warnings).toEqual([]);
  });

  it('that are defects are thrown', async () => {
    const comment = { policy: 'always', author: {} } as const;
    world.sandbox.comment(world.widgets, pull, world.bob, 'remark');
    await expect(publish({ surfaces: { comment } })).rejects.toThrow(TypeError);
  });
});

describe('however calls fail', () => {
  const done = ({ results }: Publication): boolean =>
    results.every(({ result }) => result === 'done' || result === 'unchanged');

  it.each([
    [1, { kind: 'reset', when: 'after' }],
    [2, { kind: 'status', status: 502, when: 'after' }],
    [3, { kind: 'truncated' }],
    [4, { kind: 'reset', when: 'before' }],
  ] as const)('there is one of each in the end (seed %d)', async (seed, effect) => {
    const findings = Array.from({ length: 49 }, (_, line) =>
      finding({ severity: 'block', place: { at: 'file', path: 'src/a.ts', line: line + 1 } }),
    );
    world.sandbox.faults.add({ method: 'POST', probability: 0.5, seed, effect });
    world.sandbox.faults.add({ method: 'PATCH', probability: 0.5, seed: seed + 10, effect });
    const verdicts = [judged({ ...FAILED, findings }), judged(VERIFIED), judged({ ...FAILED, findings })];
    for (const verdict of verdicts) {
      let publication = await publish({ report: verdict });
      for (let tries = 1; !done(publication) && tries < 20; tries += 1)
        publication = await publish({ report: verdict });
      expect(done(publication)).toBe(true);
    }
    expect(standing()).toEqual({ checks: 1, statuses: 3, comments: 1 });
    const [check] = [...world.widgets.checkRuns.values()].filter(({ headSha }) => headSha === pull.head.sha);
    expect(check).toMatchObject({ conclusion: 'failure' });
    expect(check?.annotations).toHaveLength(49);
    expect(world.comments(pull)[0]?.body).toContain('UNVERIFIED (failed)');
  });
});
