import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelCheckRuns } from '../../src/publish/check-cancel.ts';
import { publishCheckRun, startCheckRuns } from '../../src/publish/check-run.ts';
import { startPublishing } from './support.ts';
import type { Publishing } from './support.ts';

let world: Publishing;
beforeAll(async () => {
  world = await startPublishing();
});
afterAll(() => world.stop());

const NAMES = ['Countersign', 'Countersign / secrets'] as const;
const text = { title: 'Overtaken', summary: 'The verdict stands elsewhere.' };

/** What stands on a commit: name, status and conclusion of each check run. */
const standing = (sha: string): readonly (readonly unknown[])[] =>
  [...world.widgets.checkRuns.values()]
    .filter(({ headSha }) => headSha === sha)
    .map(({ name, status, conclusion }) => [name, status, conclusion]);

describe('check runs that nobody is going to conclude', () => {
  it('are cancelled, once; concluded ones and other names stay', async () => {
    const { head } = await world.pullRequest('overtaken');
    const place = { ...world.context, sha: head.sha, app: { id: world.app.id }, externalId: 'e1' };
    await startCheckRuns({ ...place, names: [...NAMES, 'Other'], title: 'Looking', summary: 'Under way.' });
    await publishCheckRun({
      ...{ ...place, name: NAMES[1], annotations: [], output: { title: 'Good', summary: 'None.', text: '' } },
      conclusion: { status: 'completed', conclusion: 'success' },
    });
    const asked = { ...world.context, ...text, sha: head.sha, names: NAMES, appId: world.app.id };
    expect(await cancelCheckRuns(asked)).toBe(1);
    expect(standing(head.sha)).toEqual([
      ['Countersign', 'completed', 'cancelled'],
      ['Countersign / secrets', 'completed', 'success'],
      ['Other', 'in_progress', null],
    ]);
    const again = await world.counted(() => cancelCheckRuns(asked));
    expect([again.result, again.calls]).toEqual([0, { 'checks/list-for-ref': 1 }]);
  });

  it("are not another app's", async () => {
    const { head } = await world.pullRequest('theirs');
    const place = { ...world.context, sha: head.sha, app: { id: world.app.id }, externalId: 'e1' };
    await startCheckRuns({ ...place, names: [NAMES[0]], title: 'Looking', summary: 'Under way.' });
    const asked = { ...world.context, ...text, sha: head.sha, names: NAMES, appId: world.app.id + 1 };
    expect(await cancelCheckRuns(asked)).toBe(0);
    expect(standing(head.sha)).toEqual([['Countersign', 'in_progress', null]]);
  });

  it('are none on a commit that is gone', async () => {
    const asked = { ...world.context, ...text, sha: 'b'.repeat(40), names: NAMES, appId: world.app.id };
    expect(await cancelCheckRuns(asked)).toBe(0);
  });
});
