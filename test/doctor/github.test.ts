import { afterEach, describe, expect, it } from '@jest/globals';
import { seen, startDoctorWorld } from './world.ts';
import type { DoctorWorld, DoctorWorldOptions } from './world.ts';

let world: DoctorWorld;
afterEach(async () => world.stop());

async function healthy(options: DoctorWorldOptions = {}): Promise<DoctorWorld> {
  world = await startDoctorWorld(options);
  world.rule([{ context: 'Countersign', integration_id: world.app.id }]);
  world.delivered(202, 'OK', 'first');
  return world;
}

describe('doctor asks GitHub as the App', () => {
  it('finds nothing wrong where all is well', async () => {
    await healthy();
    const answer = await seen(world, { ...world.asApp, ...world.adminToken() });
    expect(answer.checks.filter(({ health }) => health !== 'ok').map(({ check, detail }) => [check, detail])).toEqual([
      ['App permissions', 'The App does not ask for merge_queues: read.'],
    ]);
    expect([answer.code, answer.healthy]).toEqual([0, true]);
    expect(answer.checks.map(({ check }) => check)).toEqual([
      ...['Node.js', 'App', 'App permissions', 'App events', 'webhook', 'deliveries', 'installation'],
      ...['accepted permissions', 'default branch', 'config on main', 'lock on main', 'policy on main'],
      ...['test workflows on main', 'organisation layer', 'required check', 'workflow permissions'],
    ]);
    expect(answer.of('required check').detail).toBe(`Countersign from app ${world.app.id}, by ruleset`);
    expect(answer.of('test workflows on main').detail).toBe('.github/workflows/ci.yml');
    for (const one of answer.checks) expect(one.remedy === undefined).toBe(one.health === 'ok');
  });

  it('says what, why, how and who, as text', async () => {
    world = await startDoctorWorld();
    const { code, out } = await world.run(world.asApp, '--github', '--repo', 'acme/widgets');
    expect(code).toBe(1);
    expect(out).toMatch(
      /fail +required check +main does not require Countersign\. A pull request can be merged whatever the verdict is\. In a ruleset for main, require the status check Countersign with the App \(id \d+\) as its source\. Who can: an administrator/,
    );
    expect(out).toMatch(/\d+ ok, \d+ warning\(s\), 1 failure\(s\)\.\n$/);
    expect(out).not.toContain('PRIVATE KEY');
  });

  it('needs nothing more than the settings of the App', async () => {
    await healthy();
    const { code, out } = await world.run(world.asApp, '--json', '--root', '.');
    const { checks } = JSON.parse(out) as { readonly checks: readonly { readonly check: string }[] };
    // The folder is no repository, which is told as ever.
    expect(code).toBe(1);
    expect(checks.map(({ check }) => check)).toEqual(expect.arrayContaining(['git', 'config', 'App', 'webhook']));
  });

  it.each([
    [
      'lacks one that verdicts need',
      { pull_requests: 'write', contents: 'read' },
      'fail',
      /does not ask for checks: write/,
    ],
    [
      'has a lower one',
      { pull_requests: 'read', contents: 'read', checks: 'write', actions: 'read' },
      'fail',
      /pull_requests: write/,
    ],
    [
      'lacks one that is seldom needed',
      { pull_requests: 'write', contents: 'read', checks: 'write', actions: 'read' },
      'warn',
      /does not ask for statuses: write, merge_queues: read, members: read/,
    ],
  ] as const)('permissions: it %s', async (_, permissions, health, detail) => {
    await healthy({ permissions });
    const answer = await seen(world, { ...world.asApp, ...world.adminToken() });
    expect(answer.of('App permissions')).toMatchObject({ health, detail: expect.stringMatching(detail) });
    expect(answer.of('App permissions').remedy).toContain(`${world.sandbox.url}/settings/apps/countersign/permissions`);
  });

  it('permissions that the installation has not accepted yet', async () => {
    await healthy();
    const { checks: _, ...fewer } = world.installation.permissions;
    world.installation.permissions = fewer;
    const { of } = await seen(world, world.asApp);
    expect(of('App permissions').health).toBe('warn');
    expect(of('accepted permissions')).toMatchObject({ health: 'fail', detail: 'Not accepted yet: checks: write.' });
    expect(of('accepted permissions').why).toBe('checks is for the three check runs.');
  });

  it.each([
    [['push'], 'fail', /does not hear of .*pull_request,/],
    [
      [
        'pull_request',
        'pull_request_review',
        'check_run',
        'check_suite',
        'merge_group',
        'push',
        'repository',
        'workflow_run',
      ],
      'warn',
      /does not hear of issue_comment\./,
    ],
  ] as const)('events %j', async (events, health, detail) => {
    await healthy({ events });
    const { of } = await seen(world, world.asApp);
    expect(of('App events')).toMatchObject({ health, detail: expect.stringMatching(detail) });
  });

  it.each([
    ['none', null, 'fail', 'The App has no webhook.'],
    ['no secret', { secret: '' }, 'fail', / has no secret\.$/],
    ['forms', { contentType: 'form' }, 'fail', / has content type form\.$/],
    ['no verification', { insecureSsl: true }, 'fail', / has no TLS verification\.$/],
    ['plain http', { url: 'http://countersign.example/' }, 'warn', / has an http address\.$/],
    ['several', { secret: '', insecureSsl: true }, 'fail', / has no secret, no TLS verification\.$/],
  ] as const)('webhook: %s', async (_, change, health, detail) => {
    await healthy();
    world.app.webhook = change === null ? null : { ...world.webhook, ...change };
    const { of } = await seen(world, world.asApp);
    expect(of('webhook')).toMatchObject({ health, detail: expect.stringMatching(detail) });
  });

  it('deliveries: none, some and all that failed, and one that arrived later', async () => {
    world = await startDoctorWorld();
    expect((await seen(world, world.asApp)).of('deliveries')).toMatchObject({ health: 'warn' });
    world.delivered(202, 'OK', 'a');
    world.delivered(502, 'Bad Gateway', 'b');
    expect((await seen(world, world.asApp)).of('deliveries')).toMatchObject({
      ...{ health: 'fail', remedy: expect.stringContaining('/settings/apps/countersign/advanced') },
      detail: expect.stringMatching(/^1 of the last 2 failed; the newest of them \(pull_request, .*Z\): 502\.$/),
    });
    world.delivered(202, 'OK', 'c');
    expect((await seen(world, world.asApp)).of('deliveries').health).toBe('warn');
    world.delivered(202, 'OK', 'b');
    expect((await seen(world, world.asApp)).of('deliveries')).toMatchObject({
      health: 'ok',
      detail: 'the last 3 arrived',
    });
    world.delivered(401, 'Unauthorized', 'd');
    expect((await seen(world, world.asApp)).of('deliveries').remedy).toMatch(/the same WEBHOOK_SECRET/);
    world.delivered(0, 'failed to connect to host', 'e');
    expect((await seen(world, world.asApp)).of('deliveries')).toMatchObject({
      ...{ detail: expect.stringContaining('failed to connect to host') },
      remedy: expect.stringContaining('DNS'),
    });
  });

  it('an App that is not installed, or suspended', async () => {
    await healthy();
    world.sandbox.suspend(world.installation, world.ada);
    expect((await seen(world, world.asApp)).of('installation')).toMatchObject({
      ...{ health: 'fail', detail: expect.stringContaining('was suspended at') },
    });
    world.sandbox.uninstall(world.installation, world.ada);
    const answer = await seen(world, world.asApp);
    expect(answer.of('installation')).toMatchObject({
      ...{ health: 'fail', detail: 'The App is not installed on acme/widgets.' },
      ...{ who: 'an owner of acme', remedy: `Install it: ${world.sandbox.url}/apps/countersign/installations/new` },
    });
    expect(answer.checks.at(-1)?.check).toBe('installation');
  });

  it('a key that is not the App’s', async () => {
    await healthy();
    const answer = await seen(world, { ...world.asApp, APP_ID: '1' });
    expect(answer.of('App')).toMatchObject({ health: 'fail', detail: expect.stringContaining('CS1602') });
    const { code, err } = await world.run(
      { ...world.asApp, PRIVATE_KEY: 'none' },
      '--github',
      '--repo',
      'acme/widgets',
    );
    expect([code, err]).toEqual([1, expect.stringContaining('PRIVATE_KEY holds no private key')]);
  });
});

