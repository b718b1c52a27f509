import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CI, CONFIG, CONFIG_TEXT, inWorld, WORKFLOW } from '../../support/action-world.ts';
import type { ActionWorld, ActionWorldOptions, NewPull } from '../../support/action-world.ts';
import type { FileChange } from '../../../src/sandbox/git/write.ts';

const STRICT = { 'fail-on': '' } as const;

/** Opens, lets the tests succeed and judges. */
async function outcome(
  options: ActionWorldOptions,
  given: NewPull | ((world: ActionWorld) => NewPull | Promise<NewPull>),
): Promise<{ readonly outcome: string | undefined; readonly text: string }> {
  let said = { outcome: undefined as string | undefined, text: '' };
  await inWorld(options, async (world) => {
    const pull = await world.open(typeof given === 'function' ? await given(world) : given);
    await world.tests(pull, 'success');
    const { outputs, summary, code } = await world.act('pull_request', { with: STRICT });
    expect(code === 0).toBe(outputs['outcome'] === 'verified' || outputs['outcome'] === 'not-governed');
    said = { outcome: outputs['outcome'], text: summary };
  });
  return said;
}

function textOf(files: Readonly<Record<string, FileChange>>, path: string): string {
  const content = files[path];
  if (typeof content !== 'string') throw new Error(`no text at ${path}`);
  return content;
}

