import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKS, endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';
import { CI, CONFIG_TEXT } from '../../support/governed-repository.ts';
import type { GovernedRepositoryOptions, NewPull } from '../../support/governed-repository.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld({ apart: true });
});

const judged = async (options: GovernedRepositoryOptions, given: NewPull) => {
  const place = await world.place(options);
  const pull = await place.judged(given);
  return { place, pull, run: place.run(pull), body: place.verdict(pull)?.body };
};

const TOKEN = ['ghp', '_', 'Zq7Yb2Xn4Wm6Vk8Uj1Th3Sg5Rf7Qe9Pd2Oc'.slice(0, 36)].join('');
const MODEL = 'Co-authored-by: Claude <noreply@anthropic.com>';

describe('the App says each outcome', () => {
  it('verified: three check runs that were begun first, and one comment', async () => {
    const { place, pull, run, body } = await judged({}, { tested: 'success' });
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
    expect(run?.title).toMatch(/^VERIFIED \(platform/);
    expect(body).toMatch(/^## .*VERIFIED \(platform/);
    for (const name of CHECKS) expect(place.run(pull, name)?.externalId).toBe(run?.externalId);
    const begun = world.sandbox
      .events()
      .filter(({ event, action }) => event === 'check_run' && action === 'created')
      .map(({ payload }) => payload['check_run'] as { readonly name: string; readonly status: string });
    expect(begun.filter(({ name }) => name !== 'test').map(({ name, status }) => [name, status])).toEqual(
      CHECKS.map((name) => [name, 'in_progress']),
    );
    expect(run?.actions).toMatchObject([{ identifier: 'recheck' }]);
  });

  it('not-governed: a plain change by people passes without a comment', async () => {
    const { place, pull, run, body } = await judged({ governed: null, config: null }, {});
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
    expect([run?.title, body]).toEqual(['No governed run', undefined]);
  });

  it('pending on a job: the check goes on', async () => {
    const { place, pull, run, body } = await judged({}, {});
    expect(place.checks(pull)).toEqual(['in_progress', 'success', 'success']);
    expect(run?.title).toMatch(/^UNVERIFIED, waiting: /);
    expect(body).toContain('UNVERIFIED');
  });

  it('pending on a person: action is required', async () => {
    const { place, pull } = await judged({ governed: { risk: 'high' } }, { tested: 'success' });
    expect(place.checks(pull)).toEqual(['action_required', 'success', 'success']);
    expect(place.run(pull)?.title).toMatch(/^UNVERIFIED, waiting: /);
  });

  it('unverified: no workflow is named that could show that the tests ran', async () => {
    const { place, pull, run, body } = await judged({ config: 'version: 1\n' }, { tested: 'success' });
    expect(place.checks(pull)).toEqual(['failure', 'success', 'success']);
    expect(run?.title).toMatch(/^UNVERIFIED/);
    expect(body).toContain('workflows:');
  });

  it('failed: the evidence is contradicted by the platform', async () => {
    const { place, pull, run } = await judged({}, { tested: 'failure' });
    expect(place.checks(pull)).toEqual(['failure', 'success', 'success']);
    expect(run?.title).toMatch(/^UNVERIFIED/);
  });

  it('incomplete: the configuration at the base cannot be read', async () => {
    const { place, pull, run, body } = await judged({ config: 'modes: enforce\n' }, { tested: 'success' });
    expect(place.checks(pull)[0]).toBe('failure');
    expect(run?.title).toMatch(/^UNVERIFIED/);
    expect(body).toContain('mode');
  });

  it('unresolved: the harness does not say that it can run tests', async () => {
    const { place, pull } = await judged({ governed: { unknown: ['tests.execute'] } }, { tested: 'success' });
    expect(place.checks(pull)[0]).toBe('failure');
    expect(place.verdict(pull)?.body).toContain('unresolved');
  });

  it('incompatible: the harness says that it cannot', async () => {
    const { place, pull } = await judged({ governed: { unsupported: ['tests.execute'] } }, { tested: 'success' });
    expect(place.checks(pull)[0]).toBe('failure');
    expect(place.verdict(pull)?.body).toContain('incompatible');
  });

  it.each([
    ['warn', 1],
    ['observe', 0],
  ])('mode %s: it passes and says what it would have been', async (mode, comments) => {
    const config = `mode: ${mode}\n${CONFIG_TEXT}`;
    const { place, pull, run, body } = await judged({ config }, { tested: 'failure' });
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
    expect(run?.title).toContain(`[mode ${mode}, not enforced] UNVERIFIED`);
    expect(body === undefined ? 0 : 1).toBe(comments);
  });
});

describe('attribution and secrets have checks of their own', () => {
  it('attribution fails where a commit names a model, with the commit in the text', async () => {
    const { place, pull, body } = await judged({ governed: null, config: null }, { message: `Add it\n\n${MODEL}` });
    expect(place.checks(pull)).toEqual(['failure', 'failure', 'success']);
    expect(place.run(pull, CHECKS[1])?.title).toMatch(/^[0-9]+ blocking findings?: /);
    expect(body).toContain('attribution/');
  });

  it('secrets fails with an annotation on the line, and the secret is printed nowhere', async () => {
    const files = { 'src/app.ts': `export const a = 1;\nexport const token = '${TOKEN}';\n` };
    const { place, pull } = await judged({ governed: null, config: null }, { files });
    expect(place.checks(pull)).toEqual(['failure', 'success', 'failure']);
    const { annotations } = place.run(pull, CHECKS[2]) ?? { annotations: [] };
    expect(annotations.map(({ path, startLine }) => [path, startLine])).toContainEqual(['src/app.ts', 2]);
    const said = JSON.stringify([...place.repository.checkRuns.values(), ...place.repository.comments.values()]);
    expect(said).not.toContain(TOKEN);
    expect(world.process().lines().join('\n')).not.toContain(TOKEN);
  });

  it('secrets fails for a file that nothing ignores', async () => {
    const files = { '.env.production': `API_TOKEN=${TOKEN}\n` };
    const { place, pull, body } = await judged({ governed: null, config: null }, { files });
    expect(place.checks(pull)[2]).toBe('failure');
    expect(body).toContain('.env.production');
    expect(body).not.toContain(TOKEN);
  });

  it('both pass where only the tests of the run fail', async () => {
    const { place, pull } = await judged({}, { tested: 'failure' });
    expect(place.checks(pull)).toEqual(['failure', 'success', 'success']);
    expect([place.run(pull, CHECKS[1])?.title, place.run(pull, CHECKS[2])?.title]).toEqual([
      'No model attribution',
      'No secrets',
    ]);
  });
});

describe('where the tests are', () => {
  it('a job of another workflow does not count, whatever its name', async () => {
    const place = await world.place({});
    const pull = await place.judged();
    await place.tests(pull, 'success', '.github/workflows/other.yml');
    await world.settled();
    expect(place.checks(pull)[0]).toBe('in_progress');
    expect(place.verdict(pull)?.body).toContain(CI);
  });
});

endsWell(() => world);
