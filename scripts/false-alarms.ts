// Runs both detectors over this project's own history and the trees of ten installed packages, and writes what they
// found, with a person's judgement of each, to docs/reference/false-alarms.md: node scripts/false-alarms.ts [--check]
// Exit code 1: an alarm is judged false, or not judged at all, or something was not looked at.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as prettier from 'prettier';
import { main } from '../src/cli/program.ts';
import { placeText } from '../src/render/words.ts';
import { scanReportSchema } from '../src/gate/scan-report.ts';
import type { ScanReport } from '../src/gate/scan-report.ts';
import { JUDGED } from './false-alarms/judged.ts';

const ROOT = resolve(import.meta.dirname, '..');
const REPORT = 'docs/reference/false-alarms.md';
/** Of many kinds: readers, tools, types, servers, documentation with and without sample credentials. */
const PACKAGES = [
  '@octokit/core',
  '@types/node',
  'ajv',
  'commander',
  'dependency-cruiser',
  'eslint',
  'prettier',
  'probot',
  'yaml',
  'zod',
] as const;
const CHECKS = ['attribution', 'secrets'] as const;

interface Subject {
  readonly name: string;
  readonly text: string;
  readonly target: readonly string[];
}

interface Alarm {
  readonly subject: string;
  readonly finding: ScanReport['findings'][number];
  readonly verdict: 'right' | 'false' | 'not judged';
  readonly why: string;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const rows: string[] = [];
  const alarms: Alarm[] = [];
  let isWhole = true;
  for (const subject of subjects()) {
    const scans = await Promise.all(CHECKS.map((check) => scan(check, subject.target)));
    const [attribution, secrets] = scans;
    isWhole &&= scans.every(({ unread }) => unread.length === 0);
    alarms.push(...scans.flatMap(({ findings }) => findings.map((finding) => judged(subject.name, finding))));
    rows.push(`| ${subject.text} | ${sizeOf(secrets)} | ${count(attribution)} | ${count(secrets)} |`);
    for (const { what, why } of scans.flatMap(({ unread }) => unread)) console.error(`not looked at: ${what}: ${why}`);
  }
  const open = alarms.filter(({ verdict }) => verdict !== 'right');
  for (const { subject, finding, verdict } of open)
    console.error(`${verdict}: ${subject}: ${finding.rule} at ${placeText(finding.place)}: ${finding.message}`);
  if (!values.check) {
    const filepath = join(ROOT, REPORT);
    const options = await prettier.resolveConfig(filepath, { editorconfig: true });
    writeFileSync(filepath, await prettier.format(page(rows, alarms), { ...options, filepath }));
  }
  console.log(`${alarms.length} alarms, ${open.length} of them false or not judged`);
  process.exitCode = open.length > 0 || !isWhole ? 1 : 0;
}

function subjects(): Subject[] {
  const history = { name: 'history', text: 'this project, every commit', target: ['--range', 'HEAD'] };
  return [
    history,
    ...PACKAGES.map((name) => {
      const folder = join('node_modules', name);
      const { version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as { version: string };
      return { name, text: `${name} ${version}`, target: [folder] };
    }),
  ];
}

async function scan(check: (typeof CHECKS)[number], target: readonly string[]): Promise<ScanReport> {
  let out = '';
  const canvas = { columns: 10_000, colour: false, progress: false };
  const terminal = {
    ...canvas,
    out: (text: string) => void (out += text),
    err: (text: string) => void console.error(text),
  };
  const code = await main(['scan', check, ...target, '--root', ROOT, '--json'], terminal, ROOT);
  if (out === '') throw new Error(`scan ${check} ${target.join(' ')} ended with ${code}`);
  return scanReportSchema.parse(JSON.parse(out));
}

function judged(subject: string, finding: Alarm['finding']): Alarm {
  const where = `${subject} ${placeText(finding.place)}`;
  const judgement = JUDGED.find((one) => one.rule === finding.rule && where.startsWith(one.where));
  return { subject, finding, verdict: judgement?.verdict ?? 'not judged', why: judgement?.why ?? '' };
}

function sizeOf(report: ScanReport | undefined): string {
  if (report === undefined) return '';
  const { commits, files, bytes } = report.looked_at;
  if (commits > 0) return `${commits} commits`;
  return `${files} files, ${(bytes / 1_000_000).toFixed(1)} MB`;
}

function count(report: ScanReport | undefined): number {
  return report?.findings.length ?? 0;
}

function page(rows: readonly string[], alarms: readonly Alarm[]): string {
  const list = alarms.map(({ subject, finding, verdict, why }) => {
    const message = finding.message.replace(/, added by commit.*$/, '').replaceAll('|', '\\|');
    return `| ${finding.rule} | ${subject}, \`${placeText(finding.place)}\` | ${message} | ${verdict}: ${why} |`;
  });
  const wrong = alarms.filter(({ verdict }) => verdict !== 'right').length;
  return `# False alarms

<!-- Generated by \`npm run false-alarms\`; the judgements stand in scripts/false-alarms/judged.ts. -->

Both detectors over this project's whole history and the full trees of ten installed packages, with the default
configuration. Alarms that a person would call false: **${wrong}**.

| what | looked at | alarms of attribution | alarms of secrets |
| --- | --- | --- | --- |
${rows.join('\n')}

## Every alarm, and what a person says of it

${list.length === 0 ? 'There is none.' : `| rule | place | finding | judgement |\n| --- | --- | --- | --- |\n${list.join('\n')}`}

## What was mended for it

Run over all of \`node_modules\` (some 17,000 files, 230 MB), the first version raised these alarms; each is a test in
\`test/checks/secrets/false-alarms.test.ts\` now:

- the header of a private key in a string or a comparison, with long words far behind it;
- keys and logins that count (1, 2, 3 … a, b, c), as documentation writes them;
- tokens that spell what they are, that end in zeros, or that a provider's documentation publishes;
- a name that is given to itself, as bundles export;
- passwords of nothing but words for a value, or of such a word and a sign.

What is left there is in tests and documentation of packages about credentials, in the form of real ones: complete
private keys, tokens with the right prefix and length, made-up passwords. Whoever commits such a file has to say so once,
with \`secrets.allow\` in the configuration.
`;
}
