import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKS, endsWell, startAppWorld, VERDICT } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';
import { until } from '../../support/processes.ts';
import { CONFIG, CONFIG_TEXT } from '../../support/governed-repository.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld({ apart: true });
});

const NEW = { 'src/app.ts': 'export const app = 9;\n' };

describe('heads and bases that move', () => {
  it('after a force-push the newest head has the verdict', async () => {
    const place = await world.place();
    const pull = await place.judged({ tested: 'success' });
    const old = pull.head.sha;
    world.step();
    await world.sandbox.push(place.repository, world.coder, {
      ...{ branch: 'feature', force: true, from: 'main', message: 'Start again', files: NEW },
    });
    await world.settled();
    expect(pull.head.sha).not.toBe(old);
    // What was pushed is people's, and brings no run.
    expect([place.run(pull)?.title, place.checks(pull)[0]]).toEqual(['No governed run', 'success']);
    expect(place.verdict(pull)?.body).not.toContain('VERIFIED');
  });

  it('of several pushes in a row the last one counts', async () => {
    const place = await world.place({ governed: null, config: null });
    const pull = await place.judged();
    for (let at = 0; at < 5; at += 1) await place.push(pull, { 'src/app.ts': `export const app = ${at};\n` });
    await world.settled();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('a head that moves while it is judged gets no verdict, and the new one does', async () => {
    const place = await world.place({ governed: null, config: null });
    let moved: string | undefined;
    world.sandbox.faults.add({
      ...{ route: 'repos/compare-commits-with-basehead', nth: 1 },
      effect: {
        kind: 'meanwhile',
        act: async () => {
          moved = [...place.repository.pulls.values()][0]?.head.sha;
          await world.sandbox.push(place.repository, world.coder, {
            branch: 'feature',
            files: NEW,
            message: 'Meanwhile',
          });
        },
      },
    });
    const pull = await place.judged();
    world.sandbox.faults.clear();
    expect(moved).toBeDefined();
    expect(pull.head.sha).not.toBe(moved);
    // What was begun on the old head does not stay in progress for ever.
    expect(place.checks(pull, moved)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(place.run(pull, VERDICT, moved)?.summary).toContain(pull.head.sha);
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('a verdict that waits is ended where a push overtakes it', async () => {
    const place = await world.place();
    const pull = await place.judged();
    const old = pull.head.sha;
    expect(place.checks(pull)).toEqual(['in_progress', 'success', 'success']);
    await place.push(pull, NEW);
    await world.settled();
    expect(place.checks(pull, old)).toEqual(['cancelled', 'success', 'success']);
    expect(place.checks(pull)[0]).not.toBe('cancelled');
  });

  it('and where its pull request is closed, until that is opened again', async () => {
    const place = await world.place();
    const pull = await place.judged();
    await world.sandbox.editPullRequest(place.repository, pull, world.coder, { state: 'closed' });
    await world.settled();
    expect([place.run(pull)?.title, ...place.checks(pull)]).toEqual([
      ...['Closed before the verdict', 'cancelled', 'success', 'success'],
    ]);
    await world.sandbox.editPullRequest(place.repository, pull, world.coder, { state: 'open' });
    await world.settled();
    expect(place.checks(pull)).toEqual(['in_progress', 'success', 'success']);
    await place.tests(pull, 'success');
    await world.settled();
    expect(place.checks(pull)[0]).toBe('success');
  });

  it('one that waits at a head which another pull request still has goes on waiting', async () => {
    const place = await world.place();
    const pull = await place.judged();
    const old = pull.head.sha;
    await world.sandbox.push(place.repository, world.coder, { branch: 'twin', from: 'feature' });
    const twin = await world.sandbox.openPullRequest(place.repository, { by: world.coder, branch: 'twin' });
    await world.settled();
    await place.push(pull, NEW);
    await world.settled();
    expect(twin.head.sha).toBe(old);
    expect(place.checks(twin)[0]).not.toBe('cancelled');
  });

  it('a comment that GitHub does not take comes later, once', async () => {
    const place = await world.place({ governed: null, config: null });
    world.sandbox.faults.add({
      ...{ route: 'issues/create-comment', nth: [1, 2, 3, 4] },
      effect: { kind: 'status', status: 502, when: 'before' },
    });
    const pull = await place.judged({ files: { '.env': 'NAME=1\n' } });
    // Nothing else happens to the pull request: no event, and no sweep.
    await until(() => place.verdict(pull) !== undefined);
    await world.settled();
    world.sandbox.faults.clear();
    expect(place.comments(pull).filter(({ userId }) => userId === world.app.botId)).toHaveLength(1);
    expect(world.process().said('put back').length).toBeGreaterThan(0);
  });

  it('another base: its rules count', async () => {
    const place = await world.place({ governed: null, config: null });
    await world.sandbox.push(place.repository, world.ada, {
      ...{ branch: 'release', message: 'Demand runs', files: { [CONFIG]: 'runs:\n  required: always\n' } },
    });
    place.repository.protectedBranches.add('release');
    const pull = await place.judged();
    expect(place.checks(pull)[0]).toBe('success');
    await world.sandbox.editPullRequest(place.repository, pull, world.coder, { base: 'release' });
    await world.settled();
    expect(place.checks(pull)[0]).toBe('failure');
  });

  it('on a base that anybody may push to nothing stands by the name that a protection requires', async () => {
    const place = await world.place({ governed: null, config: null });
    await world.sandbox.push(place.repository, world.coder, { branch: 'stack', message: 'Start', files: NEW });
    const pull = await place.judged({ base: 'stack' });
    const named = [...place.repository.checkRuns.values()].filter(({ headSha }) => headSha === pull.head.sha);
    expect(named.map(({ name, conclusion }) => `${name}: ${conclusion}`).sort()).toEqual(
      CHECKS.map((name) => `${name} (into stack): success`).sort(),
    );
    // Into the default branch it is another question, and the other verdict stays.
    await world.sandbox.editPullRequest(place.repository, pull, world.coder, { base: 'main' });
    await world.settled();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('a pull request that is closed and opened again is judged again', async () => {
    const place = await world.place({ governed: null, config: null });
    const pull = await place.judged();
    await world.sandbox.editPullRequest(place.repository, pull, world.coder, { state: 'closed' });
    await place.push(pull, NEW);
    await world.settled();
    await world.sandbox.editPullRequest(place.repository, pull, world.coder, { state: 'open' });
    await world.settled();
    expect(place.run(pull)).toBeDefined();
  });

  it('one head in two pull requests: the worst stands on the commit, and leaves with its pull request', async () => {
    const place = await world.place();
    const { repository } = place;
    await world.sandbox.push(repository, world.ada, {
      ...{ branch: 'release', message: 'Ask for more' },
      files: { [CONFIG]: `${CONFIG_TEXT}runs:\n  required: always\n` },
    });
    repository.protectedBranches.add('release');
    const pull = await place.judged({ tested: 'success' });
    expect(place.checks(pull)[0]).toBe('success');
    const other = await world.sandbox.openPullRequest(repository, {
      ...{ by: world.coder, branch: 'feature', base: 'release', title: 'The same' },
      body: 'Countersign-Run: another-r1-run-001',
    });
    await world.settled();
    expect(other.head.sha).toBe(pull.head.sha);
    expect(place.checks(pull)[0]).toBe('failure');
    expect(place.verdict(other)?.body).toContain('UNVERIFIED');
    expect(place.verdict(pull)?.body).toContain('VERIFIED (platform');
    await world.sandbox.editPullRequest(repository, other, world.coder, { state: 'closed' });
    await world.settled();
    await place.says(pull, world.ana, '/countersign recheck');
    expect(place.checks(pull)[0]).toBe('success');
  });

  it('a push of rules to the base judges its open pull requests again', async () => {
    const place = await world.place({ governed: null, config: null });
    const pull = await place.judged();
    expect(place.checks(pull)[0]).toBe('success');
    await world.sandbox.push(place.repository, world.ada, {
      ...{ branch: 'main', message: 'Demand runs', files: { [CONFIG]: 'runs:\n  required: always\n' } },
    });
    await world.settled();
    expect(place.checks(pull)[0]).toBe('failure');
  });

  it('a push of anything else to the base judges nothing', async () => {
    const place = await world.place({ governed: null, config: null });
    const pull = await place.judged();
    const calls = (): number =>
      world.sandbox.log().filter(({ route }) => route === 'repos/compare-commits-with-basehead').length;
    const before = calls();
    await world.sandbox.push(place.repository, world.ada, {
      ...{ branch: 'main', message: 'Write', files: { 'docs/a.md': 'a\n' } },
    });
    await world.settled();
    expect(calls()).toBe(before);
    expect(place.checks(pull)[0]).toBe('success');
  });
});

endsWell(() => world);
