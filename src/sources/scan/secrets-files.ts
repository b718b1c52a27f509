import type { FindingDraft } from '../../checks/finding.ts';
import type { Baseline } from '../../checks/secrets/baseline.ts';
import { MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { notScanned } from '../../checks/secrets/file-source.ts';
import { secretFileFindings } from '../../checks/secrets/files.ts';
import { secretFindings } from '../../checks/secrets/findings.ts';
import type { TextSource } from '../../checks/secrets/findings.ts';
import { gitConfigFindings } from '../../checks/secrets/git-config.ts';
import { kindByContent, secretFileKind } from '../../checks/secrets/secret-files.ts';
import type { ScanSink } from '../../gate/scan-report.ts';
import { readGitConfigs } from '../git-config.ts';
import type { HeadFiles } from './head.ts';
import { shown } from './listing.ts';
import type { FileListing, ListedFile } from './listing.ts';
import { readDiskItem } from './read-file.ts';
import type { DiskItem } from './read-file.ts';
import type { ScanSettings } from './settings.ts';

/** What a scan of files reports to, file by file. */
export interface FileScan {
  readonly root: string;
  readonly settings: ScanSettings;
  readonly sink: ScanSink;
  /** Takes findings before the configuration weighs them. */
  readonly found: (drafts: readonly FindingDraft[]) => void;
  readonly progress: (done: number, total?: number) => void;
}

/**
 * Secrets in files as they lie on disk, each read whole and let go again: credentials in any of them, files that hold
 * secrets by name or content, and the configuration of git beside them. Exceptions written in the files count.
 * @param atHead what HEAD has; content of it that is not on disk is looked at too
 */
export async function fileSecrets(listing: FileListing, scan: FileScan, atHead?: HeadFiles): Promise<void> {
  let done = 0;
  for await (const file of listing.files) {
    scan.progress(done, listing.total);
    done += 1;
    await oneFile(file, scan, atHead);
  }
  if (atHead !== undefined)
    scan.found(await atHead.rest((source, path) => credentials(source, path, scan.settings.baseline), scan.sink));
  for (const folder of [...listing.workingCopies].sort()) configurations(folder, scan);
}

async function oneFile(file: ListedFile, scan: FileScan, atHead: HeadFiles | undefined): Promise<void> {
  const { sink, found } = scan;
  const { path } = file;
  const item = readDiskItem(file.disk);
  const text = item.kind === 'file' ? item.decoded.text : undefined;
  switch (item.kind) {
    case 'file':
      sink.saw({ files: 1, bytes: item.bytes.length });
      await wholeFile(path, item, scan, atHead);
      break;
    case 'too-large':
      found([notScanned(path, item.size, MAX_SCANNED_BYTES)]);
      break;
    case 'unreadable':
      sink.miss(path, item.why);
      break;
    case 'folder':
      sink.note(`${path} is a repository of its own; it is not looked into.`);
      break;
    case 'absent':
      // Tracked and deleted on disk: HEAD tells. What git has just listed and is not there has a name that none can hold.
      if (!file.isTracked || path.includes('\ufffd')) sink.miss(path, 'it is gone, or its name is not valid UTF-8');
      break;
    case 'other':
    case 'link':
    case 'dangling-link':
      break;
  }
  if (item.kind === 'link' || item.kind === 'file' || item.kind === 'too-large' || item.kind === 'unreadable')
    found(await secretFile(file, item.kind === 'link' ? 'link' : 'file', text));
  if (item.kind === 'too-large') atHead?.skip(path);
}

async function wholeFile(
  path: string,
  item: Extract<DiskItem, { kind: 'file' }>,
  { settings, found }: FileScan,
  atHead: HeadFiles | undefined,
): Promise<void> {
  const drafts = [...(await credentials(sourceOf(path, item), path, settings.baseline))];
  if (item.decoded.kind === 'text' && GIT_CONFIGURATION.test(path)) {
    const lines = new Set(drafts.map(lineOf));
    drafts.push(...gitConfigFindings(path, item.decoded.text).filter((draft) => !lines.has(lineOf(draft))));
  }
  found(drafts);
  atHead?.saw(path, item.bytes, drafts);
}

function lineOf({ place }: FindingDraft): number | undefined {
  return place.at === 'file' ? place.line : undefined;
}

/** Files that are read as git's configuration wherever they lie (gitmodules(5), git-config(1)). */
const GIT_CONFIGURATION = /(?:^|\/)\.git(?:config|modules)$/;

function sourceOf(path: string, item: Extract<DiskItem, { kind: 'file' }>): TextSource {
  const place = { at: 'file', path } as const;
  const { text } = item.decoded;
  return item.decoded.kind === 'binary' ? { place, text, isBinary: true } : { place, text, standing: 'all' };
}

/** Credentials in one text. */
export async function credentials(
  source: TextSource,
  path: string,
  baseline: Baseline | undefined,
): Promise<readonly FindingDraft[]> {
  const own = baseline && { ...baseline, entries: baseline.entries.filter((entry) => entry.path === path) };
  return (await secretFindings([source], own)).findings;
}

async function secretFile(file: ListedFile, kind: 'file' | 'link', text: string | undefined): Promise<FindingDraft[]> {
  const { path, isTracked } = file;
  if (secretFileKind(path) === undefined && (text === undefined || kindByContent(text) === undefined)) return [];
  const isIgnored = await file.isIgnored();
  return secretFileFindings(
    [{ path, kind, isTracked, isIgnored, ...(text === undefined ? {} : { text }) }],
    'working-copy',
  );
}

function configurations(folder: string, { root, sink, found }: FileScan): void {
  const configs = readGitConfigs(folder);
  const place = (path: string): string => (folder === root ? path : shown(root, `${folder}/${path}`));
  for (const { path, text } of configs.files) found(gitConfigFindings(place(path), text));
  for (const path of configs.unread) sink.miss(place(path), "git's configuration was not read");
}
