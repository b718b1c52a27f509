import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { at, client, list, R, startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
let main: string;

beforeAll(async () => {
  world = await startWorld({ limits: { compareFiles: 3 } });
  main = await world.sandbox.tip(world.widgets, 'main');
});
afterAll(() => world.stop());

describe('repositories', () => {
  it('are read under both prefixes and in any case', async () => {
    for (const path of [R, `/api/v3${R}`, '/repos/ACME/Widgets', `/repositories/${world.widgets.id}`]) {
      const { status, body } = await world.api('GET', path);
      expect([status, at(body, 'full_name'), at(body, 'default_branch')]).toEqual([200, 'acme/widgets', 'main']);
    }
    expect((await world.api('GET', '/repos/acme/nothing')).status).toBe(404);
  });

  it('that are private do not exist for others', async () => {
    const vault = await world.sandbox.addRepository(world.acme, 'vault', { private: true });
    const workflow = client(world.sandbox.url, world.sandbox.workflowToken(vault, { contents: 'read' }));
    const elsewhere = client(world.sandbox.url, world.sandbox.workflowToken(world.widgets, { contents: 'write' }));
    const statuses = [world.api, workflow, elsewhere, world.asEve, client(world.sandbox.url)].map(
      async (call) => (await call('GET', '/repos/acme/vault/contents/README.md')).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404, 404]);
  });

  it('lead from a former name to the new one', async () => {
    const moved = await world.sandbox.addRepository(world.acme, 'before');
    world.sandbox.rename(moved, 'after', world.ada);
    const answer = await fetch(`${world.sandbox.url}/repos/acme/before`, {
      redirect: 'manual',
      headers: { 'user-agent': 'x' },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      301,
      `${world.sandbox.url}/repositories/${moved.id}`,
    ]);
    expect(at((await world.api('GET', '/repos/acme/before')).body, 'name')).toBe('after');
    world.sandbox.transfer(moved, world.ada, world.ada);
    expect(at((await world.api('GET', '/repos/acme/after')).body, 'full_name')).toBe('ada/after');
  });
});

