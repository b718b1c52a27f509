import { createHash } from 'node:crypto';
import type { FindingDraft } from '../../checks/finding.ts';
import { MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { fileSource } from '../../checks/secrets/file-source.ts';
import type { TextSource } from '../../checks/secrets/findings.ts';
import { isRefusal } from '../../domain/errors.ts';
import type { ScanSink } from '../../gate/scan-report.ts';
import { runGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import type { GitObject, ObjectReader } from '../git-objects.ts';

/** The files of HEAD, of which those that lie on disk as they are there need no second look. */
export interface HeadFiles {
  /** A file on disk, and what was found in it. */
  saw(path: string, bytes: Buffer, drafts: readonly FindingDraft[]): void;
  /** A file on disk that is not looked at, and named as such. */
  skip(path: string): void;
  /** Looks at what is on disk otherwise, or not at all. */
  rest(
    look: (source: TextSource, path: string) => Promise<readonly FindingDraft[]>,
    sink: ScanSink,
  ): Promise<FindingDraft[]>;
}

/** What HEAD has, to be compared with the files on disk; undefined without a commit. @throws Refusal CS1502 */
export async function headFiles(repository: GitRepository, objects: ObjectReader): Promise<HeadFiles | undefined> {
  if ((await objects.info('HEAD^{commit}')) === undefined) return undefined;
  const { stdout } = await runGit(repository, ['ls-tree', '-r', '-z', '--full-tree', 'HEAD']);
  const left = new Map<string, string>();
  for (const entry of stdout.toString('utf8').split('\0')) {
    const tab = entry.indexOf('\t');
    const [mode = '', , oid = ''] = entry.slice(0, tab).split(' ');
    if (mode.startsWith('100')) left.set(entry.slice(tab + 1), oid);
  }
  const known = new Map<string, readonly string[]>();
  return {
    saw: (path, bytes, drafts) => {
      const oid = left.get(path);
      if (oid === undefined) return;
      const hash = createHash(repository.objectFormat).update(`blob ${bytes.length}\0`).update(bytes);
      if (hash.digest('hex') === oid) left.delete(path);
      else if (drafts.length > 0) known.set(path, drafts.map(keyOf));
    },
    skip: (path) => void left.delete(path),
    rest: async (look, sink) => {
      const drafts: FindingDraft[] = [];
      for (const [path, oid] of left) {
        const blob = await readBlob(objects, oid);
        if (blob?.bytes === undefined) {
          sink.miss(`${path} at HEAD`, blob === undefined ? 'its content is missing' : 'it is larger than 8 MiB');
          continue;
        }
        sink.saw({ files: 1, bytes: blob.bytes.length });
        const { source } = fileSource({ path, mode: '100644', bytes: blob.bytes });
        if (source === undefined) continue;
        drafts.push(...onlyAtHead(await look({ ...source, standing: 'all' }, path), known.get(path) ?? []));
      }
      return drafts;
    },
  };
}

async function readBlob(objects: ObjectReader, oid: string): Promise<GitObject | undefined> {
  try {
    return await objects.read(oid, MAX_SCANNED_BYTES);
  } catch (thrown) {
    if (isRefusal(thrown) && thrown.code === 'CS1508') return undefined;
    throw thrown;
  }
}

// As many findings of one kind as are on disk are taken for the same ones.
function onlyAtHead(drafts: readonly FindingDraft[], onDisk: readonly string[]): FindingDraft[] {
  const left = [...onDisk];
  return drafts.flatMap((draft) => {
    // An entry of the baseline was judged by the file on disk.
    if (draft.rule === 'secrets/baseline-unused') return [];
    const at = left.indexOf(keyOf(draft));
    if (at !== -1) {
      left.splice(at, 1);
      return [];
    }
    const message = `${draft.message} HEAD has it; the file on disk differs from HEAD.`;
    return [{ ...draft, subject: `${draft.subject}|head`, message }];
  });
}

function keyOf({ rule, subject }: FindingDraft): string {
  return `${rule}\0${subject}`;
}
