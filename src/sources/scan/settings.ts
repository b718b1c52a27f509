import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBaseline } from '../../checks/secrets/baseline.ts';
import type { Baseline } from '../../checks/secrets/baseline.ts';
import { CONFIG_PATH } from '../../config/extends.ts';
import { resolveConfig } from '../../config/layers.ts';
import type { LayerReading } from '../../config/layers.ts';
import { problemText } from '../../config/problem.ts';
import { DEFAULT_CONFIG } from '../../config/schema.ts';
import type { Config } from '../../config/schema.ts';
import { isRefusal } from '../../domain/errors.ts';
import { MAX_DOCUMENT_SIZE } from '../../domain/json/read.ts';
import type { ScanSink } from '../../gate/scan-report.ts';
import { openRepository, runGit, workingCopy } from '../git.ts';
import type { GitRepository } from '../git.ts';
import { withObjects } from '../git-objects.ts';
import { textOfBytes } from '../git-tree.ts';
import { commitSnapshot } from '../snapshot/commit.ts';
import type { SourceSnapshot } from '../snapshot/snapshot.ts';

/** What a scan goes by: the configuration and the baseline that are committed where it is run. */
export interface ScanSettings {
  readonly config: Config;
  readonly baseline: Baseline | undefined;
}

/**
 * The repository that a folder lies in, however deep; undefined outside of git.
 * @throws Refusal CS1503; CS1504 where there is one that git refuses; CS1502
 */
export async function repositoryAround(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<GitRepository | undefined> {
  try {
    return await openRepository(folder, environment);
  } catch (thrown) {
    if (!isRefusal(thrown) || thrown.code !== 'CS1504') throw thrown;
    const asked = ['rev-parse', '--show-toplevel'];
    const { code, stdout } = await runGit(workingCopy(folder, environment), asked, { fails: 'allowed' });
    const top = stdout.toString('utf8').trimEnd();
    if (code === 0 && top !== '') return openRepository(top, environment);
    // Git sees none: then there is none, or one that it does not trust.
    if (liesBelowGit(folder)) throw thrown;
    return undefined;
  }
}

function liesBelowGit(folder: string): boolean {
  if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return true;
  return dirname(folder) !== folder && liesBelowGit(dirname(folder));
}

/**
 * Reads configuration and baseline at the commit that is checked out, so that what is being changed does not decide
 * about itself. What cannot be read is named in `sink`, and the default stands in its place.
 */
export async function scanSettings(repository: GitRepository | undefined, sink: ScanSink): Promise<ScanSettings> {
  const defaults = { config: DEFAULT_CONFIG, baseline: undefined };
  if (repository === undefined) return defaults;
  return withObjects(repository, async (objects) => {
    const head = await objects.info('HEAD^{commit}');
    if (head === undefined) return defaults;
    const snapshot = commitSnapshot(repository, objects, head.oid);
    const config = await configAt(snapshot, sink);
    return { config, baseline: await baselineAt(snapshot, config.secrets.baseline, sink) };
  });
}

async function configAt(snapshot: SourceSnapshot, sink: ScanSink): Promise<Config> {
  const there = await textAt(snapshot, CONFIG_PATH);
  const repository: LayerReading =
    there.text === undefined
      ? there.why === undefined
        ? { state: 'absent' }
        : { state: 'unreadable', file: CONFIG_PATH, reason: there.why }
      : { state: 'read', file: CONFIG_PATH, text: there.text };
  const reading = resolveConfig({ organisation: { state: 'absent' }, repository });
  switch (reading.state) {
    case 'config':
      if (reading.config.extends !== undefined)
        sink.note(
          `The configuration extends ${reading.config.extends}, which is not read here; it can only be stricter.`,
        );
      return reading.config;
    case 'unreadable':
      sink.miss(reading.file, reading.reason);
      return DEFAULT_CONFIG;
    case 'invalid':
      for (const problem of reading.problems) sink.miss(problem.path, problemText(problem));
      return DEFAULT_CONFIG;
  }
}

async function baselineAt(snapshot: SourceSnapshot, path: string, sink: ScanSink): Promise<Baseline | undefined> {
  const { text, why } = await textAt(snapshot, path);
  if (why !== undefined) sink.miss(path, why);
  if (text === undefined) return undefined;
  try {
    return readBaseline(text);
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    sink.miss(path, `it excepts nothing: ${thrown.message}`);
    return undefined;
  }
}

async function textAt(snapshot: SourceSnapshot, path: string): Promise<{ text?: string; why?: string }> {
  const item = await snapshot.look(path);
  if (item === undefined) return {};
  const content = await snapshot.read(path, MAX_DOCUMENT_SIZE);
  const text = content?.bytes === undefined ? undefined : textOfBytes(content.bytes);
  return text === undefined ? { why: 'it is no regular file of UTF-8 text below 8 MiB' } : { text };
}
