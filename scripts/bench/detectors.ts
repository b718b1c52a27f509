import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAttribution, checkMessage } from '../../src/checks/attribution/check.ts';
import { scanText } from '../../src/checks/secrets/scan.ts';
import { median } from './process.ts';

/** One measurement with its limit. */
export interface Measured {
  readonly name: string;
  readonly holds: boolean;
  readonly text: string;
}

const FILES = 1000;
const FILE_LENGTH = 10 * 1024;
const ROUNDS = 7;
const MESSAGES = 100_000;
/**
 * Characters of the shorter text. V8 puts texts above 128 KiB into pages of their own, which costs much on some machines;
 * both have to be on one side of that.
 */
const HOSTILE = 150_000;
/**
 * Ten times as long: this many times the time, 10 if linear, 100 if quadratic. What no longer fits into the processor's
 * cache takes up to half as long again.
 */
const LINEAR_LIMIT = 16;

/** Measures both detectors in this process, side by side with what they are compared with, in time of the processor. */
export async function detectorBenches(wanted: (name: string) => boolean): Promise<Measured[]> {
  const all: readonly (readonly [string, (name: string) => Promise<Measured>])[] = [
    ['secrets: 1,000 clean files of 10 KB against bare secretlint', (name) => againstSecretlint(name, cleanFiles(), 8)],
    ['secrets: the same with a hit in each', (name) => againstSecretlint(name, hitFiles(), 0.8)],
    ['attribution: 100,000 commit messages', messages],
    ['secrets: hostile text, ten times as long', (name) => linear(name, SECRET_SHAPES, (text) => scanText(text))],
    ['attribution: hostile text, ten times as long', (name) => linear(name, CREDIT_SHAPES, creditsIn)],
  ];
  const measured: Measured[] = [];
  for (const [name, measure] of all) if (wanted(name)) measured.push(await measure(name));
  return measured;
}

// Real sources and documents: what is scanned day by day. Pieces in which secretlint finds nothing either.
function cleanFiles(): string[] {
  const texts = ['commander', 'dependency-cruiser', 'ajv', 'prettier', 'eslint', 'zod', 'yaml'].flatMap((name) =>
    textsBelow(join('node_modules', name)),
  );
  const whole = texts.join('\n');
  return Array.from({ length: FILES }, (_, at) => {
    const from = Math.floor((at * (whole.length - FILE_LENGTH)) / FILES); // spread over all of them
    return whole.slice(from, from + FILE_LENGTH);
  });
}

function hitFiles(): string[] {
  const tokens = [
    ['gh', 'p_', 'q7Rk2mZx9Wb4TnV8cLd3HsY6fJp5GaE1uKo0'],
    ['xo', 'xb-', '123456789012-123456789012-aBcDeFgHiJkLmNoPqRsTuVwX'],
    ['sk', '_live_', 'a1B2c3D4e5F6g7H8i9J0k1L2'],
    ['AK', 'IA', 'Q7RK2MZX9WB4TNV8'],
  ].map((pieces) => pieces.join(''));
  return cleanFiles().map(
    (text, at) => `${text.slice(0, -80)}\nconst value = "${tokens[at % tokens.length] ?? ''}";\n`,
  );
}

function textsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:[cm]?[jt]s|md|json)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

async function againstSecretlint(name: string, texts: readonly string[], limit: number): Promise<Measured> {
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] };
  const theirs = async (text: string): Promise<unknown> =>
    lintSource({
      source: { content: text, filePath: 'file.txt', ext: '.txt', contentType: 'text' },
      options: { config, noPhysicFilePath: true },
    });
  const own: number[] = [];
  const bare: number[] = [];
  // In turn, so that a change of the machine's speed meets both alike; the first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const a = await milliseconds(texts, (text) => scanText(text));
    const b = await milliseconds(texts, theirs);
    if (round === 0) continue;
    own.push(a);
    bare.push(b);
  }
  const [first, second] = [median(own), median(bare)];
  const speed = (ms: number): string => `${((FILES * FILE_LENGTH) / 1000 / ms).toFixed(0)} MB/s`;
  const ratio = second / first;
  const text = `${first.toFixed(0)} ms (${speed(first)}) against ${second.toFixed(0)} ms (${speed(second)}), ${ratio.toFixed(1)}x (at least ${limit}x)`;
  return { name, holds: ratio >= limit, text };
}

async function milliseconds(texts: readonly string[], body: (text: string) => Promise<unknown>): Promise<number> {
  const started = process.cpuUsage();
  for (const text of texts) await body(text);
  return spent(started);
}

