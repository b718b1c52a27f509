import { describe, expect, it } from '@jest/globals';
import { hasTokenChecksum, tokenChecksum } from '../../../src/checks/secrets/checksum.ts';
import {
  loadMaintainedRules,
  MAINTAINED_RULES,
  presetRuleNames,
  REPLACED_RULES,
} from '../../../src/checks/secrets/maintained-rules.ts';
import { ASSIGNMENT_KEYWORDS } from '../../../src/checks/secrets/assignments.ts';
import { PROVIDER_PATTERNS } from '../../../src/checks/secrets/provider-patterns.ts';
import { redact, scanText, scanTextNow } from '../../../src/checks/secrets/scan.ts';
import { FOOTER, GITHUB, HEADER, join } from './support/shapes.ts';

const jwt = (header: object, payload: object) =>
  [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  `.${'s'.repeat(20)}`;
const basic = (text: string) => Buffer.from(text).toString('base64');

/** Rule (without its folder), confidence and line of each match. */
async function found(text: string): Promise<string[]> {
  return (await scanText(text)).map(
    ({ rule, confidence, start }) => `${rule.slice(8)} ${confidence} ${text.slice(0, start).split('\n').length}`,
  );
}

describe('credentials in a text', () => {
  it.each<[string, string, string[]]>([
    [
      'a GitHub token beside a lock file checksum',
      `"integrity": "sha512-${'Zm9vYmFy'.repeat(10)}Zg==",\n"resolved": "https://user:${GITHUB}@registry.example.com/a.tgz",\n`,
      ['github-token likely 2'],
    ],
    ['a token whose line says "example"', `TOKEN=${GITHUB} # example for the prod cluster`, ['github-token likely 1']],
    ['a token right after an escaped line end', String.raw`"a\n${GITHUB}"`, ['github-token likely 1']],
    [
      'a token whose checksum is right',
      join('gh', 'p_', 'a'.repeat(30), tokenChecksum('a'.repeat(30))),
      ['github-token certain 1'],
    ],
    [
      'an installation token of the new form',
      `${join('gh', 's_', '12345_')}${jwt({ alg: 'RS256' }, { iss: 'a' })}`,
      ['github-token likely 1'],
    ],
    ['a fine-grained token', join('github', '_pat_', 'a1B2'.repeat(21)).slice(0, 93), ['github-token likely 1']],
    ['a GitLab token', join('gl', 'pat-', 'a1B2c3D4e5F6g7H8i9J0'), ['gitlab-token likely 1']],
    ['an npm token', join('np', 'm_', 'a1B2c3D4e5F6'.repeat(3)), ['npm-token likely 1']],
    ['an Anthropic key', join('s', 'k-ant-api03-', 'a'.repeat(40), '-', 'b'.repeat(40)), ['anthropic-key likely 1']],
    ['an OpenAI project key', join('s', 'k-proj-', 'aB3_'.repeat(20)), ['openai-key likely 1']],
    ['an OpenAI key of the old form', join('s', 'k-', 'aB3d'.repeat(12)), ['openai-key likely 1']],
    ['a Google key', join('AI', 'za', 'SyB1'.repeat(9)).slice(0, 39), ['google-key likely 1']],
    ['an AWS key id', join('AK', 'IA', 'Q7RK2MZX9WB4TNV8'), ['aws-key likely 1']],
    ['an AWS temporary key id', join('AS', 'IA', 'Q7RK2MZX9WB4TNV8'), ['aws-key likely 1']],
    [
      'an AWS secret key by its name',
      `AWS_SECRET_ACCESS_KEY=${'q7Rk2mZx9W/4TnV8cLd3'.repeat(2)}`,
      ['aws-key likely 1'],
    ],
    [
      'a Slack app token',
      join('xa', 'pp-1-', 'A'.repeat(11), '-', '1'.repeat(12), '-', 'a'.repeat(64)),
      ['slack-token likely 1'],
    ],
    ['a Stripe key', join('s', 'k_live_', 'a1B2c3D4e5F6g7H8i9J0k1L2'), ['stripe-key likely 1']],
    ['a web token that decodes', `Bearer ${jwt({ alg: 'HS256' }, { sub: 'x' })}`, ['jwt likely 1']],
    [
      'a web token that only looks so',
      `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`,
      ['jwt possible 1'],
    ],
    [
      'a Hugging Face token, by a maintained rule',
      join('h', 'f_', 'aBcDefGhIjKlMnOpQrStUvWxYzAbCdEfGh'),
      ['provider-token likely 1'],
    ],
    ['a key block', `${HEADER}\n${'MIIEowIBAAKCAQEA'.repeat(8)}\n${FOOTER}`, ['private-key certain 1']],
    ['a header line alone', join('-----BEGIN', ' PRIV', 'ATE KEY', '-----', '\n'), ['private-key likely 1']],
    [
      'a key inside a JSON string',
      String.raw`{"k": "${HEADER}\n${'MIIEowIBAAKCAQEA'.repeat(4)}\n"}`,
      ['private-key certain 1'],
    ],
    ['a JSON password', join('{"pass', 'word": "correct horse"}'), ['password likely 1']],
    ['a password in escaped JSON', join('"{\\"pass', 'word\\": \\"hunter22\\"}"'), ['password likely 1']],
    ['a password of an environment file', join('DB_PASS', 'WORD=hunter2'), ['password likely 1']],
    ['a password in YAML', join('db:\n  pass', 'word: Hunter2!x'), ['password likely 2']],
    ['a password in XML', join('<pass', 'word>hunter2x</password>'), ['password likely 1']],
    ['a Spanish name, composed', join('contra', 'seña = "caballo correcto"'), ['password likely 1']],
    ['a Spanish name, decomposed', join('contra', 'sen\u0303a = "caballo correcto"'), ['password likely 1']],
    ['a generated value of an API key', join('api', 'Key = "a8f5f167f44f4964e6c998dee827110c"'), ['generic likely 1']],
    ['a word as an API key', 'const apiKey = "correcthorse"', ['generic possible 1']],
    [
      'an npm login',
      `//r.example/:_authToken=${join('0123abcd-', '0123-4567-89ab-0123456789ab')}\n_auth=${basic('user:hunter22hunter')}`,
      ['generic likely 1', 'generic likely 2'],
    ],
    ['a basic authorization', `Authorization: Basic ${basic('user:hunter22')}`, ['generic likely 1']],
    ["Docker's login", `{"auths":{"r":{"auth":"${basic('user:hunter22')}"}}}`, ['generic likely 1']],
    ['a colon in a URL password', join('https://user:', 'pa:ss@host.test/r.git'), ['url-password likely 1']],
    ['a database URL', join('postgres://app:', 'S3cr3t!@db.internal/app'), ['url-password likely 1']],
  ])('are found: %s', async (_, text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['placeholders of an environment file', 'SECRET_KEY=replace-me-before-deploy\nAPI_KEY=\n'],
    [
      'references',
      '//r.example.com/:_authToken=${NPM_TOKEN}\npassword: {{ pw }}\nTOKEN=$(cat x)\nhttps://u:${T}@h.test',
    ],
    [
      'a header in prose and an elided block',
      `Look for a line that reads ${HEADER} and stop.\n${HEADER}\nMIIE...\n${FOOTER}\n`,
    ],
    ['a header in an expression', `if (text.includes('${HEADER}')) return '${HEADER}\\n' + body;`],
    ['hyphenated words', 'see docs/desk-review-of-quarterly-trends.md and brisk-walk-through-autumn-hills'],
    ['a Google key that is one short', join('AI', 'zaSy', 'B'.repeat(32))],
    ['assignments of a program', 'const password = getPassword(); password: string; this.password = req.body.password'],
    ['a password without quotes and with blanks', 'password = hunter2hunter2'],
    ['a value of five characters', 'secret = "12345"'],
    ['longer words', 'turkey = "gobble gobble"'],
    ['name and value on two lines', 'Token rule: see below.\n\nUse "skills/a/SKILL.md".'],
    ['ordinary keys', '<li key="sidebar-item">x</li>\n  key: "node-modules-v1"\n{ key: "common.title" }'],
    ['a stand-in', 'password = "changeme"'],
    ['a user name in a URL', 'https://user@host.test/r.git git@github.com:o/r.git'],
    ['the same word twice in a URL', 'postgres://postgres:postgres@localhost/db'],
  ])('are not: %s', async (_, text) => {
    expect(await found(text)).toEqual([]);
  });

  it('a dummy that says so is only possible', async () => {
    expect(await found(join('AK', 'IA', 'IOSFODNN7EXAMPLE'))).toEqual(['aws-key possible 1']);
  });

  it('a wrong checksum never hides a token', () => {
    expect(hasTokenChecksum(GITHUB)).toBe(false);
    expect(scanTextNow(GITHUB)).toHaveLength(1);
  });
});

describe("secretlint's rules", () => {
  it('are all run or left out for a reason', async () => {
    const known = [...Object.keys(MAINTAINED_RULES), ...Object.keys(REPLACED_RULES)];
    expect((await presetRuleNames()).sort()).toEqual(known.sort());
  });

  it('cannot be switched off by the text', async () => {
    const token = join('h', 'f_', 'aBcDefGhIjKlMnOpQrStUvWxYzAbCdEfGh');
    expect(await found(`// secretlint-disable\n${token}`)).toEqual(['provider-token likely 2']);
  });

  it('find what lies beyond the first window', async () => {
    const token = join('h', 'f_', 'aBcDefGhIjKlMnOpQrStUvWxYzAbCdEfGh');
    expect(await found(`hf_\n${'x'.repeat(4070)} ${token} ${'y'.repeat(5000)} ${token}`)).toHaveLength(2);
  });
});

describe('redact', () => {
  it('replaces values and leaves the rest', async () => {
    const maintained = await loadMaintainedRules();
    expect(redact(`a ${GITHUB} b\n${join('{"pass', 'word": "correct horse"}')}`, maintained)).toBe(
      'a [redacted GitHub token, 40 characters] b\n{"password": "[redacted password, 13 characters]"}',
    );
  });

  it('changes nothing the second time', () => {
    const once = redact(`token = "${GITHUB}"\nhttps://u:${join('hunter', '22')}@h.test/ ${HEADER}\nabc`);
    expect(redact(once)).toBe(once);
  });
});

describe('hostile texts', () => {
  const LENGTH = 40_000;
  const keywords = [
    ...new Set([
      ...PROVIDER_PATTERNS.flatMap((pattern) => pattern.keywords),
      ...Object.values(MAINTAINED_RULES).flatMap((rule) => rule.keywords),
      ...ASSIGNMENT_KEYWORDS,
      'eyJ',
      '://',
      'a://b:',
      HEADER,
      `${HEADER}\nAAAA`,
      'PuTTY-User-Key-File-2: x\n',
      'countersign:allow ',
    ]),
  ];
  // The steps are bounded, so a run that ends at all has shown it: a pattern that backtracks would take hours.
  it.each(keywords)(
    'made of %j',
    async (keyword) => {
      const maintained = await loadMaintainedRules();
      for (const unit of [keyword, `${keyword}="`, `${keyword}a1.b2-c3_`]) {
        const text = unit.repeat(Math.ceil(LENGTH / unit.length));
        expect(scanTextNow(text, maintained).every(({ start, end }) => start < end && end <= text.length)).toBe(true);
      }
    },
    120_000,
  );

  it('a line of a megabyte', () => {
    expect(scanTextNow(`${'a = b; '.repeat(150_000)}${GITHUB}`)).toHaveLength(1);
  });
});
