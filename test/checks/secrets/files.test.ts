import { describe, expect, it } from '@jest/globals';
import { secretFileFindings, type FileFacts } from '../../../src/checks/secrets/files.ts';
import { fileSource } from '../../../src/checks/secrets/file-source.ts';
import { secretFileKind } from '../../../src/checks/secrets/secret-files.ts';
import { FOOTER, HEADER, join } from './support/shapes.ts';

const facts = (path: string, more: Partial<FileFacts> = {}): FileFacts => ({
  path,
  kind: 'file',
  isTracked: true,
  isIgnored: false,
  ...more,
});
const rules = (file: FileFacts, scan: 'snapshot' | 'working-copy' = 'snapshot') =>
  secretFileFindings([file], scan).map(({ rule }) => rule);

describe('names of secret-bearing files', () => {
  it.each([
    '.env',
    'apps/x/.env',
    '.env~',
    'id_rsa~',
    'vault.kdbx',
    'dist.key',
    'kubeconfig.yaml',
    'prod-kubeconfig.json',
    'credentials.yml',
    '.secrets',
    '.vault-token',
    'credentials.tfrc.json',
    '.gnupg/secring.gpg',
    '.ENV',
    '.env.local',
    '.env.example.local',
    '.envrc',
    'prod.env',
    '.pypirc',
    '.netrc',
    '.git-credentials',
    'id_rsa',
    'id_ed25519_sk',
    'id_rsa.bak',
    'server.pem',
    'KEY.PEM',
    'tls.key',
    'kubeconfig',
    '.kube/config',
    '.docker/config.json',
    'my-service-account.json',
    'serviceAccountKey.json',
    'release.jks',
    'cert.p12',
    'secrets.json',
    'config/secrets.prod.yaml',
    'credentials',
    '.npmrc',
    '.yarnrc.yml',
  ])('%s', (path) => {
    expect(secretFileKind(path)).toBeDefined();
  });

  it.each([
    '.env.example',
    '.env.sample',
    'apps/x/.env.template',
    '.env.dist',
    'example.env',
    '.env.vault',
    '.env.example~',
    'kubeconfig.go',
    'credentials.ts',
    'credentials.example.json',
    'secrets.dist.yml',
    '.secrets.baseline',
    '.environment',
    'env.ts',
    'id_rsa.pub',
    'secrets.ts',
    'docs/secrets.md',
    '.env/bin/activate',
    'secrets.example.json',
    'src/key.ts',
    'pem',
  ])('not %s', (path) => {
    expect(secretFileKind(path)).toBeUndefined();
  });
});

describe('findings about files', () => {
  it.each<[string, FileFacts, string[]]>([
    ['a tracked one', facts('.env', { text: '' }), ['secrets/file-tracked']],
    ['one that is tracked though ignored', facts('.env.prod', { isIgnored: true }), ['secrets/file-tracked-ignored']],
    [
      'an .npmrc that refers to the environment',
      facts('.npmrc', {
        text: 'registry=https://r.example/\n//r.example/:_authToken=${NPM_TOKEN}\n#//r/:_authToken=abcdefgh\n',
      }),
      [],
    ],
    [
      'an .npmrc with a token',
      facts('.npmrc', { text: '//r.example/:_authToken=abcdefgh\n' }),
      ['secrets/file-tracked'],
    ],
    ['a Yarn token', facts('.yarnrc.yml', { text: 'npmAuthToken: "abcdefgh"\n' }), ['secrets/file-tracked']],
    ['a certificate', facts('ca.pem', { text: join('-----BEGIN', ' CERTIFICATE-----\nMIIB') }), []],
    ['a key under another name', facts('deploy', { text: `${HEADER}\nMIIB\n${FOOTER}` }), ['secrets/file-tracked']],
    [
      'a service account under another name',
      facts('x.json', { text: join('{"type": "service_account", "private_key": "-----', 'BEGIN') }),
      ['secrets/file-tracked'],
    ],
    [
      'a login to a cluster under another name',
      facts('prod.yaml', {
        text: `apiVersion: v1\nkind: Config\nusers:\n- user:\n    client-key-data: ${'LS0t'.repeat(8)}\n`,
      }),
      ['secrets/file-tracked'],
    ],
    ['a cluster without a login', facts('c.yaml', { text: 'kind: Config\nusers:\n- user:\n    exec: aws\n' }), []],
    ['an encrypted document', facts('secrets.yaml', { text: 'a: ENC[AES256_GCM,data:x]\nsops:\n' }), []],
    ['a link', facts('.env', { kind: 'link' }), []],
  ])('in a snapshot: %s', (_, file, expected) => {
    expect(rules(file)).toEqual(expected);
  });

  it.each<[string, FileFacts, string[]]>([
    ['one that nothing ignores', facts('sub/.env', { isTracked: false }), ['secrets/file-not-ignored']],
    ['an ignored one', facts('.env', { isTracked: false, isIgnored: true }), []],
    [
      'an .npmrc without a token',
      facts('.npmrc', { isTracked: false, text: 'registry=https://r.example/\n' }),
      ['secrets/file-not-ignored'],
    ],
    ['a tracked .npmrc without a token', facts('.npmrc', { text: 'registry=https://r.example/\n' }), []],
    ['a link that leads nowhere', facts('.env', { isTracked: false, kind: 'dangling-link' }), []],
  ])('in a working copy: %s', (_, file, expected) => {
    expect(rules(file, 'working-copy')).toEqual(expected);
  });
});

describe('what is scanned of a file', () => {
  it('nothing of a link: its blob is a path', () => {
    expect(fileSource({ path: 'docs/link.md', mode: '120000', bytes: Buffer.from('../outside/private.key') })).toEqual(
      {},
    );
  });

  it.each<[string, Buffer]>([
    ['UTF-8 with a mark', Buffer.from('\uFEFFpassword')],
    ['UTF-16 with a mark', Buffer.from('\uFEFFpassword', 'utf16le')],
    ['UTF-16 without one', Buffer.from('password', 'utf16le')],
    ['UTF-16 of the other order', Buffer.from('\uFEFFpassword', 'utf16le').swap16()],
  ])('the text of %s', (_, bytes) => {
    expect(fileSource({ path: 'a', mode: '100644', bytes }).source?.text).toBe('password');
  });

  it('bytes that are no text, as such', () => {
    expect(fileSource({ path: 'a', mode: '100644', bytes: Buffer.from([1, 0, 2, 3, 0, 0, 9]) }).source?.isBinary).toBe(
      true,
    );
  });

  it('nothing over the limit, and that is a finding', () => {
    const { finding } = fileSource({ path: 'a', mode: '100644', bytes: Buffer.alloc(11) }, 10);
    expect(finding?.rule).toBe('secrets/not-scanned');
  });
});
