import { decodeText, MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { secretFileFindings } from '../../checks/secrets/files.ts';
import type { FileFacts } from '../../checks/secrets/files.ts';
import { secretFindings } from '../../checks/secrets/findings.ts';
import type { FindingDraft } from '../../checks/finding.ts';
import { ignoreChangeFindings } from '../../checks/secrets/ignore-changes.ts';
import type { IgnoreFile } from '../../checks/secrets/ignore-rules.ts';
import type { ScanSink } from '../../gate/scan-report.ts';
import { runGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import { askIgnored } from '../ignore.ts';
import { eachStagedPatch, MAX_TEXT } from '../secrets/changes.ts';
import { changeCollector } from '../secrets/change-collector.ts';
import { isIgnoreFile } from '../secrets/head-files.ts';
import { commitSnapshot } from '../snapshot/commit.ts';
import { EMPTY_TREE, textReader } from './secrets-commits.ts';
import type { ScanSettings } from './settings.ts';

/**
 * Secrets in what the next commit would hold: the lines that the index adds to HEAD, secret-bearing files among what it
 * changes, ignore rules that it takes away. Exceptions in files count as they stand at HEAD.
 * @throws Refusal CS1508, CS1502
 */
export async function stagedSecrets(
  repository: GitRepository,
  objects: ObjectReader,
  { baseline }: ScanSettings,
  sink: ScanSink,
): Promise<FindingDraft[]> {
  const head = (await objects.info('HEAD^{commit}'))?.oid ?? EMPTY_TREE[repository.objectFormat];
  const collector = changeCollector(objects, textReader(commitSnapshot(repository, objects, head)), MAX_TEXT);
  await eachStagedPatch(repository, head, async (file) => {
    sink.saw({ files: 1, bytes: file.content.kind === 'hidden' ? 0 : file.content.size });
    await collector.patched(file);
  });
  for (const path of await conflicts(repository, head))
    sink.miss(path, 'it is in conflict, so nothing of it is staged');
  const changes = collector.changes([]);
  const texts = await secretFindings(changes.sources, baseline);
  const seen = [...changes.secretFiles.values()];
  const ignored = await askIgnored(
    repository.root,
    seen.map(({ path }) => path),
  );
  const facts: FileFacts[] = [];
  for (const { path, mode, oid } of seen) {
    const bytes = mode === '120000' ? undefined : (await objects.read(oid, MAX_SCANNED_BYTES))?.bytes;
    const decoded = bytes === undefined ? undefined : decodeText(bytes);
    const text = decoded === undefined || decoded.kind === 'too-large' ? {} : { text: decoded.text };
    const isIgnored = ignored.get(path)?.isIgnored ?? false;
    facts.push({ path, kind: mode === '120000' ? 'link' : 'file', isTracked: true, isIgnored, ...text });
  }
  const rules = await stagedRules(repository, objects, head);
  return [...texts.findings, ...changes.findings, ...secretFileFindings(facts, 'snapshot'), ...rules];
}

async function conflicts(repository: GitRepository, head: string): Promise<string[]> {
  const args = ['diff-index', '--cached', '--diff-filter=U', '--name-only', '-z', head, '--'];
  return [...new Set(names((await runGit(repository, args)).stdout))];
}

async function stagedRules(repository: GitRepository, objects: ObjectReader, head: string): Promise<FindingDraft[]> {
  const before = rulesIn((await runGit(repository, ['ls-tree', '-r', '-z', '--full-tree', head])).stdout, 2);
  const after = rulesIn((await runGit(repository, ['ls-files', '-s', '-z'])).stdout, 1);
  const same = before.length === after.length && before.every(({ path, oid }, at) => isSame(after[at], path, oid));
  if (same) return [];
  return ignoreChangeFindings(await ignoreFiles(objects, before), await ignoreFiles(objects, after));
}

interface RuleFile {
  readonly path: string;
  readonly oid: string;
}

function isSame(other: RuleFile | undefined, path: string, oid: string): boolean {
  return other?.path === path && other.oid === oid;
}

// `<mode> <type> <oid>\t<path>` of git ls-tree, `<mode> <oid> <stage>\t<path>` of git ls-files -s; both by path.
function rulesIn(stdout: Buffer, field: number): RuleFile[] {
  return names(stdout).flatMap((entry) => {
    const tab = entry.indexOf('\t');
    const path = entry.slice(tab + 1);
    const [mode = '', ...rest] = entry.slice(0, tab).split(' ');
    // Git follows no link to ignore rules.
    return isIgnoreFile(path) && mode.startsWith('100') ? [{ path, oid: rest[field - 1] ?? '' }] : [];
  });
}

async function ignoreFiles(objects: ObjectReader, files: readonly RuleFile[]): Promise<IgnoreFile[]> {
  const read: IgnoreFile[] = [];
  for (const { path, oid } of files) {
    const bytes = (await objects.read(oid, MAX_SCANNED_BYTES))?.bytes;
    const slash = path.lastIndexOf('/');
    if (bytes !== undefined)
      read.push({ path, folder: slash === -1 ? '' : path.slice(0, slash), text: bytes.toString('utf8') });
  }
  return read;
}

function names(stdout: Buffer): string[] {
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');
}
