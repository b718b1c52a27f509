import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { ignoreMatcher, type IgnoreFile } from '../../../../src/checks/secrets/ignore-rules.ts';
import { askIgnored } from '../../../../src/sources/ignore.ts';

/** What differs between git and the matcher. */
export interface Difference {
  readonly rules: readonly IgnoreFile[];
  readonly path: string;
  readonly git: boolean;
  readonly own: boolean;
}

export interface Comparison {
  /** Pairs of a pattern and a path that were decided, each in its own folder. */
  readonly pairs: number;
  readonly ignored: number;
  readonly differences: readonly Difference[];
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const NAMES = [
  '.env',
  '.env.local',
  'a',
  'b',
  'ab',
  'a.b',
  'key.pem',
  'a b',
  'A',
  'B',
  'É',
  'é',
  'a*b',
  '#x',
  '!y',
  'a ',
  'x\\y',
  'prod',
  'a-b',
  '[a]',
  'foo',
  'z1',
];
const PIECES = [
  ...NAMES,
  '*',
  '**',
  '?',
  '*.pem',
  '.env*',
  '.env.*',
  '[ab]',
  '[!a]',
  '[^b]*',
  '[a-c]',
  '[[:alpha:]]',
  '[[:space:]]',
  '[]a]',
  '[a',
  '\\*',
  '\\ ',
  '\\#x',
  '\\!y',
  'a?b',
  '*b',
  'a*',
  '***',
  'a**',
  '**b',
  '[[:foo:]]',
  '[\\]]',
  '[a\\-c]',
  '\\',
  '[-a]',
  '[a-]',
  '[A-Z]',
  '?*',
  '*?',
  'é*',
  '[é]',
  '??',
  '[[:digit:]a]*',
  '[*]',
  'f[o]o',
  '[a-',
  '[!]a]',
  '[[:upper:]-z]',
  '[[.a]',
];

/** Compares `pairs` pairs of generated rules and paths, by one git process. */
export async function compareWithGit(seed: number, pairs: number, ignoreCase = false): Promise<Comparison> {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const chance = (share: number) => random() < share;
  const pathOf = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(NAMES)).join('/');
  const patternOf = () => {
    let pattern = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      chance(0.25) ? pick(PIECES) + pick(PIECES) : pick(PIECES),
    ).join('/');
    if (chance(0.4)) pattern = pattern.split('/').at(-1) ?? pattern;
    if (chance(0.2)) pattern = `/${pattern}`;
    if (chance(0.2)) pattern += '/';
    if (chance(0.25)) pattern = `!${pattern}`;
    if (chance(0.08)) pattern += pick([' ', '  ', '\t', '\r', '\\ ', ' # x', '/ ']);
    return pattern;
  };

  // A path that one of the rules may well match: its wildcards filled in.
  const likePattern = (text: string) => {
    const filled = pick(text.split('\n'))
      .replace(/^!/, '')
      .replaceAll(/\[[^\]]{0,12}\]/g, () => pick(['a', 'b', 'A', '1', '-']))
      .replaceAll(/\*+|\?/g, () => pick(['', 'a', 'ab', '.env', 'x/y', 'b']))
      .replaceAll(/\\(.)/g, '$1');
    const names = filled
      .split('/')
      .filter((name) => !/^(?:\.{0,2}|\.git|\.gitignore)$/.test(name.trim()) && !/[\0\r\uFEFF]/.test(name));
    if (names.length === 0) return pathOf();
    return (chance(0.3) ? [pick(NAMES), ...names] : chance(0.2) ? [...names, pick(NAMES)] : names).join('/');
  };

  const root = mkdtempSync(join(tmpdir(), 'countersign-ignore-'));
  try {
    spawnSync('git', ['init', '-q', root]);
    spawnSync('git', ['-C', root, 'config', 'core.ignoreCase', String(ignoreCase)]);
    const cases: { folder: string; rules: IgnoreFile[]; paths: string[] }[] = [];
    const perCase = 25;
    for (let at = 0; at * perCase < pairs; at += 1) {
      const folder = `c${at}`;
      mkdirSync(join(root, folder));
      const text = () =>
        (chance(0.05) ? '\uFEFF' : '') +
        Array.from({ length: 1 + Math.floor(random() * 4) }, patternOf).join('\n') +
        (chance(0.9) ? '\n' : '');
      const rules = [{ path: `${folder}/.gitignore`, folder, text: text() }];
      const paths = Array.from({ length: perCase }, () => (chance(0.5) ? likePattern(rules[0]?.text ?? '') : pathOf()));
      if (chance(0.4)) {
        // A file of rules in a folder that some of the paths lie in.
        const nested = (paths.find((path) => path.includes('/')) ?? 'a/b').split('/').slice(0, -1).join('/');
        rules.push({ path: `${folder}/${nested}/.gitignore`, folder: `${folder}/${nested}`, text: text() });
      }
      for (const rule of rules) {
        mkdirSync(dirname(join(root, rule.path)), { recursive: true });
        writeFileSync(join(root, rule.path), rule.text);
      }
      // Some paths are folders: git looks at the disk to tell.
      for (const path of paths) if (chance(0.15)) mkdirSync(join(root, folder, path), { recursive: true });
      cases.push({ folder, rules, paths: [...new Set(paths)].map((path) => `${folder}/${path}`) });
    }
    const asked = cases.flatMap(({ paths }) => paths);
    const answers = await askIgnored(root, asked);
    const differences: Difference[] = [];
    let ignored = 0;
    for (const { rules, paths } of cases) {
      const matcher = ignoreMatcher(rules, { ignoreCase });
      for (const path of paths) {
        const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
        const own = matcher(isFolder ? `${path}/` : path).isIgnored;
        const git = answers.get(path)?.isIgnored ?? false;
        if (git) ignored += 1;
        if (git !== own) differences.push({ rules, path, git, own });
      }
    }
    return { pairs: asked.length, ignored, differences };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