// Time of the processor, not of the clock: what else the machine does is no part of it.
function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

const ANA = { name: 'Ana Ruiz', email: 'ana@example.test' };
const SUBJECTS = [
  'fix(parser): keep the last line',
  'Add a test for empty folders',
  'docs: name the flag',
  'Bump zod to 4',
];
const BODIES = [
  '',
  'The reader dropped the last line where it had no line feed. Files that were\nwritten by hand are read whole now.\n\nFixes #123',
  '- split the module\n- name the limits\n- see https://example.test/issues/7 for the measurements\n\nReviewed-by: Bo Li <bo@example.test>',
  'Claude Dubois found it: the Gemini backend and the OpenAI one answer with another order.\n\nSigned-off-by: Ana Ruiz <ana@example.test>',
  'Co-authored-by: Bo Li <bo@example.test>\nChange-Id: I0123456789abcdef0123456789abcdef01234567',
];

// eslint-disable-next-line @typescript-eslint/require-await -- one of several measurements, others wait
async function messages(name: string): Promise<Measured> {
  const commits = Array.from({ length: MESSAGES }, (_, at) => ({
    sha: at.toString(16).padStart(40, '0'),
    author: ANA,
    committer: ANA,
    parents: [
      Math.max(0, at - 1)
        .toString(16)
        .padStart(40, '0'),
    ],
    message: `${SUBJECTS[at % SUBJECTS.length] ?? ''} (${at})\n\n${BODIES[at % BODIES.length] ?? ''}\n`,
  }));
  const times = Array.from({ length: 4 }, () => {
    const started = process.cpuUsage();
    const found = checkAttribution({ commits }, { mode: 'forbid' });
    if (found.length > 0) throw new Error(`${found.length} of these messages are no clean ones`);
    return spent(started);
  });
  const ms = median(times.slice(1));
  return { name, holds: ms < 2000, text: `${ms.toFixed(0)} ms (limit 2000 ms)` };
}

const HEADER = ['-----BEGIN', ' PRIV', 'ATE KEY-----'].join('');
const SECRET_SHAPES = [
  'a = b; ',
  'eyJ',
  'eyJhbGciOiJIUzI1NiJ9.',
  '://a:b@',
  'password="',
  'token: ',
  'sk-',
  `${HEADER}\n`,
  `${HEADER}\\n`,
  'ghp_',
  'hf_',
  '\r',
];
const CREDIT_SHAPES = [
  'claude ',
  'Generated by Claude ',
  'Co-authored-by: X <noreply@anthropic.com>\n',
  'Assisted-by: a\n',
  '<!-- claude -->',
  '> claude\n',
  '`claude',
  '\u200bclaude',
  '1.',
];

async function creditsIn(text: string): Promise<unknown> {
  await Promise.resolve();
  return checkMessage(`claude ${text}`, { mode: 'forbid' });
}

async function linear(
  name: string,
  shapes: readonly string[],
  detect: (text: string) => Promise<unknown>,
): Promise<Measured> {
  let worst = { ratio: 0, shape: '' };
  for (const shape of shapes) {
    // What else the machine does, and when memory is cleared, makes a measurement too long and never too short.
    let ratio = Infinity;
    for (let attempt = 0; attempt < 3 && ratio > LINEAR_LIMIT; attempt += 1)
      ratio = Math.min(ratio, await growth(shape, detect));
    if (ratio > worst.ratio) worst = { ratio, shape };
  }
  const text = `${worst.ratio.toFixed(1)}x at most, for ${JSON.stringify(worst.shape)} (limit ${LINEAR_LIMIT}x)`;
  return { name, holds: worst.ratio <= LINEAR_LIMIT, text };
}

async function growth(shape: string, detect: (text: string) => Promise<unknown>): Promise<number> {
  const [short = '', long = ''] = [HOSTILE, 10 * HOSTILE].map((length) =>
    shape.repeat(Math.ceil(length / shape.length)),
  );
  const tenShort = Array.from({ length: 10 }, () => short);
  await milliseconds([short, long], detect);
  const times = { short: Infinity, long: Infinity };
  for (let round = 0; round < 3; round += 1) {
    // As many characters as in the long one, so that clearing memory is a part of both.
    times.short = Math.min(times.short, (await milliseconds(tenShort, detect)) / 10);
    times.long = Math.min(times.long, await milliseconds([long], detect));
  }
  // What takes less than a millisecond tells nothing of how it grows.
  return times.long / Math.max(1, times.short);
}
