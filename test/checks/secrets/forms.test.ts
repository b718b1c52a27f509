import { describe, expect, it } from '@jest/globals';
import { isAtLeast } from '../../../src/checks/secrets/match.ts';
import { scanText } from '../../../src/checks/secrets/scan.ts';
import { join } from './support/shapes.ts';

const SIGNS = 'q7Rk2mZx9Wb4TnV8cLd3HsY6fJp5GaE1uKo0';
const signs = (length: number) => SIGNS.repeat(Math.ceil(length / SIGNS.length)).slice(0, length);
const hex = (length: number) => 'a1b2c3d4e5f60798'.repeat(Math.ceil(length / 16)).slice(0, length);
const PW = join('Sup3rS', '3cret');

async function reported(text: string): Promise<string[]> {
  return (await scanText(text)).filter(({ confidence }) => isAtLeast(confidence, 'likely')).map(({ rule }) => rule);
}

const TOKENS: readonly (readonly [string, string])[] = [
  ['anthropic-key', join('sk-', 'ant-', signs(80))],
  ['anthropic-key', join('sk-', 'ant-new02-', signs(80))],
  ['openai-key', join('sk', '-', hex(32))],
  ['gitlab-token', join('gl', 'wt-', signs(20))],
  ['gitlab-token', join('gl', 'rt-t1_', signs(27), '.01.', hex(9))],
  ['gitlab-token', join('GR13', '48941', signs(20))],
  ['slack-token', join('https://hooks.sl', 'ack-gov.com/services/T0A1B2C3D/B0A1B2C3D/', signs(24))],
  ['google-key', join('1/', '/0', signs(60))],
  ['aws-key', join('AB', 'IA', 'Q7RK2MZX9WB4TNV8')],
  ['aws-key', join('AC', 'CA', 'Q7RK2MZX9WB4TNV8')],
  ['aws-key', join('ABSK', 'QmVkcm9ja0FQSUtleS', signs(100))],
  ['provider-token', join('py', 'pi-AgEIcHlwaS5vcmc', signs(80))],
  ['provider-token', join('xa', 'i-', signs(80))],
  ['provider-token', join('pp', 'lx-', signs(48))],
  ['provider-token', join('r', '8_', signs(37))],
  ['provider-token', join('h', 'f_', signs(34))],
  ['provider-token', join('do', 'p_v1_', hex(64))],
  ['provider-token', join('nt', 'n_', signs(46))],
  ['provider-token', join('sntr', 'ys_', signs(80))],
  ['provider-token', join('ATAT', 'T3xFfGF0', signs(170))],
  ['provider-token', join('sb', 'p_', hex(40))],
  ['provider-token', join('dp', '.pt.', signs(43))],
  ['provider-token', join('AGE-SEC', 'RET-KEY-1', 'Q7RK2MZX9W'.repeat(6)).slice(0, 74)],
  ['provider-token', join('https://dis', 'cord.com/api/webhooks/112837465019283746/', signs(68))],
  ['provider-token', join('7123456789', ':AA', signs(33))],
  ['provider-token', join('PM', 'AK-', hex(24), '-', hex(34))],
  ['provider-token', join('NR', 'AK-', 'Q7RK2MZX9WB4TNV8CLD3HSY6FJP')],
  ['provider-token', join('nf', 'p_', signs(36))],
  ['provider-token', join('ruby', 'gems_', hex(48))],
  ['provider-token', join('oy', '2', signs(43).toLowerCase())],
  ['provider-token', join('xkey', 'sib-', hex(64), '-', signs(16))],
  ['provider-token', join('pu', 'l-', hex(40))],
  ['provider-token', join('bk', 'ua_', hex(40))],
  ['provider-token', join(signs(14), '.atl', 'asv1.', signs(67))],
  ['provider-token', join('psc', 'ale_tkn_', signs(43))],
  ['provider-token', join('https://a.test/c?sv=1&s', 'ig=', signs(43), '%3D')],
  ['provider-token', join('sq0', 'atp-', signs(22))],
  ['provider-token', join('dt0', 'c01.', 'Q7RK2MZX9WB4TNV8CLD3HSY6', '.', 'Q7RK2MZX9WB4TNV8'.repeat(4))],
  ['provider-token', join('ls', 'v2_pt_', hex(32), '_', hex(10))],
  ['provider-token', join('pc', 'sk_', signs(6), '_', signs(63))],
  ['provider-token', join('tv', 'ly-', signs(32))],
  ['provider-token', join('e2', 'b_', hex(40))],
  ['provider-token', join('Fly', 'V1 fm2_', signs(120))],
  ['provider-token', join('CCI', 'PAT_', signs(22), '_', hex(40))],
  ['provider-token', join('sq', 'p_', hex(40))],
  ['provider-token', join('cmVm', 'dGtuOjAx', signs(52))],
  ['provider-token', join('AK', 'Cp', signs(69))],
  ['provider-token', join('CF', 'PAT-', signs(43))],
  ['provider-token', join('HR', 'KU-AA', signs(60))],
  ['provider-token', join('sk', '.eyJ', signs(70), '.', signs(22))],
  ['provider-token', join('sg', 'p_', hex(16), '_', hex(40))],
  ['provider-token', join('nv', 'api-', signs(64))],
  ['provider-token', join('cs', 'k-', signs(48).toLowerCase())],
];
const PLACES: Readonly<Record<string, (token: string) => string>> = {
  'by itself': (token) => token,
  'in quotes': (token) => `const k = "${token}";`,
  'in an environment file': (token) => `\nKEY=${token}\r\n`,
  'in a document': (token) => `k: ${token}`,
  'in a sentence': (token) => `The key is ${token}.`,
  'in code': (token) => `\`${token}\``,
  'in a URL': (token) => `see http://host.test/?k=${token}&x=1`,
};

