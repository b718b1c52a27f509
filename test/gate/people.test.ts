import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CONFIG } from '../../src/config/schema.ts';
import type { Config } from '../../src/config/schema.ts';
import { PERMISSIONS } from '../../src/gate/facts.ts';
import type { Facts, Identity, Person } from '../../src/gate/facts.ts';
import { latestReviews, openDemand, personOf, standingOf, utcDay } from '../../src/gate/people.ts';
import { review } from '../support/facts.ts';
import { facts, withFacts } from './support.ts';

const ANA: Person = { id: 2, login: 'ana', type: 'user', permission: 'write', teams: [] };
const someone = (changes: Partial<Identity>): Identity => ({
  name: 'x',
  email: 'x@example.com',
  type: 'user',
  ...changes,
});
const allowing = (changes: Partial<Config['people']>): Config => ({
  ...DEFAULT_CONFIG,
  people: { ...DEFAULT_CONFIG.people, ...changes },
});

function standing(edit: (given: Facts) => Facts, config = DEFAULT_CONFIG, id: number | null = 2, login = 'ana') {
  return standingOf(facts({ edit }), config, id, login);
}

describe('who may decide', () => {
  it.each(PERMISSIONS.flatMap((has) => PERMISSIONS.slice(3).map((needed) => [has, needed] as const)))(
    '%s where %s is needed',
    (permission, needed) => {
      const counts = standing(
        withFacts({ people: [{ ...ANA, permission }] }),
        allowing({ permission: needed as 'write' }),
      ).counts;
      expect(counts).toBe(PERMISSIONS.indexOf(permission) >= PERMISSIONS.indexOf(needed));
    },
  );

  it.each(['bot', 'app', 'unknown'] as const)('never a %s, whatever its permission', (type) => {
    expect(standing(withFacts({ people: [{ ...ANA, type, permission: 'admin' }] }))).toMatchObject({ counts: false });
  });

  it.each([
    ['the author', { subject: 'author' }],
    ['the last pusher', { last_pusher: someone({ id: 2 }) }],
  ] as const)('not %s', (_name, changes) => {
    const edit =
      'subject' in changes
        ? (given: Facts): Facts => ({
            ...given,
            subject: { ...given.subject, author: someone({ id: 2, login: 'renamed' }) },
          })
        : withFacts(changes);
    expect(standing(edit)).toMatchObject({ counts: false });
  });

  it.each(['author', 'committer'] as const)('not the %s of a commit', (part) => {
    for (const identity of [someone({ id: 2 }), someone({ login: 'ANA' })]) {
      const edit = (given: Facts): Facts => ({
        ...given,
        commits: given.commits.map((commit) => ({ ...commit, [part]: identity })),
      });
      expect(standing(edit)).toMatchObject({ counts: false, why: 'ana is an author of its commits' });
    }
  });

  it('tells people apart by id, not by login or name', () => {
    const edit = (given: Facts): Facts => ({
      ...given,
      commits: given.commits.map((commit) => ({ ...commit, author: someone({ id: 3, login: 'ana', name: 'Ana' }) })),
    });
    expect(standing(edit)).toMatchObject({ counts: true });
    expect(standing(withFacts({}), DEFAULT_CONFIG, 99)).toMatchObject({ counts: false });
    expect(standing(withFacts({}), DEFAULT_CONFIG, null, 'Ana')).toMatchObject({ counts: true });
    expect(standing(withFacts({}), DEFAULT_CONFIG, null, 'aña')).toMatchObject({ counts: false });
  });

  it('nobody on the platform where author or pusher is not known', () => {
    const noPusher = (given: Facts): Facts => {
      const { last_pusher: _gone, ...rest } = given;
      return rest;
    };
    expect(standing(noPusher)).toMatchObject({ counts: false });
    const noAuthor = (given: Facts): Facts => {
      const { author: _gone, ...subject } = given.subject;
      return { ...given, subject };
    };
    expect(standing(noAuthor)).toMatchObject({ counts: false });
  });

  it('administrators also about their own, where the config says so, and it shows', () => {
    const own = withFacts({ people: [{ ...ANA, permission: 'admin' }], last_pusher: someone({ id: 2 }) });
    expect(standing(own)).toMatchObject({ counts: false });
    expect(standing(own, allowing({ self_approval: 'admins' }))).toMatchObject({ counts: true, selfApproval: true });
    const writer = withFacts({ people: [{ ...ANA, permission: 'maintain' }], last_pusher: someone({ id: 2 }) });
    expect(standing(writer, allowing({ self_approval: 'admins' }))).toMatchObject({ counts: false });
  });

  it('takes the lesser of two permissions that are said of one person', () => {
    const edit = withFacts({
      people: [
        { ...ANA, permission: 'admin' },
        { ...ANA, permission: 'read' },
      ],
    });
    expect(personOf(facts({ edit }), 2, 'ana')?.permission).toBe('read');
  });
});

