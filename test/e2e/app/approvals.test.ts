import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';
import { CI, CONFIG, CONFIG_TEXT, EXAMPLES } from '../../support/governed-repository.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld({ apart: true });
});

const MODEL = 'Co-authored-by: Claude <noreply@anthropic.com>';
const plain = { governed: null, config: null } as const;

describe('what people confirm, allow and approve', () => {
  it('confirm skip: a task that was not done', async () => {
    const place = await world.place({ governed: { tasks: ['Write it', 'Describe it'], skip: ['T002'] } });
    const pull = await place.judged({ tested: 'success' });
    expect([place.run(pull)?.title, place.checks(pull)[0]]).toEqual([expect.any(String), 'action_required']);
    await place.says(pull, world.ana, '/countersign confirm skip It can wait');
    expect([place.run(pull)?.title, place.checks(pull)[0]]).toEqual([expect.stringMatching(/^VERIFIED/), 'success']);
  });

  it('confirm tests: the pull request changes its own workflow', async () => {
    const place = await world.place({ governed: { paths: ['src/app.ts', CI] } });
    const changed = readFileSync(join(EXAMPLES, 'ci.yml'), 'utf8').replace('make test', 'true');
    const pull = await place.judged({ files: { [CI]: changed }, tested: 'success' });
    expect([place.run(pull)?.title, place.checks(pull)[0]]).toEqual([expect.any(String), 'action_required']);
    await place.says(pull, world.ana, '/countersign confirm tests I have read the workflow');
    place.approve(pull);
    await world.settled();
    expect([place.run(pull)?.title, place.checks(pull)[0]]).toEqual([expect.stringMatching(/^VERIFIED/), 'success']);
  });

  it('allow: a finding, until a day', async () => {
    const place = await world.place(plain);
    const pull = await place.judged({ message: `Add it\n\n${MODEL}` });
    expect(place.checks(pull)).toEqual(['failure', 'failure', 'success']);
    const comment = await place.says(
      ...[pull, world.ana],
      `/countersign allow ${place.findingIn(pull)} It is a fixture until 2099-12-31`,
    );
    expect(place.reactions(comment)).toEqual(['+1']);
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('allow until a day that is over, or of no finding: not counted', async () => {
    const place = await world.place(plain);
    const pull = await place.judged({ message: `Add it\n\n${MODEL}` });
    await place.says(pull, world.ana, `/countersign allow ${place.findingIn(pull)} It is a fixture until 2020-01-01`);
    await place.says(pull, world.ana, '/countersign allow 0123456789ab It is a fixture');
    expect(place.answers(pull).map((one) => one.includes('does not count'))).toEqual([true, true]);
    expect(place.checks(pull)[0]).toBe('failure');
  });

  it('approve: the change that brings the gate in', async () => {
    const place = await world.place(plain);
    const pull = await place.judged({ files: { [CONFIG]: CONFIG_TEXT } });
    expect(place.checks(pull)[0]).toBe('action_required');
    await place.says(pull, world.coder, '/countersign approve');
    expect(place.checks(pull)[0]).toBe('action_required');
    const comment = await place.says(pull, world.ana, '/countersign approve');
    expect([place.reactions(comment), place.checks(pull)[0]]).toEqual([['+1'], 'success']);
  });

  it('approve with more words is no approval', async () => {
    const place = await world.place(plain);
    const pull = await place.judged({ files: { [CONFIG]: CONFIG_TEXT } });
    await place.says(pull, world.ana, '/countersign approve once the tests pass');
    expect(place.checks(pull)[0]).toBe('action_required');
    expect(place.answers(pull)).toHaveLength(1);
  });

  it('approve contract: what a critical run waits for', async () => {
    const place = await world.place({ governed: { risk: 'critical' } });
    const pull = await place.judged({ tested: 'success' });
    place.approve(pull);
    await world.settled();
    expect(place.checks(pull)[0]).not.toBe('success');
    const comment = await place.says(pull, world.ana, '/countersign approve contract');
    expect(place.reactions(comment)).toEqual(['+1']);
    expect([place.run(pull)?.title, place.checks(pull)[0]]).toEqual([expect.stringMatching(/^VERIFIED/), 'success']);
  });
});

endsWell(() => world);
