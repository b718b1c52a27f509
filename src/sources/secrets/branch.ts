import { readBaseline } from '../../checks/secrets/baseline.ts';
import type { Baseline } from '../../checks/secrets/baseline.ts';
import type { FindingDraft } from '../../checks/finding.ts';
import { secretFindings } from '../../checks/secrets/findings.ts';
import type { TextSource } from '../../checks/secrets/findings.ts';
import { isSecretRule } from '../../checks/secrets/rules.ts';
import { isRefusal } from '../../domain/errors.ts';
import type { Facts, SecretFacts } from '../../gate/facts.ts';
import { decodeText, MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import type { SourceSnapshot, Unread } from '../snapshot/snapshot.ts';
import { scanChanges } from './changes.ts';
import type { Changes, Sighting } from './change-collector.ts';
import type { ScannedCommit } from './changes.ts';
import { branchSecretFiles, ignoreChangesOf, pathsOf } from './head-files.ts';

/** Findings that facts hold; of more only the number is told. */
export const MAX_FINDINGS = 1000;

/** Secrets in facts, and what was not looked at. */
export interface SecretScan {
  readonly secrets: SecretFacts;
  readonly unread: readonly Unread[];
}

/** The states of a branch that its secrets are judged by. */
export interface BranchStates {
  readonly head: SourceSnapshot;
  /** The tip of the base: exceptions and the baseline count as they stand there. */
  readonly base: SourceSnapshot;
  /** Where the branch begins. */
  readonly ancestor: SourceSnapshot;
}

/** What a branch's commits and states are read by. */
export interface BranchContent {
  readonly objects: ObjectReader;
  /** Looks through what each commit adds. */
  changes(baseText: (path: string) => Promise<string | undefined>): Promise<Changes>;
  /** All paths of a commit that secrets are judged by: {@link isTelling}. */
  paths(commit: string): Promise<string[]>;
}

/** Begins to look through the commits, while others read documents. Never throws; `finish` tells what went wrong. */
export function startBranchScan(
  repository: GitRepository,
  objects: ObjectReader,
  facts: Facts,
  commits: readonly ScannedCommit[],
  states: BranchStates,
): BranchScan {
  const content: BranchContent = {
    objects,
    changes: (baseText) => scanChanges(repository, objects, commits, baseText),
    paths: (commit) => pathsOf(repository, commit),
  };
  return startScan(content, facts, states);
}

export interface BranchScan {
  finish(baselineText: string | undefined): Promise<SecretScan>;
}

/** The same wherever the branch lies. */
export function startScan(content: BranchContent, facts: Facts, { head, base, ancestor }: BranchStates): BranchScan {
  const changes = settled(() => content.changes(baseTextOf(facts, base)));
  const { merge_base: from, head: to } = facts.subject;
  const drafts = changes.then(async (scan) => {
    const seen = scan.value?.secretFiles ?? new Map<string, Sighting>();
    return settled(async () => [
      ...(await branchSecretFiles(facts.files, seen, head, base, content.objects)),
      ...(from === null || to.sha === null
        ? []
        : await ignoreChangesOf(
            facts.files,
            { paths: () => content.paths(from), snapshot: ancestor },
            { paths: () => content.paths(to.sha ?? ''), snapshot: head },
          )),
    ]);
  });
  return {
    finish: async (baselineText) => {
      const [scan, files] = [await changes, await drafts];
      const text = await settled(() => textDrafts(facts, scan.value, baselineText));
      const found = [...(text.value?.findings ?? []), ...(scan.value?.findings ?? []), ...(files.value ?? [])];
      const unread = [scan.why, files.why, text.why ?? text.value?.fault].flatMap((why, at) =>
        why === undefined ? [] : [{ what: `secrets in ${PARTS[at] ?? 'the branch'}`, why }],
      );
      return secretFacts(found, unread);
    },
  };
}

const PARTS = ['the commits', 'the changed files', 'the texts'] as const;

/** Findings as facts hold them. */
export function secretFacts(drafts: readonly FindingDraft[], unread: readonly Unread[]): SecretScan {
  const more = drafts.length - MAX_FINDINGS;
  return {
    secrets: {
      scanned: 'whole',
      findings: drafts
        .slice(0, MAX_FINDINGS)
        .flatMap(({ rule, place, subject, message, remedy }) =>
          isSecretRule(rule) ? [{ rule, place: { ...place }, subject, message, remedy }] : [],
        ),
    },
    unread: more > 0 ? [...unread, { what: `${more} findings of secrets`, why: 'only the first are listed' }] : unread,
  };
}

async function textDrafts(
  { subject, commits }: Facts,
  changes: Changes | undefined,
  baselineText: string | undefined,
): Promise<{ readonly findings: readonly FindingDraft[]; readonly fault?: string }> {
  const sources: TextSource[] = [
    { place: { at: 'pull-request', part: 'title' }, text: subject.title },
    { place: { at: 'pull-request', part: 'body' }, text: subject.body },
    ...commits.flatMap(commitSources),
    ...(changes?.sources ?? []),
  ];
  let baseline: Baseline | undefined;
  let fault: string | undefined;
  try {
    baseline = baselineText === undefined ? undefined : readBaseline(baselineText);
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    fault = `the baseline excepts nothing: ${thrown.message}`;
  }
  const { findings } = await secretFindings(sources, baseline);
  return { findings, ...(fault === undefined ? {} : { fault }) };
}

/** The texts of a commit itself: message, and names and addresses of its people. */
export function commitSources({ sha, message, author, committer }: CommitTexts): TextSource[] {
  const at = (part: 'message' | 'author' | 'committer', text: string): TextSource => ({
    place: { at: 'commit', sha, part },
    text,
  });
  return [
    at('message', message),
    ...[author.name, author.email].map((text) => at('author', text)),
    ...[committer.name, committer.email].map((text) => at('committer', text)),
  ];
}

interface CommitTexts {
  readonly sha: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly committer: { readonly name: string; readonly email: string };
}

/** The text of a file at the base, under its own name or the one that the branch renamed. */
function baseTextOf({ files }: Facts, base: SourceSnapshot): (path: string) => Promise<string | undefined> {
  const renamed = new Map(files.flatMap(({ path, old_path }) => (old_path === undefined ? [] : [[path, old_path]])));
  return async (path) => {
    const own = (await base.read(path, MAX_SCANNED_BYTES))?.bytes;
    const before = renamed.get(path);
    const bytes = own ?? (before === undefined ? undefined : (await base.read(before, MAX_SCANNED_BYTES))?.bytes);
    const decoded = bytes === undefined ? undefined : decodeText(bytes);
    return decoded?.kind === 'text' ? decoded.text : undefined;
  };
}

// A scanner that fails closes the gate: whatever is thrown makes the verdict incomplete. Only refusals are quoted.
async function settled<T>(body: () => Promise<T>): Promise<{ readonly value?: T; readonly why?: string }> {
  try {
    return { value: await body() };
  } catch (thrown) {
    if (isRefusal(thrown)) return { why: thrown.message };
    return { why: `the scan failed (${thrown instanceof Error ? thrown.name : typeof thrown})` };
  }
}
