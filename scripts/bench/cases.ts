import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { branchProject } from './branch-project.ts';
import type { BranchSize } from './branch-project.ts';
import { evidenceProject } from './evidence-project.ts';

/** Medians of one case. */
export interface Medians {
  readonly bare: number;
  readonly first: number;
  readonly second: number | undefined;
  readonly peakBytes: number;
}

/** A benchmark: what is prepared, what is timed, and which ratio must hold. */
export interface Case {
  readonly name: string;
  readonly rounds: number;
  /** Whether peak memory is taken too. */
  readonly memory?: boolean;
  readonly prepare: () => {
    readonly cwd: string;
    readonly argv: (round: number) => readonly string[];
    /** A second command to compare with. */
    readonly against?: (round: number) => readonly string[];
    readonly remove: () => void;
  };
  /** Exit codes with which the command may end; 0 where it is not given. */
  readonly exits?: readonly number[];
  readonly judge: (medians: Medians) => { readonly holds: boolean; readonly text: string };
}

const MB = 1024 * 1024;
const ms = (value: number): string => `${value.toFixed(0)} ms`;

/** All benchmarks of the command line. @param cli path of its bundle */
export function benchmarks(cli: string): readonly Case[] {
  const node = process.execPath;
  const growth = (what: string, large: BranchSize, small: BranchSize): Case => ({
    name: `evaluate a branch: ${what}, start-up taken off`,
    rounds: 3,
    exits: [1],
    prepare: () => {
      const [many, few] = [large, small].map((size) => judgeBranch(node, cli, size));
      if (many === undefined || few === undefined) throw new TypeError('two sizes give two projects');
      return {
        cwd: many.cwd,
        argv: many.argv,
        against: () => [...few.argv(0), '--root', few.cwd],
        remove: () => {
          many.remove();
          few.remove();
        },
      };
    },
    judge: ({ bare, first, second = Number.NaN }) => {
      const ratio = (first - bare) / (second - bare);
      return { holds: ratio <= 11, text: `${ms(first)} against ${ms(second)}, ${ratio.toFixed(1)}x (limit 11x)` };
    },
  });
  return [
    {
      name: '--version against bare node',
      rounds: 15,
      prepare: () => ({ cwd: tmpdir(), argv: () => [node, cli, '--version'], remove: () => undefined }),
      judge: ({ bare, first }) => ({ holds: first <= bare * 1.5, text: ratioText(first, bare, 1.5) }),
    },
    {
      name: 'eval run on 300 records with 300 artifacts of 10 KB',
      rounds: 9,
      prepare: () => {
        const project = evidenceProject({ records: 300, artifactBytes: 10 * 1024 });
        return {
          cwd: project.root,
          argv: () => [node, cli, 'eval', 'run', project.runId, '--json'],
          remove: project.remove,
        };
      },
      judge: ({ bare, first }) => ({ holds: first <= bare * 4, text: ratioText(first, bare, 4) }),
    },
    {
      name: 'adding record 300 against adding record 1',
      rounds: 7,
      prepare: () => {
        const full = evidenceProject({ records: 299, artifactBytes: 10 * 1024 });
        const empty = evidenceProject({ records: 0, artifactBytes: 0 });
        const copies: string[] = [];
        const copyOf = (root: string): string => {
          const copy = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')));
          cpSync(root, copy, { recursive: true });
          copies.push(copy);
          return copy;
        };
        const add = (root: string): string[] => {
          const payload = '{"mode":"current"}';
          return [
            node,
            cli,
            'evidence',
            'add',
            full.runId,
            '--root',
            copyOf(root),
            '--kind',
            'workspace',
            '--producer',
            'ci',
            '--summary',
            'x',
            '--payload',
            payload,
          ];
        };
        return {
          cwd: tmpdir(),
          argv: () => add(full.root),
          against: () => add(empty.root),
          remove: () => {
            for (const root of [full.root, empty.root, ...copies]) rmSync(root, { recursive: true, force: true });
          },
        };
      },
      judge: ({ first, second = Number.NaN }) => ({ holds: first <= second * 2, text: ratioText(first, second, 2) }),
    },
    {
      name: 'eval run on 10,000 records against 1,000, start-up taken off',
      rounds: 3,
      memory: true,
      prepare: () => {
        const many = evidenceProject({ records: 10_000, artifactBytes: 0 });
        const few = evidenceProject({ records: 1000, artifactBytes: 0 });
        const evaluate = (root: string): string[] => [node, cli, 'eval', 'run', many.runId, '--root', root, '--json'];
        return {
          cwd: tmpdir(),
          argv: () => evaluate(many.root),
          against: () => evaluate(few.root),
          remove: () => {
            many.remove();
            few.remove();
          },
        };
      },
      judge: ({ bare, first, second = Number.NaN, peakBytes }) => {
        const ratio = (first - bare) / (second - bare);
        const text = `${ms(first)} against ${ms(second)}, ${ratio.toFixed(1)}x (limit 11x), ${(peakBytes / MB).toFixed(0)} MB (limit 300 MB)`;
        return { holds: ratio <= 11 && peakBytes < 300 * MB, text };
      },
    },
    {
      name: 'evaluate a branch: 5,000 files, 500 commits, 3,000 changed',
      rounds: 5,
      exits: [1],
      prepare: () => judgeBranch(node, cli, { files: 5000, commits: 500, changed: 3000 }),
      judge: ({ first }) => ({ holds: first < 1500, text: `${ms(first)} (limit 1500 ms)` }),
    },
    growth(
      'ten times the commits',
      { files: 5000, commits: 2000, changed: 300 },
      { files: 5000, commits: 200, changed: 300 },
    ),
    growth(
      'ten times the files',
      { files: 20_000, commits: 20, changed: 10_000 },
      { files: 2000, commits: 20, changed: 1000 },
    ),
  ];
}

function judgeBranch(node: string, cli: string, size: BranchSize): ReturnType<Case['prepare']> {
  const project = branchProject(size);
  return {
    cwd: project.root,
    argv: () => [node, cli, 'evaluate', '--base', 'main', '--head', 'work', '--json'],
    remove: project.remove,
  };
}

function ratioText(first: number, second: number, limit: number): string {
  return `${ms(first)} against ${ms(second)}, ${(first / second).toFixed(2)}x (limit ${limit}x)`;
}
