import { describe, expect, it } from '@jest/globals';
import { collectPullRequest } from '../../../src/sources/pull-request/github.ts';
import { startPlatform, WIDGETS } from '../github/platform/support.ts';

describe('decisions among the facts', () => {
  it("are a person's where a person wrote the comment, and an app's where one did for them", async () => {
    const platform = await startPlatform();
    try {
      const { sandbox, widgets, app, api, ada, pullRequest, later } = platform;
      const pull = await pullRequest('topic');
      later();
      const own = sandbox.comment(widgets, pull, ada, '/countersign approve');
      const through = sandbox.comment(widgets, pull, ada, '/countersign approve');
      widgets.comments.set(through.id, { ...through, appId: app.id });
      const facts = await collectPullRequest({
        ...{ api, repository: WIDGETS, number: pull.number, now: '2027-03-01T12:01:00Z', engine: '1' },
      });
      expect(facts.decisions.map(({ source, login, user_id: id }) => [source, login, id])).toEqual([
        [`github:comment:${own.id}`, 'ada', ada.id],
        [`github:comment:${through.id}`, 'countersign[bot]', null],
      ]);
    } finally {
      await platform.stop();
    }
  });
});
