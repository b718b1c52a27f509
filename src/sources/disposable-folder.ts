import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'countersign-rerun-';
/** Says whose the folder is, so that one which its owner could not remove is known as such. */
const OWNER = 'owner.json';
/** Milliseconds after which a folder whose owner never signed it is abandoned. */
const UNSIGNED = 60_000;

/**
 * Runs `body` with a folder of its own and removes it afterwards, also where this process exits meanwhile. Folders that
 * killed processes left are removed first.
 * @param parent where it is made; the system's temporary folder where it is not given
 */
export async function inDisposableFolder<T>(body: (folder: string) => Promise<T>, parent = tmpdir()): Promise<T> {
  removeAbandoned(parent);
  // mkdtemp(3): nobody else can enter it.
  const folder = realpathSync(mkdtempSync(join(parent, PREFIX)));
  const remove = (): void => {
    removeFolder(folder);
  };
  process.on('exit', remove);
  try {
    writeFileSync(join(folder, OWNER), JSON.stringify({ pid: process.pid, host: hostname() }));
    return await body(folder);
  } finally {
    process.removeListener('exit', remove);
    remove();
  }
}

// Files that a test made read-only are removed all the same: permission to remove is the folder's, and ours.
function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Removes the folders of processes of ours that do not run any more. @returns their paths */
export function removeAbandoned(parent = tmpdir()): string[] {
  return readdirSync(parent)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(parent, name))
    .filter((folder) => {
      try {
        if (!isAbandoned(folder)) return false;
        removeFolder(folder);
        return true;
      } catch {
        return false; // someone else's, or just being removed: it is not needed for our work
      }
    });
}

function isAbandoned(folder: string): boolean {
  const stat = lstatSync(folder);
  // The temporary folder is everyone's: what another user or a link put there is not ours to remove.
  if (!stat.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid)) return false;
  const owner = ownerOf(folder);
  if (owner === undefined) return Date.now() - stat.mtimeMs > UNSIGNED;
  return owner.host === hostname() && !isAlive(owner.pid);
}

function ownerOf(folder: string): { readonly pid: number; readonly host: string } | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(join(folder, OWNER), 'utf8'));
    if (typeof owner !== 'object' || owner === null || !('pid' in owner) || !('host' in owner)) return undefined;
    const { pid, host } = owner;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string') return undefined;
    return { pid, host };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
