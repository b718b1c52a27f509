import { describe, expect, it } from '@jest/globals';
import { isCounting } from '../../../src/checks/secrets/entropy.ts';
import { scanText } from '../../../src/checks/secrets/scan.ts';
import { FOOTER, GITHUB, HEADER, join } from './support/shapes.ts';

async function reported(text: string): Promise<string[]> {
  return (await scanText(text)).flatMap(({ rule, confidence }) => (confidence === 'possible' ? [] : [rule]));
}

const COUNTED = join('1234567890', 'abcdef1234', '1234567890', 'abcdef1234');
const basic = (text: string) => Buffer.from(text).toString('base64');

describe('what documents and programs hold, and is no secret', () => {
  it.each<[string, string]>([
    [
      'an elided key in a string, far above long words',
      `privateKey: "${HEADER}\\n...",\nclientId: "${'word'.repeat(20)}"`,
    ],
    ['a header that is compared', `return key.includes("${HEADER}");\n}\n\nconst ${'name'.repeat(20)} = 1;`],
    ['a header in a message', `throw new Error("only '${HEADER}'. It is\\n" + ${'name'.repeat(20)})`],
    ['a counted key', `clientSecret: "${COUNTED}"`],
    ['a counted key with a slip', `clientSecret: "${join('1234567890', 'abcdef12347890', 'abcdef12345678')}"`],
    ['a login of counted values', `"authorization": "basic ${basic(`${COUNTED.slice(0, 20)}:${COUNTED}`)}"`],
    [
      'a token that spells what it is',
      `createTokenAuth("${join('gh', 'p_PersonalAccessToken0124567890', '0000000')}")`,
    ],
    ['a token of zeros', `token: '${join('gh', 'u_InstallationUserToServer', '0'.repeat(12))}'`],
    ["a provider's published sample", `botToken: "123456:${join('ABC-DEF1234', 'ghIkl-zyx57W2v1u123ew11')}"`],
    ['a token that ends in zeros', `createTokenAuth("${join('gh', 's_InstallallationOrActionToken', '0'.repeat(8))}")`],
    ['an anonymous login', `url.parse("${join('https://anonymous', ':flabada@developer.example.dev/x')}")`],
    ['a name given to itself', 'exports.AuthenticationMD5Password = AuthenticationMD5Password;'],
    ['a word and a sign', "password: 'secret!'"],
    ['words for a value', "password: 'secret-value', dbPassword: 'db-password'"],
  ])('%s', async (_, text) => {
    expect(await reported(text)).toEqual([]);
  });
});

describe('what looks alike and is one', () => {
  it.each<[string, string, string]>([
    ['a key without a footer in a string', `"${HEADER}\\n${'MIIEowIBAAKCAQEA'.repeat(4)}\\n"`, 'secrets/private-key'],
    [
      'a key of concatenated strings',
      `"${HEADER}\\n" +\n  "${'MIIEowIBAAKCAQEA'.repeat(4)}\\n" +\n`,
      'secrets/private-key',
    ],
    [
      'a commented key with headers of its own',
      `# ${HEADER}\n# Proc-Type: 4,ENCRYPTED\n# DEK-Info: AES-256-CBC,0123\n#\n# ${'MIIEowIBAAKCAQEA'.repeat(4)}\n# ${FOOTER}`,
      'secrets/private-key',
    ],
    ['a generated value beside counting', join('api', 'Key = "a8f5f167f44f4964e6c998dee827110c"'), 'secrets/generic'],
    ['a login', `Authorization: Basic ${basic('user:hunter22')}`, 'secrets/generic'],
    ['a token beside the word', `accessToken = "${GITHUB}"`, 'secrets/github-token'],
    ['a password of a word and more', join('pass', "word: 'secret-Zebra7'"), 'secrets/password'],
  ])('%s', async (_, text, rule) => {
    expect(await reported(text)).toEqual([rule]);
  });
});

it.each<[string, boolean]>([
  ['0123456789abcdef0123456789abcdef', true],
  ['abcdefghijklmnopqrstuvwxyz', true],
  [COUNTED, true],
  ['a8f5f167f44f4964e6c998dee827110c', false],
  ['0123abcd-0123-4567-89ab-0123456789ab', false],
  ['aaaaaaaaaaaaaaaaaaaaaaaa', false],
  ['0123456789abcde', false],
])('counting: %s %s', (value, expected) => {
  expect(isCounting(value)).toBe(expected);
});
