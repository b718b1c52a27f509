import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/app/settings.ts';
import { isRefusal } from '../../src/domain/errors.ts';

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs1', format: 'pem' })
  .toString();
const SECRET = 'a secret of the webhook';
const GIVEN = { APP_ID: '7', PRIVATE_KEY: KEY, WEBHOOK_SECRET: SECRET };

function refused(environment: Readonly<Record<string, string | undefined>>): string {
  try {
    readSettings(environment);
  } catch (thrown) {
    if (isRefusal(thrown)) return `${thrown.code} ${thrown.message}`;
    throw thrown;
  }
  return 'accepted';
}

describe('settings', () => {
  it('have a default for all that need not be given', () => {
    expect(readSettings(GIVEN)).toMatchObject({
      appId: 7,
      host: '127.0.0.1',
      port: 3000,
      restUrl: 'https://api.github.com',
      graphqlUrl: 'https://api.github.com/graphql',
      store: { file: 'countersign.sqlite' },
      webhookSecrets: [SECRET],
      workers: 4,
    });
  });

  it.each([
    ['a key on one line', { PRIVATE_KEY: KEY.replaceAll('\n', '\\n') }, { privateKey: KEY }],
    [
      'an Enterprise Server',
      { GITHUB_API_URL: 'https://git.example/api/v3/' },
      { graphqlUrl: 'https://git.example/api/graphql' },
    ],
    [
      'a GraphQL address of its own',
      { GITHUB_GRAPHQL_URL: 'http://127.0.0.1:1/g' },
      { graphqlUrl: 'http://127.0.0.1:1/g' },
    ],
    ['PostgreSQL', { DATABASE_URL: 'postgres://u@h/d' }, { store: { url: 'postgres://u@h/d' } }],
    [
      'a rotation',
      { WEBHOOK_SECRET_PREVIOUS: 'the secret before it' },
      { webhookSecrets: [SECRET, 'the secret before it'] },
    ],
    ['empty ones are as if not given', { PORT: '', LOG_LEVEL: ' ' }, { port: 3000, logLevel: 'info' }],
  ])('%s', (_, more, expected) => {
    expect(readSettings({ ...GIVEN, ...more })).toMatchObject(expected);
  });

  it('take the key from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'));
    try {
      const path = join(folder, 'key.pem');
      writeFileSync(path, KEY);
      expect(readSettings({ APP_ID: '7', WEBHOOK_SECRET: SECRET, PRIVATE_KEY_PATH: path }).privateKey).toBe(KEY);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['APP_ID', 'x'],
    ['APP_ID', '0'],
    ['PRIVATE_KEY', 'no key'],
    ['WEBHOOK_SECRET', 'pa55-word'],
    ['WEBHOOK_SECRET_PREVIOUS', 'pa55-word'],
    ['PORT', '65536'],
    ['PORT', '1e3'],
    ['WEBHOOK_PATH', 'hooks'],
    ['GITHUB_API_URL', 'api.github.com'],
    ['GITHUB_API_URL', 'https://user:word@api.github.com'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['WORKERS', '0'],
    ['SWEEP_MINUTES', 'soon'],
    ['KEEP_DAYS', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['COMMIT_STATUS', 'yes'],
  ])('%s=%s is refused by name, without its value where it is secret', (name, value) => {
    const message = refused({ ...GIVEN, [name]: value });
    expect(message).toContain(`CS1801`);
    expect(message).toContain(`\n  ${name} `);
    if (/SECRET|KEY$|URL/.test(name)) expect(message).not.toContain(value);
  });

  it('tell all faults at once', () => {
    const message = refused({ PORT: 'x' });
    for (const name of ['APP_ID', 'PRIVATE_KEY', 'WEBHOOK_SECRET', 'PORT']) expect(message).toContain(`\n  ${name} `);
  });

  it('tell that a key file cannot be read', () => {
    expect(refused({ ...GIVEN, PRIVATE_KEY: '', PRIVATE_KEY_PATH: '/nowhere/key.pem' })).toContain('ENOENT');
  });
});
