import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../src/cli/program.ts';

/** What a call of the command line said. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Calls the command line in this process, as a pipe sees it (no colour, no width), in a folder. */
export async function cli(cwd: string, ...argv: string[]): Promise<Said> {
  return cliOn({ columns: 10_000, colour: false, progress: false }, cwd, argv);
}

/** The same on a terminal of given width and colour. */
export async function cliOn(
  canvas: { readonly columns: number; readonly colour: boolean; readonly progress: boolean },
  cwd: string,
  argv: readonly string[],
): Promise<Said> {
  let out = '';
  let err = '';
  const terminal = { ...canvas, out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const code = await main(argv, terminal, cwd);
  return { code, out, err };
}

/** An empty folder for a test, and how to remove it. */
export function folder(): { readonly root: string; readonly remove: () => void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-test-')));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
