import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readBaseBranch } from '../../../../src/sources/github/platform/branches.ts';
import { readOrganisationConfig } from '../../../../src/sources/github/platform/organisation.ts';
import { readOtherPulls } from '../../../../src/sources/github/platform/others.ts';
import type { GitHubApi } from '../../../../src/github/api.ts';
import { startPlatform, WIDGETS } from './support.ts';
import type { Platform } from './support.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const tip = (ref: string, sha: string | null = 'ab'.repeat(20)) => ({ ref, sha });

describe('the base branch', () => {
  it('that is the default one is its own rule, without a call', async () => {
    const { sandbox, api } = platform;
    sandbox.forgetCalls();
    const base = tip('main');
    expect(await readBaseBranch(api, WIDGETS, base, base)).toEqual({ protected: false, isDefault: true, rules: base });
    expect(sandbox.calls()).toEqual({});
  });

  it('that is protected is its own rule; another is judged by the default one', async () => {
    const { sandbox, widgets, bob, api } = platform;
    const main = tip('main', await sandbox.tip(widgets, 'main'));
    const open = tip('team/open', await sandbox.push(widgets, bob, { branch: 'team/open' }));
    const shut = tip('team/shut', await sandbox.push(widgets, bob, { branch: 'team/shut' }));
    widgets.protectedBranches.add('team/shut');
    expect(await readBaseBranch(api, WIDGETS, open, main)).toEqual({ protected: false, isDefault: false, rules: main });
    expect(await readBaseBranch(api, WIDGETS, shut, main)).toEqual({ protected: true, isDefault: false, rules: shut });
    expect(await readBaseBranch(api, WIDGETS, tip('gone'), main)).toMatchObject({ protected: false, rules: main });
    expect(await readBaseBranch(api, WIDGETS, tip('gone', null), main)).toMatchObject({ rules: main });
    expect(await readBaseBranch(api, WIDGETS, open, undefined)).toMatchObject({ rules: { sha: null } });
  });

  // Field case CHK-05: rulesets protect as well; but not by any rule.
  it.each([
    ['pull_request', true],
    ['update', true],
    ['required_status_checks', true],
    ['deletion', false],
    ['non_fast_forward', false],
    ['commit_message_pattern', false],
  ])('is protected by a ruleset with %s: %s', async (type, guarded) => {
    const data = (route: string) =>
      route.includes('/rules/') ? [{ type: 'creation' }, { type }] : { protected: false };
    const request = (route: string) => Promise.resolve({ data: data(route), headers: {}, status: 200 });
    const base = tip('release');
    const read = await readBaseBranch({ request } as unknown as GitHubApi, WIDGETS, base, tip('main'));
    expect(read.protected).toBe(guarded);
  });
});

