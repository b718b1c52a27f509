import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKS, endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';
import { CONFIG, CONFIG_TEXT } from '../../support/governed-repository.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld({ apart: true });
});

const MODEL = 'Co-authored-by: Claude <noreply@anthropic.com>';

describe('what a pull request may not decide about itself', () => {
  it('a file that is moved out of a protected path', async () => {
    const text = 'a: 1\nb: 2\nc: 3\n';
    const place = await world.place({
      ...{ base: { 'policies/gate.yml': text }, config: `${CONFIG_TEXT}control_plane:\n  paths: [policies/**]\n` },
      governed: { paths: ['src/app.ts', 'docs', 'policies'] },
    });
    const files = { 'policies/gate.yml': null, 'docs/gate.yml': text };
    const pull = await place.judged({ files, tested: 'success' });
    expect(place.checks(pull)[0]).not.toBe('success');
    expect(place.verdict(pull)?.body).toContain('policies/gate.yml');
  });

  it('the script that the tests are', async () => {
    const place = await world.place({
      base: { 'package.json': '{ "scripts": { "test": "jest" } }\n' },
      governed: { paths: ['src/app.ts', 'package.json'] },
    });
    const files = { 'package.json': '{ "scripts": { "test": "true" } }\n' };
    const pull = await place.judged({ files, tested: 'success' });
    expect(place.checks(pull)[0]).not.toBe('success');
    expect(place.verdict(pull)?.body).toContain('package.json');
  });

  it('a check run of the right name by another app', async () => {
    const place = await world.place();
    const { app, privateKey } = world.sandbox.addApp(world.ada, 'forger', {
      ...{ permissions: { checks: 'write' }, events: [] },
    });
    const owner = world.sandbox.accountById(place.repository.ownerId);
    const { id } = world.sandbox.install(app, owner);
    const pull = await place.judged({ tested: 'failure' });
    const call = async (path: string, token: string, body: object = {}) => {
      const response = await fetch(`${world.sandbox.url}${path}`, {
        ...{ method: 'POST', headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' } },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(201);
      return (await response.json()) as { readonly token: string };
    };
    const { token } = await call(`/app/installations/${id}/access_tokens`, world.sandbox.appJwt(app, privateKey));
    for (const name of ['test', ...CHECKS])
      await call(`/repos/${owner.login}/${place.repository.name}/check-runs`, token, {
        ...{ name, head_sha: pull.head.sha, status: 'completed', conclusion: 'success' },
      });
    await place.says(pull, world.ana, '/countersign recheck');
    expect(place.checks(pull)).toEqual(['failure', 'success', 'success']);
  });

  it('evidence that contradicts what the files show', async () => {
    const place = await world.place({ governed: { changed: ['src/other.ts'] } });
    const pull = await place.judged({ tested: 'success' });
    expect(place.checks(pull)[0]).toBe('failure');
  });

  it('evidence that a later commit rewrites', async () => {
    const place = await world.place();
    const record = `.rapid-os/evidence/${place.runId}/records/E001.json`;
    const text = (place.documents[record] ?? '').replace('"passed": 12', '"passed": 99');
    expect(text).not.toBe(place.documents[record]);
    const pull = await place.judged({
      ...{ commits: [{ message: 'Correct it', files: { [record]: text } }], tested: 'success' },
    });
    expect(place.checks(pull)[0]).toBe('failure');
    expect(place.verdict(pull)?.body).toContain('E001.json');
  });

  it('a run that was finished before', async () => {
    const place = await world.place();
    await world.sandbox.push(place.repository, world.ada, {
      ...{ branch: 'main', message: 'Merge the run', files: place.documents },
    });
    const pull = await place.judged({ ledger: false, body: `Countersign-Run: ${place.runId}`, tested: 'success' });
    expect(place.checks(pull)[0]).toBe('failure');
  });

  it('a contract that is weaker than the policy of the base demands', async () => {
    const strict = `${JSON.stringify({ schema_version: 1, minimum_risk: 'high' }, null, 2)}\n`;
    const place = await world.place({ base: { '.rapid-os/policy.json': strict } });
    const pull = await place.judged({ tested: 'success' });
    expect(place.checks(pull)[0]).toBe('failure');
  });

  it('the configuration: the old rules judge', async () => {
    const place = await world.place({ governed: null, config: 'runs:\n  required: always\n' });
    const pull = await place.judged({ files: { [CONFIG]: 'runs:\n  required: never\n' } });
    expect(place.checks(pull)[0]).toBe('failure');
  });

  it('the gate itself, when it is brought in: a review approves it', async () => {
    const place = await world.place({ governed: null, config: null });
    const pull = await place.judged({ files: { [CONFIG]: CONFIG_TEXT } });
    expect(place.checks(pull)[0]).toBe('action_required');
    place.approve(pull);
    await world.settled();
    expect(place.checks(pull)[0]).toBe('success');
  });
});

describe('text and number of what others wrote', () => {
  it('a commit behind 250 others', async () => {
    const place = await world.place({ governed: null, config: null });
    const commits = Array.from({ length: 260 }, (_, at) => ({
      ...{ message: `Step ${at}`, files: { 'src/app.ts': `${at}\n` } },
    }));
    const pull = await place.judged({ message: `Add it\n\n${MODEL}`, commits });
    expect(place.checks(pull)).toEqual(['failure', 'failure', 'success']);
  });

  it.each([
    ['a title', { title: '\u202e@everyone <img src=x onerror=alert(1)> #1 ::error::x' }],
    ['a body', { body: `<!-- countersign:verdict v1 -->\n## ✅ VERIFIED\n@everyone <img src=x>\n\n${MODEL}` }],
    ['a message', { message: `@everyone <img src=x>\n\n</details><img src=x>\n\n${MODEL}` }],
    ['a branch', { branch: 'a@everyone-#1-<img-src=x>' }],
    ['the name of a file', { files: { 'src/@everyone #1 <img src=x> `.md': 'x\n', 'src/\u202efoo.ts': 'y\n' } }],
  ])('%s does nothing in comments and check runs', async (_, given) => {
    const place = await world.place({ governed: { paths: ['docs'] } });
    const pull = await place.judged({ ...given, tested: 'failure' });
    const { title, summary, text } = place.run(pull) ?? {};
    expect(place.checks(pull)[0]).toBe('failure');
    for (const shown of [place.verdict(pull)?.body, title, summary, text]) {
      // In code it is only shown.
      expect((shown ?? '').replaceAll(/(`+)[^`\n](?:[^\n]*?[^`\n])?\1(?!`)/g, '')).not.toMatch(
        /(^|[^/\w])@everyone|<img|\u202e/,
      );
      expect((shown ?? '').match(/countersign:verdict/g)?.length ?? 0).toBeLessThanOrEqual(1);
    }
  });
});

endsWell(() => world);
