import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitSchema, reviewSchema } from '../../../../src/gate/facts.ts';
import { readPull } from '../../../../src/sources/github/platform/pull.ts';
import { startPlatform, WIDGETS } from './support.ts';
import type { Platform } from './support.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

describe('a pull request', () => {
  it('is read whole by one query', async () => {
    const { sandbox, widgets, bob, ada, api, later } = platform;
    const message = 'Add one\n\nWith a body, “quoted” and 字.\n\nReviewed-by: Ada <ada@example.com>';
    const first = await sandbox.push(widgets, bob, { branch: 'one', files: { 'one.txt': '1\n' }, message });
    const stranger = { name: 'Zoë', email: 'zoe@elsewhere.example' };
    const head = await sandbox.push(widgets, bob, {
      ...{ branch: 'one', files: { 'two.txt': '2\n' }, message: 'Two', author: stranger },
    });
    widgets.signedCommits.add(head);
    const pull = await sandbox.openPullRequest(widgets, {
      by: bob,
      branch: 'one',
      title: 'One',
      body: 'Text',
      draft: true,
    });
    const frozen = pull.base.sha;
    later();
    await sandbox.push(widgets, ada, { branch: 'main', files: { 'main.txt': 'm\n' }, message: 'Main moves' });
    const review = sandbox.review(widgets, pull, ada, 'APPROVED');
    const comment = sandbox.comment(widgets, pull, ada, 'A\r\ncomment');
    sandbox.forgetCalls();
    const read = await readPull(api, WIDGETS, pull.number);
    expect(sandbox.calls()).toEqual({ graphql: 1 });
    const tip = await sandbox.tip(widgets, 'main');
    expect(tip).not.toBe(frozen);
    const { commits, ...rest } = read;
    expect(rest).toEqual({
      number: pull.number,
      repository: { name: 'acme/widgets', id: widgets.id, private: false },
      owner: { login: 'acme', organisation: true },
      ...{ title: 'One', body: 'Text', state: 'open', draft: true, created_at: '2027-03-01T12:00:00Z' },
      author: { name: '', email: '', login: 'bob', id: bob.id, type: 'user' },
      base: { ref: 'main', sha: tip },
      head: { ref: 'one', sha: head, repository: WIDGETS, fork: false },
      default_branch: { ref: 'main', sha: tip },
      squash: { title: 'COMMIT_OR_PR_TITLE', message: 'COMMIT_MESSAGES' },
      merge_message: 'PR_TITLE',
      ...{ commit_count: 2, file_count: 2, unread: [] },
      reviews: [
        {
          ...{ id: review.id, user_id: ada.id, login: 'ada', state: 'approved', commit_sha: head },
          submitted_at: '2027-03-01T12:00:10Z',
        },
      ],
      comments: [
        {
          ...{ id: comment.id, body: 'A\r\ncomment', created_at: '2027-03-01T12:00:10Z', edited: false },
          author: { name: '', email: '', login: 'ada', id: ada.id, type: 'user' },
        },
      ],
    });
    const own = {
      ...{ name: 'bob', email: 'bob@example.com', login: 'bob', id: bob.id, type: 'user' },
    };
    expect(commits.map(({ tree, ...commit }) => ({ ...commit, tree: tree.length }))).toEqual([
      {
        ...{ sha: first, tree: 40, parents: [frozen], author: own, committer: own, message, verified: false },
      },
      {
        ...{ sha: head, tree: 40, parents: [first], message: 'Two', verified: true },
        author: { ...stranger, type: 'unknown' },
        committer: { ...stranger, type: 'unknown' },
      },
    ]);
    for (const { tree: _tree, ...commit } of commits) commitSchema.parse({ ...commit, ledger_changes: [] });
    for (const one of read.reviews) reviewSchema.parse(one);
  });

  it('from a fork says where its head is, also once that is gone', async () => {
    const { sandbox, widgets, eve, api } = platform;
    const fork = await sandbox.fork(widgets, eve);
    await sandbox.push(fork, eve, { branch: 'theirs', files: { t: '1' }, message: 'Theirs' });
    const pull = await sandbox.openPullRequest(widgets, { by: eve, branch: 'theirs', from: fork });
    const { head, author } = await readPull(api, WIDGETS, pull.number);
    expect(head).toMatchObject({ repository: { owner: 'eve', repo: 'widgets' }, fork: true });
    expect(author?.login).toBe('eve');
    sandbox.deleteFork(fork);
    expect((await readPull(api, WIDGETS, pull.number)).head).toMatchObject({ repository: undefined, fork: true });
  });

  it('whose base branch is gone has no base tip', async () => {
    const { sandbox, widgets, bob, api, pullRequest } = platform;
    await sandbox.push(widgets, bob, { branch: 'passing' });
    const pull = await pullRequest('into-passing');
    await sandbox.editPullRequest(widgets, pull, bob, { base: 'passing' });
    expect((await readPull(api, WIDGETS, pull.number)).base.sha).toMatch(/^[0-9a-f]{40}$/);
    await sandbox.deleteBranch(widgets, bob, 'passing');
    expect((await readPull(api, WIDGETS, pull.number)).base).toEqual({ ref: 'passing', sha: null });
  });

  // Field case PRD-01: REST ends at 250 commits, whatever the paging.
  it('has all its commits, reviews and comments, page by page', async () => {
    const { sandbox, widgets, ada, bob, api } = platform;
    const commits = Array.from({ length: 263 }, (_, n) => ({ message: `c${n}`, files: { n: `${n}` } }));
    await sandbox.push(widgets, bob, { branch: 'many', commits });
    const pull = await sandbox.openPullRequest(widgets, { by: bob, branch: 'many' });
    for (let n = 0; n < 101; n++) {
      sandbox.review(widgets, pull, ada, 'COMMENTED', { body: `r${n}` });
      sandbox.comment(widgets, pull, ada, `k${n}`);
    }
    sandbox.forgetCalls();
    const read = await readPull(api, WIDGETS, pull.number);
    expect(sandbox.calls()).toEqual({ graphql: 1 + 2 + 1 + 1 });
    expect(read.commits.map(({ message }) => message)).toEqual(commits.map(({ message }) => message));
    expect(read.comments.map(({ body }) => body)).toEqual(Array.from({ length: 101 }, (_, n) => `k${n}`));
    expect([read.reviews.length, read.commit_count, read.unread]).toEqual([101, 263, []]);
  });

  it('whose head moves between two pages is not read whole', async () => {
    const { sandbox, widgets, bob, api } = platform;
    const commits = Array.from({ length: 120 }, (_, n) => ({ message: `c${n}`, files: { n: `${n}` } }));
    await sandbox.push(widgets, bob, { branch: 'moving', commits });
    const pull = await sandbox.openPullRequest(widgets, { by: bob, branch: 'moving' });
    const move = () => sandbox.push(widgets, bob, { branch: 'moving', files: { late: '1' }, message: 'Late' });
    const undo = sandbox.faults.add({
      ...{ route: 'graphql', nth: 2, effect: { kind: 'meanwhile', act: async () => void (await move()) } },
    });
    const { unread, commits: read } = await readPull(api, WIDGETS, pull.number);
    undo();
    expect(read).toHaveLength(121);
    expect(unread).toEqual([{ what: 'commits of the pull request', why: 'its head moved while they were read' }]);
  });

  it('tells of bots by their own kind and login, and which comments were edited', async () => {
    const { sandbox, widgets, bob, ada, api, app, later, pullRequest } = platform;
    const pull = await pullRequest('talk');
    await api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...{ ...WIDGETS, issue_number: pull.number, body: 'By an app' },
    });
    const edited = sandbox.comment(widgets, pull, ada, 'Before');
    later();
    sandbox.editComment(widgets, edited, bob, 'After');
    const { comments } = await readPull(api, WIDGETS, pull.number);
    expect(
      comments.map(({ author, body, edited: was }) => [author?.login, author?.type, author?.id, body, was]),
    ).toEqual([
      ['countersign[bot]', 'bot', app.botId, 'By an app', false],
      ['ada', 'user', ada.id, 'After', true],
    ]);
  });

  it('that is not there, or not as documented, is a refusal', async () => {
    const { api } = platform;
    await expect(readPull(api, WIDGETS, 999)).rejects.toMatchObject({ code: 'CS1607' });
    const broken = { request: () => Promise.resolve({ data: { data: { repository: {} } }, headers: {}, status: 200 }) };
    await expect(readPull({ ...api, ...broken } as unknown as typeof api, WIDGETS, 1)).rejects.toMatchObject({
      code: 'CS1606',
    });
  });
});

