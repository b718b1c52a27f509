import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';
import { until } from '../../support/processes.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld();
});

const plain = { governed: null, config: null } as const;
const judgings = (): number =>
  world.sandbox.log().filter(({ route }) => route === 'repos/compare-commits-with-basehead').length;
const ended = async (event: string): Promise<number> =>
  world.process().metric('countersign_deliveries_ended_total', { event });

describe('deliveries', () => {
  it('with a forged signature are refused and forgotten', async () => {
    const place = await world.place(plain);
    await place.judged();
    const text = world.deliveries('pull_request', 'opened').at(-1)?.text ?? '';
    const before = judgings();
    expect(await world.send('pull_request', text, { secret: 'another secret' })).toBe(401);
    expect(await world.send('pull_request', text, { signature: `sha256=${'0'.repeat(64)}` })).toBe(401);
    expect(await world.send('pull_request', text, { signature: 'sha1=0' })).toBe(401);
    await world.settled();
    expect(judgings()).toBe(before);
    expect(
      await world
        .process()
        .metric('countersign_deliveries_total', { event: 'pull_request', outcome: 'refused_signature' }),
    ).toBe(3);
  });

  it('are taken by the secret before, while it is changed', async () => {
    const place = await world.place(plain);
    world.deliver(true, world.secrets.previous);
    const pull = await place.judged();
    world.deliver(true);
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('of one id are carried out once', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const delivery = world.deliveries('pull_request', 'opened').at(-1);
    if (delivery === undefined) throw new Error('no delivery');
    const before = [judgings(), await ended('pull_request')];
    expect(await world.send('pull_request', delivery.text, { id: delivery.guid })).toBe(202);
    await world.settled();
    expect([judgings(), await ended('pull_request')]).toEqual(before);
    expect(place.verdict(pull)).toBeUndefined();
  });

  it('that arrive many times at once are carried out once', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const text = world.deliveries('pull_request', 'opened').at(-1)?.text ?? '';
    const before = await ended('pull_request');
    const id = randomUUID();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => world.send('pull_request', text, { id })),
    );
    await world.settled();
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(await ended('pull_request')).toBe(before + 1);
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('that fail are carried out when they come again', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const opened = world.deliveries('issue_comment', 'created').length;
    // The answer cannot be written at first.
    const stop = world.sandbox.faults.add({
      ...{ route: 'reactions/create-for-issue-comment', times: 1 },
      effect: { kind: 'status', status: 500 },
    });
    const comment = await place.says(pull, world.ana, '/countersign help');
    stop();
    expect(world.deliveries('issue_comment', 'created').length).toBeGreaterThan(opened);
    expect([place.answers(pull).length, place.reactions(comment).length]).toEqual([1, 1]);
  });

  it('out of order: an old event never brings an old head back', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const old = world.deliveries('pull_request', 'opened').at(-1)?.text ?? '';
    const first = pull.head.sha;
    await place.push(pull, { 'src/app.ts': 'export const app = 5;\n' });
    await world.settled();
    expect(await world.send('pull_request', old)).toBe(202);
    await world.settled();
    expect(pull.head.sha).not.toBe(first);
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
    expect(place.checks(pull, first)).toEqual(['success', 'success', 'success']);
  });

  it('of a pull request that is closed before they are worked off: nothing is written', async () => {
    const place = await world.place(plain);
    world.deliver(false);
    const pull = await place.open();
    const events = world.sandbox.events().filter(({ event }) => event === 'pull_request');
    await world.sandbox.editPullRequest(place.repository, pull, world.coder, { state: 'closed' });
    world.deliver(true);
    const text = JSON.stringify({ ...events.at(-1)?.payload, installation: { id: world.installation.id } });
    expect(await world.send('pull_request', text)).toBe(202);
    await world.settled();
    expect(place.checks(pull)).not.toContain('success');
    expect(place.verdict(pull)).toBeUndefined();
  });

  it('of no interest are answered and forgotten', async () => {
    expect(await world.send('star', '{"action":"created"}')).toBe(202);
    expect(await world.send('ping', '{"zen":"x"}')).toBe(200);
    expect(await world.send('pull_request', '[]')).toBe(400);
    expect(await world.send('pull_request', '{')).toBe(400);
  });

  it('that are not as GitHub documents them are set aside, and harm nobody', async () => {
    const text = JSON.stringify({ action: 'opened', installation: { id: world.installation.id }, pull_request: {} });
    expect([202, 400]).toContain(await world.send('pull_request', text));
    const place = await world.place(plain);
    const pull = await place.judged();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });
});

describe('repositories and installations', () => {
  it('a repository that is renamed', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    world.sandbox.rename(place.repository, `${place.repository.name}-new`, world.ada);
    await place.push(pull, { 'src/app.ts': 'export const app = 6;\n' });
    await world.settled();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('one whose renaming was not told', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    world.deliver(false);
    world.sandbox.rename(place.repository, `${place.repository.name}-silent`, world.ada);
    world.deliver(true);
    const run = place.run(pull);
    if (run === undefined) throw new Error('no check run');
    world.sandbox.rerequestCheck(place.repository, run, world.ana);
    await world.settled();
    expect(place.run(pull)?.id).not.toBe(run.id);
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('one that goes to another owner, where the App is installed too', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const other = world.sandbox.addOrganization('other', [world.ada]);
    world.sandbox.install(world.app, other);
    world.sandbox.transfer(place.repository, other, world.ada);
    await place.push(pull, { 'src/app.ts': 'export const app = 6;\n' });
    await world.settled();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('a suspended installation lets its pull requests wait', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    world.sandbox.suspend(world.installation, world.ada);
    await world.settled();
    const before = pull.head.sha;
    await place.push(pull, { 'src/app.ts': 'export const app = 7;\n' });
    await world.settled();
    expect(place.run(pull)).toBeUndefined();
    expect(pull.head.sha).not.toBe(before);
    // Judged by the event itself: nobody has to push, and no sweep be due.
    world.sandbox.unsuspend(world.installation, world.ada);
    await until(() => place.checks(pull)[2] === 'success');
    await world.settled();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('a repository that is taken out of the installation, and brought back', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    world.installation.repositoryIds = new Set([place.repository.id]);
    world.sandbox.selectRepositories(world.installation, { remove: [place.repository] }, world.ada);
    await place.push(pull, { 'src/app.ts': 'export const app = 7;\n' });
    await world.settled();
    expect(place.run(pull)).toBeUndefined();
    world.sandbox.selectRepositories(world.installation, { add: [place.repository] }, world.ada);
    await place.push(pull, { 'src/app.ts': 'export const app = 8;\n' });
    await world.settled();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
    world.installation.repositoryIds = null;
  });

  it('an uninstalled App writes nothing more', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    world.sandbox.uninstall(world.installation, world.ada);
    await place.push(pull, { 'src/app.ts': 'export const app = 9;\n' });
    await world.settled();
    expect(place.run(pull)).toBeUndefined();
  });
});

endsWell(() => world);
