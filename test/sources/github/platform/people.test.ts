import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configSchema } from '../../../../src/config/schema.ts';
import { personSchema } from '../../../../src/gate/facts.ts';
import type { DecisionFacts, Person, ReviewFacts } from '../../../../src/gate/facts.ts';
import { decidersOf, readPeople, teamsNamedBy } from '../../../../src/sources/github/platform/people.ts';
import { byTheirMakers } from '../../../../src/sources/github/platform/through-apps.ts';
import type { Account } from '../../../../src/sandbox/state.ts';
import { startPlatform, WIDGETS } from './support.ts';
import type { Platform } from './support.ts';

const ACME = { login: 'acme', organisation: true };

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
  const { sandbox, acme, bob } = platform;
  sandbox.addTeam(acme, 'security', [bob]);
  sandbox.addTeam(acme, 'data', []);
});
afterAll(() => platform.stop());

const asked = ({ id, login }: { readonly id: number; readonly login: string }) => ({ id, login });

describe('people', () => {
  it.each<Person['permission']>(['read', 'triage', 'write', 'maintain', 'admin'])(
    'have the permission that they have: %s',
    async (permission) => {
      const { sandbox, widgets, api } = platform;
      const user = sandbox.addUser(`has-${permission}`);
      sandbox.setPermission(widgets, user, permission);
      const { people } = await readPeople(api, WIDGETS, ACME, [asked(user)], []);
      expect(people).toEqual([{ id: user.id, login: user.login, type: 'user', permission, teams: [] }]);
      personSchema.parse(people[0]);
    },
  );

  it('whom a private repository does not know have none', async () => {
    const { sandbox, acme, eve, token, as } = platform;
    await sandbox.addRepository(acme, 'secret', { private: true });
    const { people } = await readPeople(as(token), { owner: 'acme', repo: 'secret' }, ACME, [asked(eve)], []);
    expect(people).toMatchObject([{ id: eve.id, permission: 'none' }]);
  });

  it('who are gone, or whose login another has now, have none', async () => {
    const { api, bob } = platform;
    const { people } = await readPeople(
      api,
      WIDGETS,
      ACME,
      [
        { id: 7, login: 'nobody' },
        { id: 8, login: 'bob' },
      ],
      [],
    );
    expect(people).toEqual([
      { id: 7, login: 'nobody', type: 'unknown', permission: 'none', teams: [] },
      { id: 8, login: 'bob', type: 'unknown', permission: 'none', teams: [] },
    ]);
    expect((await readPeople(api, WIDGETS, ACME, [asked(bob)], [])).people).toMatchObject([{ permission: 'write' }]);
  });

  // Field case REV-05.
  it('are no bots, of whom nothing is asked', async () => {
    const { sandbox, api } = platform;
    sandbox.forgetCalls();
    const { people } = await readPeople(api, WIDGETS, ACME, [{ id: 9, login: 'agent[bot]' }], ['security']);
    expect(people).toEqual([{ id: 9, login: 'agent[bot]', type: 'bot', permission: 'none', teams: [] }]);
    expect(sandbox.calls()).toEqual({});
  });

  it('are members of teams as the config spells these, by one call for each who may write', async () => {
    const { sandbox, api, ada, bob, eve } = platform;
    sandbox.forgetCalls();
    const teams = ['security', 'acme/security', 'data'];
    const { people, unread } = await readPeople(api, WIDGETS, ACME, [ada, bob, eve].map(asked), teams);
    expect(people.map(({ login, teams: of }) => [login, of])).toEqual([
      ['ada', []],
      ['bob', ['security', 'acme/security']],
      ['eve', []],
    ]);
    expect(unread).toEqual([]);
    expect(sandbox.calls()).toEqual({
      'repos/get-collaborator-permission-level': 3,
      'teams/get-membership-for-user-in-org': 6,
      'teams/get-by-name': 1,
    });
  });

  it('of a team that is not there, or may not be seen, are unread', async () => {
    const { sandbox, widgets, api, bob, as } = platform;
    const gone = await readPeople(api, WIDGETS, ACME, [asked(bob)], ['other']);
    expect(gone.unread).toEqual([
      {
        what: 'members of team other',
        why: 'there is no team acme/other, or the token may not see it (it takes members: read)',
      },
    ]);
    const workflow = as(sandbox.workflowToken(widgets, { contents: 'read' }));
    const { people, unread } = await readPeople(workflow, WIDGETS, ACME, [asked(bob)], ['security']);
    expect(people).toMatchObject([{ login: 'bob', permission: 'write', teams: [] }]);
    expect(unread).toEqual([{ what: 'members of team security', why: expect.stringContaining('members: read') }]);
  });

  it("of a person's repository are in no team but one that is named in full", async () => {
    const { sandbox, api, bob } = platform;
    sandbox.forgetCalls();
    const owner = { login: 'bob', organisation: false };
    const { people } = await readPeople(api, WIDGETS, owner, [asked(bob)], ['security', 'acme/security']);
    expect(people).toMatchObject([{ teams: ['acme/security'] }]);
    expect(sandbox.calls()['teams/get-membership-for-user-in-org']).toBe(1);
  });

  it('cannot be told where GitHub does not answer', async () => {
    const { sandbox, api, bob } = platform;
    for (const route of ['repos/get-collaborator-permission-level', 'teams/get-membership-for-user-in-org']) {
      const undo = sandbox.faults.add({ route, effect: { kind: 'status', status: 502 } });
      await expect(readPeople(api, WIDGETS, ACME, [asked(bob)], ['security'])).rejects.toMatchObject({
        code: 'CS1601',
      });
      undo();
    }
  });
});