describe('reviews', () => {
  // Field cases REV-01, REV-09: what stands is the gate's to say; nothing is taken away here.
  it('are all told, dismissed ones as such, edited ones as they are', async () => {
    const { sandbox, widgets, ada, eve, api, later, pullRequest } = platform;
    const pull = await pullRequest('reviewed');
    const old = pull.head.sha;
    sandbox.review(widgets, pull, ada, 'CHANGES_REQUESTED', { body: 'No' });
    later();
    const approval = sandbox.review(widgets, pull, ada, 'APPROVED', { body: 'Yse' });
    sandbox.editReview(widgets, pull, approval, 'Yes');
    sandbox.review(widgets, pull, ada, 'COMMENTED', { body: 'And' });
    sandbox.review(widgets, pull, ada, 'PENDING', { body: 'Not yet said' });
    const other = sandbox.review(widgets, pull, eve, 'APPROVED');
    sandbox.dismissReview(widgets, pull, other, ada);
    await sandbox.push(widgets, ada, { branch: 'reviewed', files: { more: '1' }, message: 'More' });
    const { reviews, head } = await readPull(api, WIDGETS, pull.number);
    expect(reviews.map(({ login, state, commit_sha }) => [login, state, commit_sha])).toEqual([
      ['ada', 'changes_requested', old],
      ['ada', 'approved', old],
      ['ada', 'commented', old],
      ['eve', 'dismissed', old],
    ]);
    expect(head.sha).not.toBe(old);
  });
});
