import { beforeAll, describe, expect, it } from '@jest/globals';
import { endsWell, startAppWorld, VERDICT } from '../../support/app-world.ts';
import type { AppWorld, Place } from '../../support/app-world.ts';
import { CONFIG } from '../../support/governed-repository.ts';
import { until } from '../../support/processes.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld();
});

/** The check of the verdict on a commit, as title and conclusion. */
function onCommit({ repository }: Place, sha: string): readonly (string | null | undefined)[] {
  const run = [...repository.checkRuns.values()]
    .filter(({ headSha, name }) => headSha === sha && name === VERDICT)
    .at(-1);
  return [run?.conclusion, run?.title];
}

const plain = { governed: null, config: null } as const;

// First, while the organisation has few repositories: all of them are judged again.
describe('the rules of an organisation', () => {
  it('count in every repository as soon as they change', async () => {
    const rules = await world.place({ ...plain, name: '.github' });
    const place = await world.place(plain);
    const pull = await place.judged();
    expect(place.checks(pull)[0]).toBe('success');
    const push = (text: string): Promise<string> =>
      world.sandbox.push(rules.repository, world.ada, {
        ...{ branch: 'main', message: 'Change the rules', files: { [CONFIG]: text } },
      });
    await push('runs:\n  required: always\n');
    await world.settled();
    expect(place.checks(pull)[0]).toBe('failure');
    await push('runs:\n  required: never\n');
    await world.settled();
    expect(place.checks(pull)[0]).toBe('success');
  });
});

describe('the merge queue', () => {
  it('gets a verdict on the head of its group', async () => {
    const place = await world.place();
    const pull = await place.judged({ tested: 'success' });
    expect(place.checks(pull)[0]).toBe('success');
    const group = await world.sandbox.mergeGroup(place.repository, [pull], world.ada);
    await world.settled();
    expect(onCommit(place, group.headSha)).toEqual(['success', expect.stringContaining('VERIFIED')]);
  });

  it('is as bad as the worst of its pull requests', async () => {
    const place = await world.place(plain);
    const one = await place.judged({ branch: 'one', files: { 'one.txt': 'one\n' } });
    const two = await place.judged({
      ...{ branch: 'two', files: { 'two.txt': 'two\n' } },
      message: 'Add two\n\nCo-authored-by: Claude <noreply@anthropic.com>',
    });
    const group = await world.sandbox.mergeGroup(place.repository, [one, two], world.ada);
    await world.settled();
    expect(onCommit(place, group.headSha)).toEqual(['failure', expect.stringContaining('credits')]);
  });

  it.each(['squash', 'rebase'] as const)('that makes a %s gets one as well', async (method) => {
    const place = await world.place();
    const pull = await place.judged({ tested: 'success' });
    const group = await world.sandbox.mergeGroup(place.repository, [pull], world.ada, method);
    await world.settled();
    expect(onCommit(place, group.headSha)).toEqual(['success', expect.stringContaining('VERIFIED')]);
  });

  it('whose pull request has another head by now fails, and says why', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    // The App hears of the group only once the head has moved.
    world.deliver(false);
    const group = await world.sandbox.mergeGroup(place.repository, [pull], world.ada);
    await place.push(pull, { 'src/app.ts': 'export const app = 7;\n' });
    world.deliver(true);
    const told = world.sandbox.events().findLast(({ event }) => event === 'merge_group');
    const payload = { ...(told?.payload as object), installation: { id: world.installation.id } };
    expect(await world.send('merge_group', JSON.stringify(payload))).toBe(202);
    await world.settled();
    expect(onCommit(place, group.headSha)).toEqual(['failure', expect.stringMatching(/CS170[45]/)]);
  });
});

describe('an installation that is given more', () => {
  it('has its open pull requests judged soon', async () => {
    const place = await world.place(plain);
    world.deliver(false);
    const pull = await place.open();
    await world.sandbox.settled();
    world.deliver(true);
    world.sandbox.acceptPermissions(world.installation, world.installation.permissions, world.ada);
    await until(() => place.checks(pull)[2] === 'success');
    await world.settled();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });
});

endsWell(() => world);
