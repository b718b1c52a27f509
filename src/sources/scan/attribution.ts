import { readFileSync } from 'node:fs';
import { checkAttribution, checkFile, checkIdentity, checkMessage } from '../../checks/attribution/check.ts';
import type { AttributionOptions } from '../../checks/attribution/input.ts';
import type { FindingDraft } from '../../checks/finding.ts';
import { MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { Refusal } from '../../domain/errors.ts';
import type { ScanSink } from '../../gate/scan-report.ts';
import { nextPeople } from './identities.ts';
import type { FileListing } from './listing.ts';
import type { ScanRange } from './range.ts';
import { readDiskItem } from './read-file.ts';

/** Credit in commits: messages, authors and committers. Nothing local proves who made one. */
export function rangeAttribution({ commits }: ScanRange, options: AttributionOptions): FindingDraft[] {
  const input = commits.map(({ sha, parents, author, committer, message }) => ({
    sha,
    parents,
    author,
    committer,
    message,
    verified: false,
  }));
  return checkAttribution({ commits: input }, options);
}

/** Credit in what git would record of the next commit besides its message: author and committer. */
export async function stagedAttribution(
  root: string,
  options: AttributionOptions,
  sink: ScanSink,
): Promise<FindingDraft[]> {
  const people = await nextPeople(root, sink);
  return (['author', 'committer'] as const).flatMap((part) => {
    const person = people[part];
    return person === undefined ? [] : checkIdentity(person, part, options);
  });
}

/** Credit in a message that is about to be committed, from a file, or standard input for `-`. */
export function messageAttribution(
  file: string,
  shownPath: string,
  options: AttributionOptions,
  sink: ScanSink,
): FindingDraft[] {
  if (file === '-') {
    const bytes = readFileSync(0);
    sink.saw({ files: 1, bytes: bytes.length });
    if (bytes.length <= MAX_SCANNED_BYTES)
      return checkMessage(bytes.toString('utf8'), options, { at: 'file', path: 'standard input' });
    sink.miss('standard input', `its ${bytes.length} bytes are more than the ${MAX_SCANNED_BYTES} that are looked at`);
    return [];
  }
  const item = readDiskItem(file);
  if (item.kind === 'absent' || item.kind === 'folder')
    throw new Refusal('CS1301', `There is no file '${shownPath.slice(0, 200)}'.`);
  if (item.kind !== 'file' || item.decoded.kind === 'binary') {
    sink.miss(shownPath, item.kind === 'unreadable' ? item.why : 'it is no regular file of text below 8 MiB');
    return [];
  }
  sink.saw({ files: 1, bytes: item.bytes.length });
  return checkMessage(item.decoded.text, options, { at: 'file', path: shownPath });
}

/** Credit in files, each read whole and let go again. Binary files have no text, and are passed over. */
export async function fileAttribution(
  listing: FileListing,
  options: AttributionOptions,
  sink: ScanSink,
  found: (drafts: readonly FindingDraft[]) => void,
  progress: (done: number, total?: number) => void,
): Promise<void> {
  let done = 0;
  for await (const { path, disk, isTracked } of listing.files) {
    progress(done, listing.total);
    done += 1;
    const item = readDiskItem(disk);
    switch (item.kind) {
      case 'file':
        sink.saw({ files: 1, bytes: item.bytes.length });
        if (item.decoded.kind === 'text') found(checkFile(path, item.decoded.text, options));
        break;
      case 'too-large':
        sink.miss(path, `its ${item.size} bytes are more than the ${MAX_SCANNED_BYTES} that are looked at`);
        break;
      case 'unreadable':
        sink.miss(path, item.why);
        break;
      case 'folder':
        sink.note(`${path} is a repository of its own; it is not looked into.`);
        break;
      case 'absent':
        if (!isTracked || path.includes('\ufffd')) sink.miss(path, 'it is gone, or its name is not valid UTF-8');
        break;
      case 'link':
      case 'dangling-link':
      case 'other':
        break;
    }
  }
}