describe('git objects', () => {
  it('are those of the real repository, with their ids', async () => {
    const { body: commit } = await world.api('GET', `${R}/git/commits/${main}`);
    const { body: tree } = await world.api('GET', `${R}/git/trees/${String(at(commit, 'tree', 'sha'))}?recursive=1`);
    expect(list(tree, 'tree', 'path')).toEqual(['README.md', 'src', 'src/a.ts', 'src/b.ts']);
    expect(at(tree, 'truncated')).toBe(false);
    const sha = String(at(tree, 'tree', 2, 'sha'));
    expect(sha).toBe(createHash('sha1').update('blob 8\0one\ntwo\n').digest('hex'));
    const { body: blob } = await world.api('GET', `${R}/git/blobs/${sha}`);
    expect(Buffer.from(String(at(blob, 'content')), 'base64').toString('utf8')).toBe('one\ntwo\n');
    const raw = await world.api('GET', `${R}/git/blobs/${sha}`, undefined, { accept: 'application/vnd.github.raw' });
    expect(raw.body).toBe('one\ntwo\n');
  });

  it.each([
    ['/git/commits/0000000000000000000000000000000000000000', 404],
    ['/git/trees/nothing', 404],
    ['/git/blobs/abc', 422],
    ['/git/ref/heads/nothing', 404],
    ['/commits/nothing', 422],
    ['/branches/nothing', 404],
    ['/contents/nothing', 404],
    ['/compare/main...nothing', 404],
  ])('GET %s is answered with %i', async (path, status) => {
    expect((await world.api('GET', `${R}${path}`)).status).toBe(status);
  });

  it('are made by those who may write', async () => {
    const { asBob } = world;
    const blob = at((await asBob('POST', `${R}/git/blobs`, { content: 'made', encoding: 'utf-8' })).body, 'sha');
    const base = at((await asBob('GET', `${R}/git/commits/${main}`)).body, 'tree', 'sha');
    const entry = { path: 'src/made.ts', mode: '100644', type: 'blob', sha: blob };
    const removed = { path: 'src/b.ts', mode: '100644', type: 'blob', sha: null };
    const tree = await asBob('POST', `${R}/git/trees`, { base_tree: base, tree: [entry, removed] });
    const made = { message: 'Made', tree: at(tree.body, 'sha'), parents: [main] };
    const commit = at((await asBob('POST', `${R}/git/commits`, made)).body, 'sha');
    const ref = await asBob('POST', `${R}/git/refs`, { ref: 'refs/heads/made', sha: commit });
    expect([tree.status, ref.status, at(ref.body, 'object', 'sha')]).toEqual([201, 201, commit]);
    const { body } = await asBob('GET', `${R}/compare/main...made`);
    expect(list(body, 'files', 'filename')).toEqual(['src/b.ts', 'src/made.ts']);
    expect((await asBob('POST', `${R}/git/refs`, { ref: 'refs/heads/made', sha: commit })).status).toBe(422);
    expect((await world.api('POST', `${R}/git/blobs`, { content: 'x' })).status).toBe(403);
    expect((await world.asEve('POST', `${R}/git/blobs`, { content: 'x' })).status).toBe(403);
  });

  it('move only forward unless forced, and leave their trace in the activity', async () => {
    const { sandbox, widgets, bob, asBob } = world;
    const first = await sandbox.push(widgets, bob, { branch: 'moving', files: { m: '1' } });
    const refused = await asBob('PATCH', `${R}/git/refs/heads/moving`, { sha: main });
    expect([refused.status, at(refused.body, 'message')]).toEqual([422, 'Update is not a fast forward']);
    expect((await asBob('PATCH', `${R}/git/refs/heads/moving`, { sha: main, force: true })).status).toBe(200);
    expect((await asBob('DELETE', `${R}/git/refs/heads/moving`)).status).toBe(204);
    const { body } = await world.api('GET', `${R}/activity?ref=moving`);
    expect(list(body, null, 'activity_type')).toEqual(['branch_deletion', 'force_push', 'branch_creation']);
    expect(at(body, 1)).toMatchObject({ before: first, after: main, actor: { login: 'bob' } });
  });

  it('are walked by cursors in the activity', async () => {
    const { sandbox, widgets, bob } = world;
    for (const text of ['1', '2', '3']) await sandbox.push(widgets, bob, { branch: 'walked', files: { w: text } });
    const first = await world.api('GET', `${R}/activity?ref=refs/heads/walked&per_page=2`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await world.api('GET', next);
    expect([list(first.body, null).length, list(second.body, null, 'activity_type')]).toEqual([2, ['branch_creation']]);
    expect(second.headers.get('link')).toMatch(/before=.*rel="prev"/);
  });
});

describe('contents', () => {
  it('are files, folders, links and submodules', async () => {
    const { sandbox, widgets, bob } = world;
    const files = {
      link: { mode: '120000', content: 'README.md' },
      sub: { mode: '160000', sha: main },
      'päth/ü "q".txt': 'x',
    } as const;
    await sandbox.push(widgets, bob, { branch: 'kinds', files });
    const get = async (path: string) => (await world.api('GET', `${R}/contents/${path}?ref=kinds`)).body;
    expect(await get('link')).toMatchObject({ type: 'symlink', target: 'README.md' });
    expect(await get('sub')).toMatchObject({ type: 'submodule', sha: main });
    expect(await get(encodeURIComponent('päth/ü "q".txt'))).toMatchObject({ type: 'file', content: 'eA==\n' });
    expect(list(await get('src'), null, 'name')).toEqual(['a.ts', 'b.ts']);
  });
});

describe('comparisons', () => {
  it('count both ways, give files on the first page only and cut them without a word', async () => {
    const { sandbox, widgets, bob } = world;
    const commits = [1, 2, 3, 4, 5].map((n) => ({ message: `c${n}`, files: { [`f${n}`]: 'x' } }));
    await sandbox.push(widgets, bob, { branch: 'ahead', commits });
    const { body } = await world.api('GET', `${R}/compare/main...ahead`);
    expect(body).toMatchObject({ status: 'ahead', ahead_by: 5, behind_by: 0, total_commits: 5 });
    expect([list(body, 'files').length, list(body, 'commits').length]).toEqual([3, 5]);
    const second = await world.api('GET', `${R}/compare/main...ahead?per_page=2&page=2`);
    expect([list(second.body, 'files'), list(second.body, 'commits').length]).toEqual([[], 2]);
    expect((await world.api('GET', `${R}/compare/ahead...main`)).body).toMatchObject({
      status: 'behind',
      behind_by: 5,
    });
    expect((await world.api('GET', `${R}/compare/main...main`)).body).toMatchObject({ status: 'identical' });
  });
});

describe('rules', () => {
  it('protect a branch, classically or by a ruleset', async () => {
    const { sandbox, widgets } = world;
    const rules = [
      {
        type: 'required_status_checks',
        parameters: {
          strict_required_status_checks_policy: false,
          required_status_checks: [{ context: 'Countersign', integration_id: world.app.id }],
        },
      },
    ];
    const ruleset = sandbox.addRuleset(widgets, {
      name: 'gate',
      include: ['refs/heads/kinds', '~DEFAULT_BRANCH'],
      rules,
    });
    const names = (await world.api('GET', `${R}/branches?protected=true`)).body;
    expect(list(names, null, 'name')).toEqual(['kinds', 'main']);
    expect((await world.api('GET', `${R}/rules/branches/kinds`)).body).toMatchObject([
      { ...rules[0], ruleset_id: ruleset.id },
    ]);
    expect((await world.api('GET', `${R}/rules/branches/ahead`)).body).toEqual([]);
    expect((await world.api('GET', `${R}/rulesets/${ruleset.id}`)).body).toMatchObject({ rules });
    expect(list((await world.api('GET', `${R}/rulesets`)).body, null, 'name')).toEqual(['gate']);
    expect((await world.api('GET', `${R}/branches/main`)).body).toMatchObject({ protected: true });
  });
});
