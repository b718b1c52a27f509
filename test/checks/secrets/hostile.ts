import { allowancesIn, standingOnBase } from '../../../src/checks/secrets/allow.ts';
import { readBaseline } from '../../../src/checks/secrets/baseline.ts';
import { decodeText } from '../../../src/checks/secrets/decode.ts';
import { secretFileFindings } from '../../../src/checks/secrets/files.ts';
import { secretFindings } from '../../../src/checks/secrets/findings.ts';
import { gitConfigFindings } from '../../../src/checks/secrets/git-config.ts';
import { ignoreChangeFindings } from '../../../src/checks/secrets/ignore-changes.ts';
import type { SecretRuleId } from '../../../src/checks/secrets/rules.ts';
import { scanText } from '../../../src/checks/secrets/scan.ts';
import { HEADER, join } from './support/shapes.ts';

type Detect = (text: string) => unknown;

const reported: Detect = (text) => secretFindings([{ place: { at: 'file', path: 'a' }, text }]);
const file =
  (path: string, isTracked = true, isIgnored = false): Detect =>
  (text) =>
    secretFileFindings([{ path, kind: 'file', isTracked, isIgnored, text }], 'working-copy');
const named: Detect = (text) => file(text)('');
const rules = (text: string) => [{ path: '.gitignore', folder: '', text }];
const BASELINE = readBaseline(
  JSON.stringify({
    version: 1,
    salt: '0123456789abcdef',
    entries: [{ rule: 'secrets/jwt', path: 'a', fingerprint: 'a'.repeat(64) }],
  }),
);

/** For each rule, texts that a careless pattern would walk again and again; each is repeated to two lengths. */
export const HOSTILE_SECRETS: Readonly<Record<SecretRuleId, readonly (readonly [unit: string, detect: Detect])[]>> = {
  'secrets/github-token': [
    ['ghp_', scanText],
    ['github_pat_a', scanText],
    ['ghs_1_a.b.', scanText],
  ],
  'secrets/gitlab-token': [
    ['glpat-', scanText],
    ['glpat-a1', scanText],
  ],
  'secrets/npm-token': [
    ['npm_', scanText],
    [':x-oauth-basic@', scanText],
  ],
  'secrets/openai-key': [
    ['sk-', scanText],
    ['sk-proj-a', scanText],
  ],
  'secrets/anthropic-key': [['sk-ant-', scanText]],
  'secrets/google-key': [
    ['1//0a', scanText],
    ['AIza', scanText],
  ],
  'secrets/aws-key': [
    ['ABSKQmVkcm9ja0FQSUtleS', scanText],
    ['ABIA', scanText],
    ['AKIA', scanText],
    ['aws_secret_access_key=', scanText],
  ],
  'secrets/slack-token': [
    ['xoxb-', scanText],
    ['https://hooks.slack.com/', scanText],
  ],
  'secrets/stripe-key': [['sk_live_', scanText]],
  'secrets/jwt': [
    ['eyJ', scanText],
    ['eyJhbGciOiJIUzI1NiJ9.', scanText],
    ['.eyJ', scanText],
  ],
  'secrets/private-key': [
    [`${HEADER}\n`, scanText],
    [`${HEADER}\\n`, scanText],
    [`${HEADER}\nAAAA`, scanText],
    ['PuTTY-User-Key-File-2: x\n', scanText],
  ],
  'secrets/provider-token': [
    ['pypi-AgE', scanText],
    ['sntrys_a', scanText],
    ['AGE-SECRET-KEY-1A', scanText],
    ['dp.st.', scanText],
    ['ATATT3xFfGF0', scanText],
    ['hf_', scanText],
    ['SG.', scanText],
    ['dapi', scanText],
  ],
  'secrets/password': [
    ['curl ', scanText],
    ['curl -u a:b ', scanText],
    ['curl \\\n', scanText],
    ['mysql -p', scanText],
    ['mysql  ', scanText],
    ['sshpass -p ', scanText],
    ['a.password=Sup3r\n', scanText],
    ['--password=a ', scanText],
    ['?password=a&', scanText],
    ['server=a;password=b;', scanText],
    ['a.', scanText],
    ['password=', scanText],
    ['password="', scanText],
    ['pass word: ', scanText],
    [join('pass', 'word: "hunter22"\n'), reported],
  ],
  'secrets/url-password': [
    ['://', scanText],
    ['a://b:', scanText],
    ['://a:b@', scanText],
  ],
  'secrets/generic': [
    ['token: ', scanText],
    ['secret_', scanText],
    ['authorization: bearer ', scanText],
    ['auth_key="a1', scanText],
  ],
  'secrets/git-config': [
    ['[remote "', (text) => gitConfigFindings('.git/config', text)],
    ['url = a\\\n', (text) => gitConfigFindings('.git/config', text)],
    ['extraheader = authorization: ', (text) => gitConfigFindings('.git/config', text)],
    ['url = https://a:b@c\n', (text) => gitConfigFindings('.git/config', text)],
  ],
  'secrets/file-tracked': [
    ['.env', named],
    ['secrets.', named],
    ['-_.', named],
    ['_auth ', file('.npmrc')],
    ['"auth" ', file('.docker/config.json')],
    ['-----BEGIN A ', file('a.pem')],
    ['"type"  "private_key" ', file('a.json')],
    ['kind: Config\n  token: ', file('a.yaml')],
    ['- ', (text) => file('a.yaml')(`kind: Config\n${text}`)],
  ],
  'secrets/file-tracked-ignored': [
    ['id_rsa.', (text) => file(text, true, true)('')],
    ['a/.env', (text) => file(text, true, true)('')],
  ],
  'secrets/file-not-ignored': [
    ['service-account', (text) => file(text, false)('')],
    ['.env.example', (text) => file(text, false)('')],
  ],
  'secrets/ignore-rule-removed': [
    ['.env\n', (text) => ignoreChangeFindings(rules(text.slice(0, 8000)), rules(''))],
    ['*a', (text) => ignoreChangeFindings(rules(text.slice(0, 900)), rules(''))],
  ],
  'secrets/allow-unconfirmed': [
    ['// countersign:allow secrets/jwt -- x\n', (text) => standingOnBase(text, text)],
    [`${HEADER} // countersign:allow secrets/private-key -- x\n`, reported],
  ],
  'secrets/allow-malformed': [
    ['// countersign:allow ', allowancesIn],
    ['# countersign:allow secrets/jwt --   ', allowancesIn],
  ],
  'secrets/allow-unused': [['# countersign:allow secrets/jwt -- a\n', reported]],
  'secrets/baseline-unused': [
    ['a\r', (text) => secretFindings([{ place: { at: 'file', path: 'a' }, text }], BASELINE)],
    [
      join('pass', 'word: "hunter22"\n'),
      (text) => secretFindings([{ place: { at: 'file', path: 'a' }, text }], BASELINE),
    ],
  ],
  'secrets/not-scanned': [
    ['\0', (text) => decodeText(Buffer.from(text))],
    ['a\0', (text) => decodeText(Buffer.from(text))],
    ['\u{fffd}', (text) => decodeText(Buffer.from(text))],
  ],
};