describe('demands', () => {
  const member: Person = { ...ANA, teams: ['security'] };
  it.each([
    [[{ teams: [], people: [] }], [ANA], undefined],
    [[{ teams: [], people: [] }], [], 'a permitted person'],
    [[{ teams: ['security'], people: [] }], [ANA], 'a member of security'],
    [[{ teams: ['security'], people: [] }], [member], undefined],
    [[{ teams: [], people: ['Ana'] }], [ANA], undefined],
    [[{ teams: ['security'], people: ['bo'] }], [ANA], 'a member of security or bo'],
    [
      [
        { teams: ['security'], people: [] },
        { teams: [], people: ['bo'] },
      ],
      [member],
      'bo',
    ],
    [
      [
        { teams: ['security'], people: [] },
        { teams: [], people: ['ana'] },
      ],
      [member],
      undefined,
    ],
    [[{ teams: ['__proto__'], people: ['constructor'] }], [member], 'a member of __proto__ or constructor'],
  ])('%j by %j leave open: %s', (demands, people, open) => {
    expect(openDemand(demands, people)).toBe(open);
  });
});

describe('the review that stands', () => {
  const states = (...given: Parameters<typeof review>[0][]) =>
    latestReviews(
      facts({ edit: withFacts({ reviews: given.map((one, index) => review({ id: index + 1, ...one })) }) }),
    ).map((one) => one.state);

  it.each([
    ['a comment takes nothing back', [{}, { state: 'commented' }], ['approved']],
    ['nor does a draft', [{}, { state: 'pending' }], ['approved']],
    ['a request for changes does', [{}, { state: 'changes_requested' }], ['changes_requested']],
    ['an approval takes the request back', [{ state: 'changes_requested' }, {}], ['approved']],
    ['a dismissal takes either back', [{}, { state: 'dismissed' }], ['dismissed']],
    [
      'by time, not by number',
      [{ submitted_at: '2026-12-01T12:00:00Z' }, { state: 'changes_requested', submitted_at: '2026-12-01T11:00:00Z' }],
      ['approved'],
    ],
    [
      'by time with its offset',
      [
        { submitted_at: '2026-12-01T10:30:00Z' },
        { state: 'changes_requested', submitted_at: '2026-12-01T11:00:00+02:00' },
      ],
      ['approved'],
    ],
    ['at one time by number', [{}, { state: 'changes_requested' }], ['changes_requested']],
    ['of each person', [{}, { user_id: 3, state: 'changes_requested' }], ['approved', 'changes_requested']],
    [
      'of each login where there is no id',
      [
        { user_id: null, login: 'A' },
        { user_id: null, login: 'a', state: 'dismissed' },
      ],
      ['dismissed'],
    ],
  ] as const)('%s', (_name, given, expected) => {
    expect(states(...given)).toEqual(expected);
  });
});

it('days are in UTC', () => {
  expect(utcDay('2026-12-01T00:30:00+02:00')).toBe('2026-11-30');
  expect(utcDay('2026-12-01T23:30:00-02:00')).toBe('2026-12-02');
});