describe('decisions through apps', () => {
  it("are the app's, and none where the comment is gone", async () => {
    const { sandbox, widgets, app, api, bob, eve, pullRequest } = platform;
    const pull = await pullRequest('apps');
    const comments = ['own', 'app', 'gone', 'weak', 'edited'].map((body) => sandbox.comment(widgets, pull, bob, body));
    const [own, through, gone, weak, edited] = comments.map(({ id }) => `github:comment:${id}`);
    const [, ofApp, removed] = comments;
    if (ofApp === undefined || removed === undefined) throw new Error('no comments');
    widgets.comments.set(ofApp.id, { ...ofApp, appId: app.id });
    sandbox.deleteComment(widgets, removed, bob);
    const decided = (source = '', user: Account = bob, was = false): DecisionFacts => ({
      ...{ kind: 'approve', user_id: user.id, login: user.login, at: '2027-03-01T12:00:00Z', head_sha: null },
      ...{ subject: '', reason: '', source, edited: was },
    });
    const decisions = [
      decided(own),
      decided(own),
      decided(through),
      decided(gone),
      decided(weak, eve),
      decided(edited, bob, true),
    ];
    const { people } = await readPeople(api, WIDGETS, ACME, [bob, eve].map(asked), []);
    sandbox.forgetCalls();
    const made = await byTheirMakers(api, WIDGETS, decisions, people);
    expect(sandbox.calls()).toEqual({ 'issues/get-comment': 3 });
    expect(made.map(({ source, user_id, login }) => [source, user_id, login])).toEqual([
      [own, bob.id, 'bob'],
      [own, bob.id, 'bob'],
      [through, null, 'countersign[bot]'],
      [weak, eve.id, 'eve'],
      [edited, bob.id, 'bob'],
    ]);
  });
});

describe('who is asked about', () => {
  const review = (id: number, state: ReviewFacts['state'], user: number | null = id): ReviewFacts => ({
    ...{ id, user_id: user, login: `u${user}`, state, commit_sha: null, submitted_at: '2027-01-01T00:00:00Z' },
  });
  const decision: DecisionFacts = {
    ...{ kind: 'approve', user_id: 5, login: 'u5', at: '2027-01-01T00:00:00Z', head_sha: null, subject: '' },
    ...{ reason: '', source: 'github:comment:1', edited: false },
  };

  it('said something that could count, once each', () => {
    const reviews = [
      review(1, 'approved'),
      review(2, 'commented'),
      review(3, 'changes_requested'),
      review(4, 'approved', null),
    ];
    const more = [review(6, 'dismissed'), review(7, 'approved', 1)];
    expect(decidersOf([...reviews, ...more], [decision, { ...decision, user_id: null }]).map(({ id }) => id)).toEqual([
      ...[1, 3, 6, 5],
    ]);
  });

  it('may be members of the teams that the config names anywhere', () => {
    const config = configSchema.parse({
      evidence: {
        reviews: {
          'gate.review': { teams: ['a', 'b'] },
          'gate.security-review': [{ teams: ['x/c'] }, { people: ['ada'] }],
        },
      },
      control_plane: { approvers: { teams: ['b', 'd'] } },
    });
    expect(teamsNamedBy(config)).toEqual(['a', 'b', 'x/c', 'd']);
    expect(teamsNamedBy(configSchema.parse({}))).toEqual([]);
  });
});