describe('what a pull request may not decide about itself', () => {
  it('a file that is moved out of a protected path', async () => {
    const base = { 'policies/gate.yml': 'a: 1\nb: 2\nc: 3\n' };
    const config = `${CONFIG_TEXT}control_plane:\n  paths: [policies/**]\n`;
    const files = { 'policies/gate.yml': null, 'docs/gate.yml': 'a: 1\nb: 2\nc: 3\n' };
    const said = await outcome({ base, config, governed: { paths: ['src/app.ts', 'docs', 'policies'] } }, { files });
    expect(said.outcome).not.toBe('verified');
    expect(said.text).toContain('policies/gate.yml');
  });

  it('the workflow of the tests, until a person has looked at it', async () => {
    await inWorld({ governed: { paths: ['src/app.ts', CI] } }, async (world) => {
      const text = readFileSync('docs/examples/ci.yml', 'utf8').replace('make test', 'true');
      const pull = await world.open({ files: { [CI]: text } });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect(said.outputs['outcome']).toBe('pending');
      expect(said.summary).toContain('is the workflow that runs the tests');
      world.sandbox.comment(world.repository, pull, world.ana, '/countersign confirm tests It is shorter now');
      world.approve(pull);
      const after = await world.act('pull_request_review');
      expect([after.code, after.outputs['outcome']]).toEqual([0, 'verified']);
    });
  });

  it('what an action runs that the workflow of the tests calls, wherever it lies and however deep', async () => {
    const base = {
      [CI]: 'jobs:\n  test:\n    steps:\n      - uses: ./tools/outer\n',
      'tools/outer/action.yml': 'runs:\n  using: composite\n  steps:\n    - uses: ./kit/inner/\n',
      'kit/inner/action.yaml': 'runs:\n  using: node24\n  main: run.js\n',
      'kit/inner/run.js': 'test();\n',
    };
    await inWorld({ base, governed: { paths: ['src', 'kit'] } }, async (world) => {
      const pull = await world.open({ files: { 'kit/inner/run.js': '// no test\n' }, tested: 'success' });
      const said = await world.act('pull_request');
      expect(said.outputs['outcome']).toBe('pending');
      expect(said.summary).toContain('kit/inner/run.js steers how the tests run');
      expect(world.status(pull.head.sha)?.state).toBe('pending');
    });
  });

  it('the script that the tests are', async () => {
    const base = { 'package.json': '{ "scripts": { "test": "jest" } }\n' };
    const files = { 'package.json': '{ "scripts": { "test": "true" } }\n' };
    const said = await outcome({ base, governed: { paths: ['src/app.ts', 'package.json'] } }, { files });
    expect(said.outcome).not.toBe('verified');
    expect(said.text).toContain('package.json');
  });

  it('a check run of the right name by another app', async () => {
    await inWorld({}, async (world) => {
      const { sandbox, repository, ada, acme } = world;
      const pull = await world.open();
      const { app, privateKey } = sandbox.addApp(ada, 'forger', { permissions: { checks: 'write' }, events: [] });
      const installation = sandbox.install(app, acme);
      const jwt = sandbox.appJwt(app, privateKey);
      const call = (path: string, token: string, body?: object) =>
        fetch(`${sandbox.url}${path}`, {
          ...{ method: 'POST', headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' } },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      const made = await call(`/app/installations/${installation.id}/access_tokens`, jwt);
      const { token } = (await made.json()) as { readonly token: string };
      const forged = { name: 'test', head_sha: pull.head.sha, status: 'completed', conclusion: 'success' };
      expect((await call('/repos/acme/widgets/check-runs', token, forged)).status).toBe(201);
      expect(repository.checkRuns.size).toBeGreaterThan(0);
      const said = await world.act('pull_request');
      expect(said.outputs['outcome']).not.toBe('verified');
      expect(world.status(pull.head.sha)?.state).not.toBe('success');
    });
  });

  it('a run of another workflow with a job of the right name', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open({ files: { '.github/workflows/fake.yml': 'on: push\njobs: {}\n' } });
      await world.tests(pull, 'success', '.github/workflows/fake.yml');
      const said = await world.act('pull_request');
      expect(said.outputs['outcome']).not.toBe('verified');
    });
  });

  it('evidence that contradicts what the files show', async () => {
    const said = await outcome({ governed: { changed: ['src/other.ts'] } }, {});
    expect(said.outcome).toBe('failed');
  });

  it('evidence that a later commit rewrites', async () => {
    const said = await outcome({}, (world) => {
      const record = `.rapid-os/evidence/${world.runId}/records/E001.json`;
      const text = textOf(world.documents, record);
      const rewritten = { message: 'Correct it', files: { [record]: text.replace('"passed": 12', '"passed": 99') } };
      return { commits: [rewritten] };
    });
    expect(said.outcome).toBe('failed');
    expect(said.text).toContain('E001.json');
  });

  it('a run that was finished before', async () => {
    await inWorld({}, async (world) => {
      const { sandbox, repository, ada } = world;
      await sandbox.push(repository, ada, { branch: 'main', message: 'Merge the run', files: world.documents });
      const pull = await world.open({ ledger: false, body: `Countersign-Run: ${world.runId}` });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect(said.outputs['outcome']).toBe('failed');
    });
  });

  it('a contract that is weaker than the policy of the base demands', async () => {
    const policy = '.rapid-os/policy.json';
    const strict = `${JSON.stringify({ schema_version: 1, minimum_risk: 'high' }, null, 2)}\n`;
    const said = await outcome({ base: { [policy]: strict } }, {});
    expect(said.outcome).toBe('failed');
  });

  it('a waiver in its own ledger, until a person confirms it', async () => {
    await inWorld({ governed: { risk: 'high', waive: { 'gate.review': 'Nobody is there' } } }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect(said.outputs['outcome']).toBe('pending');
      expect(said.summary).toContain('Nobody is there');
      world.sandbox.comment(world.repository, pull, world.ana, '/countersign confirm waiver Indeed');
      const after = await world.act('pull_request');
      expect([after.code, after.outputs['outcome']]).toEqual([0, 'verified']);
      expect(world.status(pull.head.sha)?.description).toContain('with confirmed waivers');
    });
  });

  it('the gate itself, when it is brought in: a person has to approve', async () => {
    await inWorld({ governed: null, config: null }, async (world) => {
      const pull = await world.open({ files: { [CONFIG]: CONFIG_TEXT } });
      const before = await world.act('pull_request');
      expect(before.outputs['outcome']).toBe('pending');
      expect(before.summary).toContain('brings the gate in');
      world.approve(pull);
      const said = await world.act('pull_request_review');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'not-governed']);
    });
  });

  it('the configuration: the old rules judge, and a person has to approve', async () => {
    const options = { governed: null, config: 'runs:\n  required: always\n' };
    const said = await outcome(options, { files: { [CONFIG]: 'runs:\n  required: never\n' } });
    expect(said.outcome).toBe('unverified');
  });

  it.each([
    ['fail-on', 'never', 5],
    ['mode', 'observe', 5],
  ])('input %s in the workflow that it edits', async (name, value, code) => {
    const governed = { paths: ['src/app.ts', '.github'] };
    await inWorld({ governed, config: name === 'mode' ? null : CONFIG_TEXT }, async (world) => {
      const text = world.exampleText.replace('fail-on: incomplete', `${name}: ${value}`);
      expect(text).not.toBe(world.exampleText);
      const pull = await world.open({ files: { [WORKFLOW]: text } });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect(said.code).not.toBe(0);
      expect(said.outputs['outcome']).not.toBe('verified');
      expect(code).toBe(5);
      expect(world.status(pull.head.sha)?.state).not.toBe('success');
    });
  });

  it('fail-on in the workflow of the base counts, and the verdict says so', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull);
      const said = await world.act('pull_request');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'pending']);
      expect(said.report).toContain('The job passes where the outcome is pending or unverified or failed');
    });
  });

  it('a base branch that anybody may push to: its workflow relaxes nothing', async () => {
    await inWorld({}, async (world) => {
      const { sandbox, repository, coder } = world;
      const loose = world.exampleText.replace('fail-on: incomplete', 'fail-on: never');
      await sandbox.push(repository, coder, { branch: 'mine', message: 'Loosen', files: { [WORKFLOW]: loose } });
      const pull = await world.open({ base: 'mine' });
      await world.tests(pull);
      const said = await world.act('pull_request');
      expect([said.code, said.outputs['outcome']]).toEqual([5, 'pending']);
    });
  });

  it("a server that runs the base branch's workflow for pull_request_target: it relaxes nothing, either", async () => {
    await inWorld({ example: 'pull-request-target.yml' }, async (world) => {
      const pull = await world.open();
      await world.tests(pull);
      expect((await world.act('pull_request_target')).code).toBe(0);
      const said = await world.act('pull_request_target', {
        env: { GITHUB_WORKFLOW_REF: `acme/widgets/${WORKFLOW}@refs/heads/mine` },
      });
      expect([said.code, said.outputs['outcome']]).toEqual([5, 'pending']);
    });
  });

  it('a workflow of another repository relaxes nothing', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull);
      const said = await world.act('pull_request', {
        env: { GITHUB_WORKFLOW_REF: `eve/widgets/${WORKFLOW}@refs/heads/main` },
      });
      expect([said.code, said.outputs['outcome']]).toEqual([5, 'pending']);
    });
  });

  it('a comment with the marker by somebody else is left alone', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const planted = '## ✅ VERIFIED\n\n<!-- countersign:verdict v1 -->';
      world.sandbox.comment(world.repository, pull, world.coder, planted);
      await world.act('pull_request');
      const [first, second, ...others] = world.comments(pull);
      expect(first?.body).toBe(planted);
      expect(second?.body).toContain('VERIFIED (platform');
      expect(others).toEqual([]);
    });
  });
});