describe('doctor asks GitHub with a token', () => {
  it('says of which app the check is required, and compares it where it is told', async () => {
    await healthy();
    const answer = await seen(world, world.adminToken());
    expect(answer.of('required check')).toMatchObject({ health: 'warn', remedy: expect.stringContaining('--app-id') });
    expect(answer.checks.map(({ check }) => check)).not.toContain('App');
    const told = await seen(world, world.adminToken(), '--app-id', String(world.app.id));
    expect([told.of('required check').health, told.code]).toEqual(['ok', 0]);
  });

  it('takes the token from the variable that it is told', async () => {
    await healthy();
    const token = world.sandbox.userToken(world.ana);
    const answer = await seen(world, { MINE: token }, '--token', 'MINE');
    expect(answer.of('default branch').health).toBe('ok');
    expect(answer.of('workflow permissions')).toMatchObject({
      ...{ health: 'warn', detail: 'Only administrators see what workflows may do.' },
    });
    const { code, err } = await world.run(world.adminToken(), '--github', '--repo', 'acme/widgets', '--token', 'MINE');
    expect([code, err]).toEqual([2, expect.stringContaining('There is no token in MINE.')]);
  });

  it.each([
    [{}, [], 'Nothing says how to ask GitHub.'],
    [{}, ['--repo', 'widgets'], '--repo takes owner/name.'],
    [{}, ['--app-id', 'x'], '--app-id takes a number.'],
  ] as const)('refuses %j %j', async (environment, argv, why) => {
    world = await startDoctorWorld();
    const all = argv.includes('--repo' as never) ? argv : ['--repo', 'acme/widgets', ...argv];
    const { code, err } = await world.run(environment, '--github', ...all);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
  });

  it('refuses options about GitHub without --github', async () => {
    world = await startDoctorWorld();
    const { code, err } = await world.run({}, '--repo', 'acme/widgets');
    expect([code, err]).toEqual([2, expect.stringContaining('give --github too')]);
  });
});

