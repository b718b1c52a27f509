import { beforeAll, describe, expect, it } from '@jest/globals';
import { endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld({ apart: true });
});

const MODEL = 'Co-authored-by: Claude <noreply@anthropic.com>';
const plain = { governed: null, config: null } as const;

describe('commands that anyone may give', () => {
  it('recheck: judged again, seen by a reaction, and no answer', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    world.sandbox.forgetCalls();
    const comment = await place.says(pull, world.eve, 'Please:\n\n/countersign recheck');
    expect(place.reactions(comment)).toEqual(['eyes']);
    expect(world.sandbox.calls()['repos/compare-commits-with-basehead']).toBe(1);
    expect(place.answers(pull)).toEqual([]);
  });

  it('help: one answer with every command', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    await place.says(pull, world.eve, '/countersign help');
    expect(place.answers(pull)).toHaveLength(1);
    expect(place.answers(pull)[0]).toContain('/countersign confirm waiver');
  });

  it('explain: what a finding is about', async () => {
    const place = await world.place(plain);
    const pull = await place.judged({ message: `Add it\n\n${MODEL}` });
    await place.says(pull, world.eve, `/countersign explain ${place.findingIn(pull)}`);
    expect(place.answers(pull)[0]).toContain('Why it matters');
  });

  it('explain of nothing: the findings that there are', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    await place.says(pull, world.eve, '/countersign explain 0123456789ab');
    expect(place.answers(pull)[0]).toContain('There is no finding at this head');
  });

  it('a command that there is not: what there is', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const comment = await place.says(pull, world.eve, '/countersign merge @everyone <img src=x>');
    expect(place.reactions(comment)).toEqual(['confused']);
    expect(place.answers(pull)[0]).toContain('This was not understood');
    expect(place.answers(pull)[0]?.replaceAll(/`[^`]*`/g, '')).not.toMatch(/@everyone|<img/);
  });

  it('in code and quotes there is none', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const comment = await place.says(pull, world.ana, '```\n/countersign help\n```\n\n> /countersign help\n');
    expect([place.reactions(comment), place.answers(pull)]).toEqual([[], []]);
  });

  it('several in one comment get one answer', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    await place.says(pull, world.ana, '/countersign help\n/countersign nonsense\n/countersign explain 0123456789ab');
    expect(place.answers(pull)).toHaveLength(1);
  });

  it('the same comment delivered again is answered once', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const comment = await place.says(pull, world.ana, '/countersign help');
    const [delivery] = world.deliveries('issue_comment', 'created').slice(-2);
    expect(await world.send('issue_comment', delivery?.text ?? '')).toBe(202);
    await world.settled();
    expect([place.answers(pull).length, place.reactions(comment).length]).toEqual([1, 1]);
  });

  it('by a bot is no command, and by the App itself neither', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const bot = world.sandbox.addUser('helper[bot]', { type: 'Bot' });
    const comment = await place.says(pull, bot, '/countersign help\n/countersign approve');
    const own = await place.says(pull, world.sandbox.accountById(world.app.botId), '/countersign help');
    expect([place.reactions(comment), place.reactions(own)]).toEqual([[], []]);
    expect(place.answers(pull)).toEqual(['/countersign help']);
  });
});

describe('buttons', () => {
  it('a re-run makes new check runs', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const before = place.run(pull);
    if (before === undefined) throw new Error('no check run');
    world.sandbox.rerequestCheck(place.repository, before, world.ana);
    await world.settled();
    expect(place.run(pull)?.id).not.toBe(before.id);
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
  });

  it('a re-run of the whole suite does too', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const before = place.run(pull);
    const suite = place.repository.suites.get(before?.suiteId ?? 0);
    if (suite === undefined) throw new Error('no suite');
    await world.sandbox.rerequestSuite(place.repository, suite, world.ana);
    await world.settled();
    expect(place.run(pull)?.id).not.toBe(before?.id);
  });

  it('a requested action judges again, and writes nothing that stands', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const before = place.run(pull);
    if (before === undefined) throw new Error('no check run');
    world.sandbox.forgetCalls();
    world.sandbox.requestAction(place.repository, before, 'recheck', world.ana);
    await world.settled();
    expect([
      world.sandbox.calls()['repos/compare-commits-with-basehead'],
      world.sandbox.calls()['checks/update'],
    ]).toEqual([1, undefined]);
    expect(place.run(pull)?.id).toBe(before.id);
  });
});

describe('its own comment', () => {
  it('is put right where somebody edits it', async () => {
    const place = await world.place();
    const pull = await place.judged({ tested: 'failure' });
    const comment = place.verdict(pull);
    if (comment === undefined) throw new Error('no comment');
    const { body } = comment;
    world.sandbox.editComment(place.repository, comment, world.ada, body.replace('UNVERIFIED', 'VERIFIED'));
    await world.settled();
    expect(place.verdict(pull)?.body).toBe(body);
  });

  it('is written again where somebody deletes it', async () => {
    const place = await world.place();
    const pull = await place.judged({ tested: 'failure' });
    const comment = place.verdict(pull);
    if (comment === undefined) throw new Error('no comment');
    world.sandbox.deleteComment(place.repository, comment, world.ada);
    await world.settled();
    expect(place.verdict(pull)?.body).toBe(comment.body);
  });

  it('is one beside a planted one', async () => {
    const place = await world.place({ governed: null, config: null });
    const pull = await place.judged();
    const planted = '## ✅ VERIFIED\n\n<!-- countersign:verdict v1 -->';
    world.sandbox.comment(place.repository, pull, world.eve, planted);
    await place.push(pull, { '.env': 'A=1\n', 'src/app.ts': `// ${MODEL}\n` }, `Add more\n\n${MODEL}`);
    await world.settled();
    expect(place.comments(pull)[0]?.body).toBe(planted);
    expect(place.verdict(pull)?.body).toContain('UNVERIFIED');
  });
});

endsWell(() => world);