describe("providers' forms", () => {
  it.each(TOKENS)('%s: each of its forms, wherever it stands', async (rule, token) => {
    for (const [place, put] of Object.entries(PLACES)) {
      if (token.includes('://') && place === 'in a URL') continue;
      expect([place, await reported(put(token))]).toEqual([place, [`secrets/${rule}`]]);
    }
  });

  it.each([
    'sk-ant-' + 'made-of-words-only-'.repeat(4),
    'xai-' + 'x'.repeat(80),
    'sk-' + hex(31),
    'task-' + hex(32),
    'h1//0' + 'a'.repeat(10),
    'https://example.com/1//0/a',
    'pypi-AgE-notes',
  ])('none in %s', async (text) => {
    expect(await reported(text)).toEqual([]);
  });
});

describe('passwords without quotes', () => {
  it.each([
    `db.password=${PW}`,
    `spring.datasource.password=${PW}\r\nspring.datasource.url=x`,
    `db.password=${join('hunt', 'er2')}`,
    `password=${PW}`,
    `Server=db;Database=x;User Id=sa;Password=${PW};`,
    `"Server=tcp:db,1433;Uid=sa;Password=${join('letme', 'inplease')};"`,
    `jdbc:postgresql://db.test/x?user=a&password=${PW}`,
    `tool login --password=${PW} host`,
    `os.environ["DB_PASSWORD"] = "${PW}"`,
    `process.env['API_TOKEN'] = '${signs(32)}'`,
  ])('%s', async (text) => {
    expect(await reported(text)).toHaveLength(1);
  });

  it.each([
    `password = ${PW}`,
    'this.password=first2',
    'self.password = pw1',
    'user.password = hash2',
    'password = generated1',
    'db.password=${DB_PASSWORD}',
    'db.password=changeme',
    'db.password=',
    'user.password=hash2;',
    'tool login --password=file',
    'tool login --password=<password>',
    'tool login --password-stdin',
    'https://host.test/reset?user=a&password=${PASSWORD}',
    'Server=db;Password={0};',
    'Server=db;Password=********;',
    'const x = a["password"] === b',
  ])('none in %s', async (text) => {
    expect(await reported(text)).toEqual([]);
  });
});

describe('passwords on a command line', () => {
  it.each([
    ['curl -u', `curl -u admin:${PW} https://api.test/v1`],
    ['with options before it', `curl -sS -X POST --user "admin:${PW}" https://api.test/v1`],
    ['over several lines', `curl -sS \\\n  -H 'accept: x' \\\n  -u 'admin:${PW}' \\\n  https://api.test`],
    ['without a space', `curl -uadmin:${PW} https://api.test`],
    ['of a proxy', `curl --proxy-user=admin:${PW} https://api.test`],
    ['mysql', `mysql -h db.test -u root -p${PW} shop`],
    ['mysqldump, quoted', `RUN mysqldump -u root -p'${PW}' shop > shop.sql`],
    ['sshpass', `sshpass -p ${PW} ssh root@host.test`],
    ['sshpass, quoted', `sshpass -p "${PW}" ssh root@host.test`],
    ['generated', `curl -u api:${signs(24)} https://api.test`],
  ])('%s', async (_, text) => {
    expect(await reported(text)).toEqual(['secrets/password']);
  });

  it.each([
    'curl -u "$USER:$PASS" https://api.test',
    'curl -u admin:${PASSWORD} https://api.test',
    'curl -u admin:<password> https://api.test',
    'curl -u admin:password https://api.test',
    'curl -u admin:admin https://api.test',
    'curl -u user https://api.test',
    'curl -u elastic:changeme localhost:9200',
    'curl -u alice:wonderland https://api.test',
    `curl https://api.test | grep -u x:${PW}`,
    `libcurl -u admin:${PW}`,
    'mysql -u root -p shop',
    'mysql -u root -p"$MYSQL_PWD" shop',
    'mysql -P 3306 --protocol tcp',
    'sshpass -e ssh root@host.test',
    'sshpass -p "$PW" ssh root@host.test',
    'we use mysql and -pretty output',
  ])('not in %s', async (text) => {
    expect(await reported(text)).toEqual([]);
  });
});

describe('a key block whose body was left out', () => {
  const header = join('-----BEGIN', ' PRIV', 'ATE KEY-----');
  it.each(['<your key>', '...', '[redacted]', '${KEY}', '{{ key }}', 'xxxxxxxx', '   …'])('%s', async (said) => {
    expect(await reported(`${header}\n${said}\n`)).toEqual([]);
    expect(await reported(`key: |\n  ${header}\n  ${said}\n`)).toEqual([]);
  });

  it.each(['', '\n', '\nother: text\n', '\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKc\n'])('not so: %j', async (rest) => {
    expect(await reported(header + rest)).toEqual(['secrets/private-key']);
  });
});