describe("the organisation's config", () => {
  const TEXT = 'mode: enforce\n';

  beforeAll(async () => {
    const { sandbox, acme } = platform;
    await sandbox.addRepository(acme, '.github', {
      files: {
        '.github/countersign.yml': TEXT,
        'policies/strict.yml': '# ünïcode\n',
        latin: { mode: '100644', content: Buffer.from([0x23, 0xe9]) },
        link: { mode: '120000', content: Buffer.from('latin') },
      },
    });
    await sandbox.addRepository(acme, 'empty', {});
  });

  it.each([
    ['acme/.github', undefined, TEXT, 'acme/.github/.github/countersign.yml'],
    [undefined, 'acme', TEXT, 'acme/.github/.github/countersign.yml'],
    ['acme/.github/policies/strict.yml', 'acme', '# ünïcode\n', 'acme/.github/policies/strict.yml'],
    ['acme/.github/policies/strict.yml@main', undefined, '# ünïcode\n', 'acme/.github/policies/strict.yml@main'],
  ])('is read from %s of %s', async (named, owner, text, source) => {
    expect(await readOrganisationConfig(platform.api, named, owner)).toEqual({ state: 'read', text, source });
  });

  it.each([
    ['none is named', undefined, undefined],
    ['the organisation has none', undefined, 'nobody'],
  ])('is absent where %s', async (_why, named, owner) => {
    expect(await readOrganisationConfig(platform.api, named, owner)).toEqual({ state: 'absent' });
  });

  it.each([
    ['no file', 'acme/empty', 'no such file'],
    ['no repository', 'acme/none', 'no such file'],
    ['no such ref', 'acme/.github@v9', 'no such file'],
    ['a folder', 'acme/.github/policies', 'something else'],
    ['a link', 'acme/.github/link', 'something else'],
    ['no UTF-8', 'acme/.github/latin', 'not UTF-8'],
    ['no address', '../x', 'owner/repository'],
  ])('is unreadable, not absent, where the repository names %s', async (_what, named, why) => {
    expect(await readOrganisationConfig(platform.api, named, 'acme')).toMatchObject({
      ...{ state: 'unreadable', why: expect.stringContaining(why) },
    });
  });

  it('is unreadable where GitHub does not answer, also if nobody named it', async () => {
    const { sandbox, api } = platform;
    const undo = sandbox.faults.add({ route: 'repos/get-content', effect: { kind: 'status', status: 502 } });
    expect(await readOrganisationConfig(api, undefined, 'acme')).toMatchObject({ state: 'unreadable' });
    undo();
  });
});

describe('other pull requests', () => {
  it('with the same head are found, from forks and other branches too; closed ones are not', async () => {
    const { sandbox, widgets, bob, eve, api, pullRequest } = platform;
    const pull = await pullRequest('shared');
    await pullRequest('apart');
    await sandbox.push(widgets, bob, { branch: 'twin', from: 'shared' });
    await sandbox.push(widgets, bob, { branch: 'next' });
    const twin = await sandbox.openPullRequest(widgets, { by: bob, branch: 'twin' });
    const fork = await sandbox.fork(widgets, eve);
    const theirs = await sandbox.openPullRequest(widgets, { by: eve, branch: 'shared', from: fork, base: 'next' });
    const closed = await sandbox.openPullRequest(widgets, { by: bob, branch: 'shared', base: 'next' });
    await sandbox.editPullRequest(widgets, closed, bob, { state: 'closed' });
    sandbox.forgetCalls();
    expect(await readOtherPulls(api, WIDGETS, pull.head.sha, pull.number)).toEqual({
      others: [
        { number: twin.number, baseRef: 'main', headSha: pull.head.sha, ownBranch: 'twin', restricted: false },
        { number: theirs.number, baseRef: 'next', headSha: pull.head.sha, ownBranch: undefined, restricted: true },
      ],
      unread: [],
    });
    expect(sandbox.calls()).toEqual({ 'pulls/list': 1 });
  });

  it('that are too many to look at are unread', async () => {
    const page = Array.from({ length: 5001 }, (_, n) => ({
      number: n + 1,
      state: 'open',
      head: { sha: 'x' },
      base: { ref: 'main' },
    }));
    const request = () => Promise.resolve({ data: page, headers: {}, status: 200 });
    const { unread } = await readOtherPulls({ request } as unknown as GitHubApi, WIDGETS, 'y', 1);
    expect(unread).toEqual([
      { what: 'other pull requests with this head', why: 'only 5000 of the open ones were looked at' },
    ]);
  });

  it.each([
    ['no number', { head: { sha: 'x' }, base: { ref: 'main' } }],
    ['no head', { number: 1, head: null, base: { ref: 'main' } }],
    ['no base', { number: 1, head: { sha: 'x' } }],
    ['nothing', null],
  ])('are refused where one is listed with %s', async (_, one) => {
    const request = () => Promise.resolve({ data: [one], headers: {}, status: 200 });
    const read = readOtherPulls({ request } as unknown as GitHubApi, WIDGETS, 'y', 1);
    await expect(read).rejects.toMatchObject({ code: 'CS1606' });
  });
});
