import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { at, client, list, R, startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

async function all(path: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { body, headers } = await world.api('GET', next);
    found.push(...list(body, null));
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return found;
}

describe('pull requests', () => {
  it('are opened, changed, followed and merged', async () => {
    const { sandbox, widgets, bob, asBob, api } = world;
    await sandbox.push(widgets, bob, { branch: 'topic', files: { 'src/a.ts': 'one\n2\n', 'new.txt': 'n\n' } });
    const opened = await asBob('POST', `${R}/pulls`, { title: 'Topic', head: 'topic', base: 'main', draft: true });
    const number = Number(at(opened.body, 'number'));
    expect(opened.body).toMatchObject({
      draft: true,
      commits: 1,
      additions: 2,
      deletions: 1,
      changed_files: 2,
      mergeable: true,
    });
    const again = await asBob('POST', `${R}/pulls`, { title: 'Topic', head: 'topic', base: 'main' });
    expect(again.body).toMatchObject({ errors: [{ message: 'A pull request already exists for acme:topic.' }] });
    const edited = await asBob('PATCH', `${R}/pulls/${number}`, { title: 'Better' });
    expect(edited.body).toMatchObject({ title: 'Better' });
    const before = at(opened.body, 'head', 'sha');
    const after = await sandbox.push(widgets, bob, { branch: 'topic', files: { more: 'm' } });
    expect((await api('GET', `${R}/pulls/${number}`)).body).toMatchObject({ head: { sha: after }, commits: 2 });
    expect(await sandbox.ref(widgets, `refs/pull/${number}/head`)).toBe(after);
    const moved = sandbox.events().find(({ action }) => action === 'synchronize');
    expect(moved?.payload).toMatchObject({ before, after, number });
    const merge = (sha: unknown) => asBob('PUT', `${R}/pulls/${number}/merge`, { sha, merge_method: 'squash' });
    expect((await merge(after)).status).toBe(405);
    const pull = widgets.pulls.get(number);
    if (pull === undefined) throw new Error('The pull request is not there.');
    await sandbox.editPullRequest(widgets, pull, bob, { draft: false });
    expect((await merge(before)).status).toBe(409);
    expect((await merge(after)).body).toMatchObject({ merged: true });
    expect((await api('GET', `${R}/pulls/${number}`)).body).toMatchObject({
      merged: true,
      state: 'closed',
      merged_by: { login: 'bob' },
    });
    const commit = String(pull.mergeCommitSha);
    expect(list((await api('GET', `${R}/commits/${commit}/pulls`)).body, null, 'number')).toEqual([number]);
  });

  it('that conflict cannot be merged', async () => {
    const { sandbox, widgets, bob, asBob } = world;
    const pull = await world.pullRequest('conflict', { 'src/b.ts': 'mine\n' });
    await sandbox.push(widgets, bob, { branch: 'main', files: { 'src/b.ts': 'theirs\n' } });
    expect((await asBob('GET', `${R}/pulls/${pull.number}`)).body).toMatchObject({
      mergeable: false,
      mergeable_state: 'dirty',
    });
    expect((await asBob('PUT', `${R}/pulls/${pull.number}/merge`)).status).toBe(405);
  });

  it('tell renames, removals, modes and binary files', async () => {
    const { sandbox, widgets, bob } = world;
    const text = 'line\n'.repeat(20);
    await sandbox.push(widgets, bob, { branch: 'main', files: { 'old name.txt': text, gone: 'x\n', run: 'r\n' } });
    const files = {
      'old name.txt': null,
      'sub/new name.txt': `${text}more\n`,
      gone: null,
      run: { mode: '100755', content: 'r\n' },
      'image.bin': { mode: '100644', content: Buffer.from([0, 1, 2, 0]) },
      'tricky.txt': 'a\u2028diff --git b\n@@ c\n',
    } as const;
    await sandbox.push(widgets, bob, { branch: 'kinds', files });
    const pull = await sandbox.openPullRequest(widgets, { by: bob, branch: 'kinds' });
    const { body } = await world.api('GET', `${R}/pulls/${pull.number}/files`);
    const found = Object.fromEntries(list(body, null).map((one) => [String(at(one, 'filename')), one]));
    expect(found['sub/new name.txt']).toMatchObject({
      status: 'renamed',
      previous_filename: 'old name.txt',
      additions: 1,
    });
    expect(found['gone']).toMatchObject({ status: 'removed', patch: '@@ -1 +0,0 @@\n-x' });
    expect(found['run']).toMatchObject({ status: 'modified', changes: 0 });
    expect(at(found['image.bin'], 'patch')).toBeUndefined();
    expect(at(found['tricky.txt'], 'patch')).toBe('@@ -0,0 +1,2 @@\n+a\u2028diff --git b\n+@@ c');
    expect(Object.keys(found)).toHaveLength(5);
  });

  it('list 250 commits and 3,000 files, and leave out the patch of a big one', async () => {
    const { sandbox, widgets, bob, api } = world;
    const many = Object.fromEntries(Array.from({ length: 3001 }, (_, n) => [`many/${n}.txt`, `${n}\n`]));
    const commits = Array.from({ length: 259 }, (_, n) => ({ message: `c${n}`, files: { counter: `${n}\n` } }));
    const big = { 'big.txt': 'x\n'.repeat(20_001), 'wide.txt': 'y'.repeat(600_000) };
    await sandbox.push(widgets, bob, { branch: 'huge', commits: [...commits, { files: { ...many, ...big } }] });
    const pull = await sandbox.openPullRequest(widgets, { by: bob, branch: 'huge' });
    const { body } = await api('GET', `${R}/pulls/${pull.number}`);
    expect(body).toMatchObject({ commits: 260, changed_files: 3004 });
    const listed = await all(`${R}/pulls/${pull.number}/commits?per_page=100`);
    expect([listed.length, at(listed[0], 'commit', 'message')]).toEqual([250, 'c0']);
    const files = await all(`${R}/pulls/${pull.number}/files?per_page=100`);
    expect(files).toHaveLength(3000);
    const patches = files.filter((one) => /^(big|wide)\.txt$/.test(String(at(one, 'filename'))));
    expect(patches.map((one) => at(one, 'patch'))).toEqual([undefined]);
  }, 60_000);
});

describe('forks', () => {
  it('bring their commits, and are named neither in checks nor in runs; their token only reads', async () => {
    const { sandbox, widgets, eve, api } = world;
    const fork = await sandbox.fork(widgets, eve);
    await sandbox.push(fork, eve, { branch: 'patch', files: { 'from-fork.txt': 'f\n' } });
    const pull = await sandbox.openPullRequest(widgets, { by: eve, branch: 'patch', from: fork });
    const { body } = await api('GET', `${R}/pulls/${pull.number}`);
    expect(body).toMatchObject({
      head: { label: 'eve:patch', repo: { full_name: 'eve/widgets', fork: true } },
      changed_files: 1,
    });
    const run = await sandbox.startWorkflowRun(widgets, { path: '.github/workflows/ci.yml', at: pull });
    expect((await api('GET', `${R}/actions/runs/${run.id}`)).body).toMatchObject({
      pull_requests: [],
      head_repository: { full_name: 'eve/widgets' },
    });
    const check = await api('POST', `${R}/check-runs`, { name: 'Countersign', head_sha: pull.head.sha });
    expect(check.body).toMatchObject({ pull_requests: [] });
    const token = sandbox.workflowToken(widgets, { pull_requests: 'write', statuses: 'write' }, pull);
    const workflow = client(sandbox.url, token);
    const refused = await workflow('POST', `${R}/issues/${pull.number}/comments`, { body: 'x' });
    expect([refused.status, at(refused.body, 'message')]).toEqual([403, 'Resource not accessible by integration']);
    expect(refused.headers.get('x-accepted-github-permissions')).toBe('issues=write; pull_requests=write');
    await sandbox.push(fork, eve, { branch: 'patch', files: { 'from-fork.txt': 'g\n' } });
    expect((await api('GET', `${R}/pulls/${pull.number}`)).body).toMatchObject({ commits: 2 });
    sandbox.deleteFork(fork);
    expect((await api('GET', `${R}/pulls/${pull.number}`)).body).toMatchObject({ head: { repo: null } });
  });
});

describe('reviews', () => {
  it('are of a commit, not by the author, and can be dismissed', async () => {
    const { sandbox, ada, asBob, api } = world;
    const pull = await world.pullRequest('reviewed');
    const asAda = client(sandbox.url, sandbox.userToken(ada));
    const path = `${R}/pulls/${pull.number}/reviews`;
    const own = await asBob('POST', path, { event: 'APPROVE' });
    expect(own.body).toMatchObject({ errors: [{ message: 'Can not approve your own pull request' }] });
    const { body } = await asAda('POST', path, { event: 'APPROVE', body: 'fine' });
    expect(body).toMatchObject({ state: 'APPROVED', commit_id: pull.head.sha, author_association: 'MEMBER' });
    await asAda('POST', path, { body: 'not sent' });
    expect(list((await api('GET', path)).body, null, 'state')).toEqual(['APPROVED']);
    expect(list((await asAda('GET', path)).body, null, 'state')).toEqual(['APPROVED', 'PENDING']);
    expect((await asAda('POST', path, { event: 'REQUEST_CHANGES' })).status).toBe(422);
    const dismissed = await asBob('PUT', `${path}/${String(at(body, 'id'))}/dismissals`, { message: 'old' });
    expect(dismissed.body).toMatchObject({ state: 'DISMISSED' });
  });
});

describe('the merge queue', () => {
  it('puts pull requests on a branch of its own and asks for checks', async () => {
    const { sandbox, widgets, ada } = world;
    const [one, two] = [await world.pullRequest('queue-1'), await world.pullRequest('queue-2')];
    const group = await sandbox.mergeGroup(widgets, [one, two], ada);
    expect(group.branch).toBe(`gh-readonly-queue/main/pr-${two.number}-${group.baseSha}`);
    const { body } = await world.api('GET', `${R}/compare/${group.baseSha}...${group.headSha}`);
    expect(list(body, 'files', 'filename')).toEqual(['queue-1.txt', 'queue-2.txt']);
    const asked = sandbox.events().find(({ event }) => event === 'merge_group');
    expect(asked?.payload).toMatchObject({ action: 'checks_requested', merge_group: { head_sha: group.headSha } });
    await sandbox.endMergeGroup(widgets, group, 'merged', ada);
    expect(await sandbox.tip(widgets, 'main')).toBe(group.headSha);
    expect((await world.api('GET', `${R}/pulls/${one.number}`)).body).toMatchObject({ merged: true });
  });

  it.each([
    ['squash', 1, /\(#\d+\)$/],
    ['rebase', 2, /^More of /],
  ] as const)('can %s them: %i commit with no trace of the head', async (method, count, subject) => {
    const { sandbox, widgets, ada } = world;
    const pull = await world.pullRequest(`queue-${method}`);
    const files = { 'more.txt': method };
    await sandbox.push(widgets, ada, { branch: pull.head.ref, files, message: `More of ${method}` });
    const group = await sandbox.mergeGroup(widgets, [pull], ada, method);
    const { body } = await world.api('GET', `${R}/compare/${group.baseSha}...${group.headSha}`);
    expect(list(body, 'files', 'filename')).toEqual(['more.txt', `queue-${method}.txt`]);
    const messages = list(body, 'commits', 'commit').map((commit) => String(at(commit, 'message')));
    expect(messages).toHaveLength(count);
    expect(messages.at(-1)?.split('\n')[0]).toMatch(subject);
    expect(list(body, 'commits', 'sha')).not.toContain(pull.head.sha);
    await sandbox.endMergeGroup(widgets, group, 'dequeued', ada);
  });
});