describe('what is required on the default branch', () => {
  it.each([
    ['any source', [{ context: 'Countersign' }], 'fail', /^main requires Countersign from any source \(ruleset\)\.$/],
    [
      'workflows',
      [{ context: 'Countersign', integration_id: 15_368 }],
      'fail',
      /app 15368, which any workflow acts as/,
    ],
    ['another app', [{ context: 'Countersign', integration_id: 7 }], 'fail', /from app 7, not from app \d+\.$/],
    [
      'another name',
      [{ context: 'Countersign / secrets' }],
      'fail',
      /^main requires 'Countersign \/ secrets', and not/,
    ],
    ['the status', [{ context: 'countersign' }], 'warn', /^main requires 'countersign', the commit status/],
    ['something else', [{ context: 'test' }], 'fail', 'main does not require Countersign.'],
    ['nothing', [], 'fail', 'main does not require Countersign.'],
  ])('%s', async (_, checks, health, detail) => {
    world = await startDoctorWorld();
    world.rule(checks);
    const { of, code } = await seen(world, world.asApp);
    expect(of('required check')).toMatchObject({
      health,
      detail: expect.stringMatching(detail),
      who: expect.anything(),
    });
    expect(code).toBe(health === 'fail' ? 1 : 0);
  });

  it.each([
    ['from the App', (id: number) => id, 'ok'],
    ['from any source', () => null, 'fail'],
    ['from any source, as −1', () => -1, 'fail'],
  ] as const)('by classic protection, %s', async (_, idOf, health) => {
    world = await startDoctorWorld();
    world.repository.requiredChecks.set('main', [{ context: 'Countersign', appId: idOf(world.app.id) }]);
    const found = (await seen(world, world.asApp)).of('required check');
    expect(found.health).toBe(health);
    expect(found.detail).toContain('branch protection');
  });

  it('is enough once, whatever else is required', async () => {
    await healthy();
    world.rule([{ context: 'Countersign' }, { context: 'test' }]);
    expect((await seen(world, world.asApp)).of('required check').health).toBe('ok');
  });
});

describe('what stands on the default branch', () => {
  it.each([
    ['no lock', { governed: null }, 'lock on main', 'fail', /no \.rapid-os\/capabilities\.lock/],
    ['no configuration', { config: null }, 'config on main', 'warn', /the defaults hold/],
    ['a wrong configuration', { config: 'modes: enforce\n' }, 'config on main', 'fail', /modes/],
    [
      'a workflow that is not there',
      { config: 'evidence: { tests: { workflows: [{ path: .github/workflows/no.yml, jobs: [test] }] } }\n' },
      ...(['test workflows on main', 'fail', /no\.yml does not exist/] as const),
    ],
    [
      'an organisation layer that is not there',
      { config: 'extends: acme/rules\n' },
      ...(['organisation layer', 'fail', /^acme\/rules\/.* cannot be read/] as const),
    ],
  ] as const)('%s', async (_, options, check, health, detail) => {
    await healthy(options);
    const found = (await seen(world, world.asApp)).of(check);
    expect(found).toMatchObject({ health, detail: expect.stringMatching(detail) });
  });

  it.each([
    ['mode: warn\n', 'ok', 'acme/.github/.github/countersign.yml'],
    ['mode: loud\n', 'fail', expect.stringContaining('mode')],
  ])('the organisation’s layer %j', async (text, health, detail) => {
    await healthy();
    await world.sandbox.addRepository(world.acme, '.github', { files: { '.github/countersign.yml': text } });
    expect((await seen(world, world.asApp)).of('organisation layer')).toMatchObject({ health, detail });
  });

  it.each([
    [{ default: 'write', canApprove: false }, 'Workflows may write by default.'],
    [{ default: 'read', canApprove: true }, 'Workflows may approve pull requests.'],
    [{ default: 'write', canApprove: true }, 'Workflows may write by default and may approve pull requests.'],
  ] as const)('workflow permissions %j', async (permissions, detail) => {
    await healthy();
    world.repository.workflowPermissions = permissions;
    const found = (await seen(world, { ...world.asApp, ...world.adminToken() })).of('workflow permissions');
    expect(found).toMatchObject({ health: 'warn', detail });
  });

  it('a repository that is not there', async () => {
    await healthy();
    const { code, out } = await world.run(world.adminToken(), '--github', '--repo', 'acme/nothing', '--json');
    expect(code).toBe(1);
    expect(out).toContain('CS1604');
  });
});
