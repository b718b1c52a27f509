import { describe, expect, it } from '@jest/globals';
import {
  gitConfigCredentials,
  gitConfigFindings,
  gitConfigIncludes,
  gitFileTarget,
} from '../../../src/checks/secrets/git-config.ts';

const PW = ['pa55', 'word'].join('');
const BASIC = Buffer.from('x:abcdefgh').toString('base64');
const remote = (url: string) => `[remote "origin"]\n\turl = ${url}\n`;

describe('credentials in a git configuration', () => {
  it.each([
    remote(`https://user:${PW}@github.com/o/r.git`),
    remote(`http://user:${PW}@host.test/r.git`),
    remote(`https://x-access-token:${'a'.repeat(20)}@github.com/o/r.git`),
    remote(`https://user:${'pa:ss'}@host.test/r.git`),
    remote(`https://user:${'p%2Fss'}@host.test/r.git`),
    remote(`HTTPS://user:${PW}@host.test/r.git`),
    remote(`ssh://user:${PW}@host.test/r.git`),
    remote(`ftp://user:${PW}@host.test/r.git`),
    remote(`https://user:"${PW}"@github.com/o/r.git`),
    remote(`https://:${PW}@host.test/r.git`),
    remote(`https://user:${['pa55', 'word'].join('@')}@host.test/r.git`),
    remote('https://user:secret@host.test/r.git'),
    remote('https://u:p@host.test/r.git'),
    remote('https://postgres:postgres@localhost/r.git'),
    remote(`https://${'a1'.repeat(20)}@github.com/o/r.git`),
    `[http]\n\tproxy = http://user:${PW}@proxy.test:3128\n`,
    `# url = https://user:${PW}@host.test/r.git\n`,
    `[url "https://user:${PW}@host.test/"]\n\tinsteadOf = x:\n`,
    `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${BASIC}\n`,
    '[http]\n\textraHeader = PRIVATE-TOKEN: abcdefgh\n',
    '[http]\n\textraHeader = X-Api-Key: abcdefgh\n',
    '[http]\n\textraHeader = "Cookie: session=abcdefgh"\n',
    remote(`https://host.test/r.git?private_token=${PW}`),
    `[sendemail]\n\tsmtpPass = ${PW} ; for the list\n`,
    `[imap]\n\tpass = "${PW}"\n`,
    `[github]\n\toauth-token = ${PW}\n`,
    `[credential]\n\thelper = "!f() { echo username=u; echo password=${PW}; }; f"\n`,
    `[remote "o"]\n\turl = https://user:${PW.slice(0, 4)}\\\n${PW.slice(4)}@host.test/r.git\n`,
  ])('%j', (text) => {
    expect(gitConfigCredentials(text)).toHaveLength(1);
    expect(JSON.stringify(gitConfigFindings('.git/config', text))).not.toMatch(/pa55|a1a1|eDph|abcdefgh/);
  });

  it.each([
    remote('https://github.com/o/r.git'),
    remote('https://user@host.test/r.git'),
    remote('git@github.com:o/r.git'),
    remote('https://user:@host.test/r.git'),
    remote('https://host.test/a:b@c/r.git'),
    remote('https://user:<token>@host.test/r.git'),
    remote('https://user:***@host.test/r.git'),
    remote('https://user:changeme@host.test/r.git'),
    remote('https://user:${TOKEN}@host.test/r.git'),
    '[http]\n\textraheader = AUTHORIZATION: bearer ${TOKEN}\n',
    '[http]\n\textraheader = Cookie: ${COOKIE}\n',
    '[http]\n\textraheader = Accept: text/html-and-more\n',
    '[http]\n\tsslCertPasswordProtected = true\n\tcookieFile = /home/a/cookies\n',
    '[core]\n\taskPass = /usr/bin/ksshaskpass\n',
    '[gitlab]\n\ttoken = ${GITLAB_TOKEN}\n',
    '[credential]\n\thelper = "!f() { echo password=$TOKEN; }; f"\n',
    '[credential]\n\thelper = store\n',
    remote('https://host.test/r.git?private_token=${TOKEN}'),
    '[',
    '',
  ])('none in %j', (text) => {
    expect(gitConfigCredentials(text)).toEqual([]);
  });

  it('are looked for without delay in a hostile text', () => {
    for (const piece of ['password=', '?token=abcd&', 'x.pass = ', 'a://', 'a://b:', 'a://b:c@', 'a', '://:'])
      expect(Array.isArray(gitConfigCredentials(`url = ${piece.repeat(50_000)}`))).toBe(true);
  });

  it('tells where: line, key, kind and length', () => {
    expect(gitConfigCredentials(remote(`https://u:${PW}@h.test/`))).toEqual([
      { line: 2, key: 'remote.url', provider: 'password in a URL', length: 8 },
    ]);
  });

  it('reads includes and the target of a .git file', () => {
    expect(
      gitConfigIncludes('[include]\n\tpath = ../a.cfg\n[includeIf "gitdir:x"]\n\tpath = "b"\n[core]\n\tpath = c'),
    ).toEqual(['../a.cfg', 'b']);
    expect(gitFileTarget('gitdir: ../real/.git\n')).toBe('../real/.git');
    expect(gitFileTarget('x')).toBeUndefined();
  });

  it.each(['[', '[a "', '\\\n', '"\\', 'url = http://a:b', '# x', '[a "\\"'])(
    'takes 200,000 characters of %j',
    (unit) => {
      expect(gitConfigCredentials(unit.repeat(200_000 / unit.length))).toEqual([]);
    },
  );
});
