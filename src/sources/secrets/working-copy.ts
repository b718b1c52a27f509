import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText, MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { secretFileFindings } from '../../checks/secrets/files.ts';
import type { FileFacts } from '../../checks/secrets/files.ts';
import { gitConfigFindings } from '../../checks/secrets/git-config.ts';
import { secretFileKind } from '../../checks/secrets/secret-files.ts';
import { isRefusal } from '../../domain/errors.ts';
import { isErrno } from '../../workspace/disk-tree.ts';
import { runGit, workingCopy } from '../git.ts';
import { readGitConfigs } from '../git-config.ts';
import { askIgnored, askTracked, askUntracked } from '../ignore.ts';
import type { Unread } from '../snapshot/snapshot.ts';
import { secretFacts } from './branch.ts';
import type { SecretScan } from './branch.ts';

const NOT_SCANNED: SecretScan = { secrets: { scanned: 'not', findings: [] }, unread: [] };

/**
 * Secret-bearing files in a working copy by their names, tracked or about to be, and credentials in git's own
 * configuration. Other files are not opened, so that it stays quick. Outside of git nothing is looked at. What fails
 * is named as unread.
 * @param root a folder of the working copy
 */
export async function workingCopySecrets(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<SecretScan> {
  try {
    if (!(await isWorkingCopy(root, environment))) return NOT_SCANNED;
    const [tracked, untracked] = await Promise.all([askTracked(root), askUntracked(root)]);
    const paths = [...new Set([...tracked, ...untracked])].filter((path) => secretFileKind(path) !== undefined).sort();
    const ignored = await askIgnored(root, paths);
    const unread: Unread[] = [];
    const files = paths.flatMap((path): FileFacts[] => {
      const shown = shapeOf(join(root, path));
      if (shown === undefined) return []; // tracked, and deleted on disk
      if (shown.why !== undefined) unread.push({ what: path, why: shown.why });
      const { kind, text } = shown;
      const isIgnored = ignored.get(path)?.isIgnored ?? false;
      return [{ path, kind, isTracked: tracked.has(path), isIgnored, ...(text === undefined ? {} : { text }) }];
    });
    const configs = readGitConfigs(root);
    return secretFacts(
      [
        ...secretFileFindings(files, 'working-copy'),
        ...configs.files.flatMap(({ path, text }) => gitConfigFindings(path, text)),
      ],
      [...unread, ...configs.unread.map((path) => ({ what: path, why: "git's configuration was not read" }))],
    );
  } catch (thrown) {
    const why = isRefusal(thrown) ? thrown.message : `the scan failed (${thrown instanceof Error ? thrown.name : ''})`;
    return { ...NOT_SCANNED, unread: [{ what: 'secrets in the working copy', why }] };
  }
}

async function isWorkingCopy(root: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const asked = ['rev-parse', '--is-inside-work-tree'];
    const { code, stdout } = await runGit(workingCopy(root, environment), asked, { fails: 'allowed' });
    return code === 0 && stdout.toString('utf8').trim() === 'true';
  } catch (thrown) {
    if (isRefusal(thrown) && thrown.code === 'CS1503') return false;
    throw thrown;
  }
}

interface Shape extends Pick<FileFacts, 'kind' | 'text'> {
  readonly why?: string;
}

function shapeOf(path: string): Shape | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) {
    return { kind: statSync(path, { throwIfNoEntry: false }) === undefined ? 'dangling-link' : 'link' };
  }
  if (stat.isDirectory()) return { kind: 'submodule' };
  if (!stat.isFile() || stat.size > MAX_SCANNED_BYTES) return { kind: 'file' };
  try {
    const decoded = decodeText(readFileSync(path));
    return decoded.kind === 'too-large' ? { kind: 'file' } : { kind: 'file', text: decoded.text };
  } catch (thrown) {
    if (!isErrno(thrown, 'EACCES') && !isErrno(thrown, 'EPERM')) throw thrown;
    return { kind: 'file', why: 'it cannot be read' };
  }
}
