import { resolve } from 'node:path';
import type { FindingDraft } from '../../checks/finding.ts';
import { isSecretRule } from '../../checks/secrets/rules.ts';
import { Refusal } from '../../domain/errors.ts';
import { attributionOptions } from '../../gate/attribution-options.ts';
import { utcDay } from '../../gate/people.ts';
import { scanSink } from '../../gate/scan-report.ts';
import type { ScanOutcome, ScanReport, ScanSink } from '../../gate/scan-report.ts';
import { secretsWeigher } from '../../gate/secrets.ts';
import { reportJson } from '../../render/json.ts';
import { scanSarif } from '../../render/sarif.ts';
import { scanText } from '../../render/scan.ts';
import type { GitRepository } from '../../sources/git.ts';
import { withObjects } from '../../sources/git-objects.ts';
import {
  fileAttribution,
  messageAttribution,
  rangeAttribution,
  stagedAttribution,
} from '../../sources/scan/attribution.ts';
import { headFiles } from '../../sources/scan/head.ts';
import { pathFiles, shown, workingCopyFiles } from '../../sources/scan/listing.ts';
import { branchRange, parseRange, rangeCommits } from '../../sources/scan/range.ts';
import type { RangeText } from '../../sources/scan/range.ts';
import { rangeSecrets } from '../../sources/scan/secrets-commits.ts';
import { fileSecrets } from '../../sources/scan/secrets-files.ts';
import { stagedSecrets } from '../../sources/scan/secrets-staged.ts';
import { repositoryAround, scanSettings } from '../../sources/scan/settings.ts';
import type { ScanSettings } from '../../sources/scan/settings.ts';
import { EXIT } from '../exit.ts';
import { rootOf } from '../session.ts';
import type { Session } from '../session.ts';
import { progressLine } from '../terminal.ts';
import { version } from '../version.ts';
import { scanTarget } from './options.ts';
import type { ScanOptions, ScanTarget } from './options.ts';

type Check = ScanReport['check'];

/** Runs one check by itself, prints what it found and sets the exit code. */
export async function scan(
  session: Session,
  check: Check,
  paths: readonly string[],
  options: ScanOptions,
): Promise<void> {
  const asked = scanTarget(paths, options);
  const target: ScanTarget = asked.kind === 'default' && check === 'secrets' ? { kind: 'all' } : asked;
  const folder = rootOf(session, options);
  const repository = await repositoryAround(folder);
  const root = repository?.root ?? folder;
  const sink = scanSink();
  const progress = progressLine(session.terminal, 'Looking at file');
  const call = {
    session,
    root,
    repository,
    sink,
    settings: await scanSettings(repository, sink),
    progress: progress.step,
  };
  let about: ScanReport['target'];
  try {
    about = check === 'secrets' ? await secretsOf(call, target) : await attributionOf(call, target);
  } finally {
    progress.end();
  }
  const report = sink.report({ engine: version(), check, target: about });
  session.terminal.out(FORMAT[options.json === true ? 'json' : (options.format ?? 'text')](report, session));
  session.exit = EXITS[report.outcome];
}

const EXITS = {
  clean: EXIT.holds.code,
  found: EXIT.holds.code,
  blocked: EXIT.refused.code,
  incomplete: EXIT.incomplete.code,
} as const satisfies Record<ScanOutcome, number>;

const FORMAT = {
  text: (report: ScanReport, { terminal }: Session) => scanText(report, terminal),
  json: reportJson,
  sarif: scanSarif,
} as const;

interface Call {
  readonly session: Session;
  readonly root: string;
  readonly repository: GitRepository | undefined;
  readonly sink: ScanSink;
  readonly settings: ScanSettings;
  readonly progress: (done: number, total?: number) => void;
}

async function secretsOf(call: Call, target: ScanTarget): Promise<ScanReport['target']> {
  const { root, sink, settings, session } = call;
  const { secrets } = settings.config;
  if (secrets.mode === 'off') sink.note('secrets.mode is off in the configuration: nothing is reported.');
  const weigh = secretsWeigher(secrets, utcDay(new Date().toISOString()));
  const found = (drafts: readonly FindingDraft[]): void => {
    for (const draft of drafts) {
      const { rule } = draft;
      const weighed = isSecretRule(rule) ? weigh({ ...draft, rule, place: { ...draft.place } }) : [];
      for (const one of weighed) {
        // What nobody looked at is no finding here: it leaves the answer open.
        if (one.rule === 'secrets/not-scanned') sink.miss(placePath(one), one.message);
        else sink.add([one]);
      }
    }
  };
  const files = { root, settings, sink, found, progress: call.progress };
  switch (target.kind) {
    case 'range': {
      const { range, text } = await rangeOf(call, target.range);
      await withObjects(range.repository, async (objects) => {
        const commits = await rangeCommits(range.repository, objects, range.text, sink);
        found(await rangeSecrets(range.repository, objects, commits, settings, sink));
      });
      return { kind: 'range', text };
    }
    case 'staged': {
      const repository = inGit(call);
      found(await withObjects(repository, (objects) => stagedSecrets(repository, objects, settings, sink)));
      return { kind: 'staged', text: 'what is staged' };
    }
    case 'all': {
      const { repository } = call;
      if (repository === undefined) {
        await fileSecrets(await pathFiles(root, root, ['.'], sink), files);
        return { kind: 'all', text: 'this folder' };
      }
      const listing = await workingCopyFiles(repository);
      await withObjects(repository, async (objects) => {
        await fileSecrets(listing, files, await headFiles(repository, objects));
      });
      return { kind: 'all', text: 'the working copy and HEAD' };
    }
    case 'paths':
      await fileSecrets(await pathFiles(root, session.cwd, target.paths, sink), files);
      return { kind: 'paths', text: target.paths.join(' ') };
    case 'message':
    case 'default':
      throw new Refusal('CS1301', 'Messages are looked at by `countersign scan attribution`.');
  }
}

async function attributionOf(call: Call, target: ScanTarget): Promise<ScanReport['target']> {
  const { root, sink, settings, session } = call;
  const options = attributionOptions(settings.config, utcDay(new Date().toISOString()));
  if (options.mode === 'off') sink.note('attribution.mode is off in the configuration: nothing is looked for.');
  const found = (drafts: readonly FindingDraft[]): void => sink.add(drafts);
  switch (target.kind) {
    case 'default':
    case 'range': {
      const { range, text } = await rangeOf(call, target.kind === 'range' ? target.range : undefined);
      const commits = await withObjects(range.repository, (objects) =>
        rangeCommits(range.repository, objects, range.text, sink),
      );
      found(rangeAttribution(commits, options));
      return { kind: 'range', text };
    }
    case 'staged':
      found(await stagedAttribution(inGit(call).root, options, sink));
      sink.note('Of what is staged only author and committer are looked at: the message is not written yet.');
      return { kind: 'staged', text: 'the next commit' };
    case 'message': {
      const path = resolve(session.cwd, target.file);
      found(messageAttribution(target.file === '-' ? '-' : path, shown(root, path), options, sink));
      return {
        kind: 'message',
        text: target.file === '-' ? 'the message on standard input' : `the message ${target.file}`,
      };
    }
    case 'all': {
      const { repository } = call;
      const listing =
        repository === undefined ? await pathFiles(root, root, ['.'], sink) : await workingCopyFiles(repository);
      await fileAttribution(listing, options, sink, found, call.progress);
      return { kind: 'all', text: repository === undefined ? 'this folder' : 'the working copy' };
    }
    case 'paths':
      await fileAttribution(
        await pathFiles(root, session.cwd, target.paths, sink),
        options,
        sink,
        found,
        call.progress,
      );
      return { kind: 'paths', text: target.paths.join(' ') };
  }
}

async function rangeOf(
  call: Call,
  given: string | undefined,
): Promise<{ range: { repository: GitRepository; text: RangeText }; text: string }> {
  const asked = given === undefined ? undefined : parseRange(given);
  const repository = inGit(call);
  const text = asked ?? (await withObjects(repository, (objects) => branchRange(repository, objects)));
  return {
    range: { repository, text },
    text: given ?? `${(text.from ?? '').replace(/^refs\/(?:remotes|heads)\//, '')}..${text.to}`,
  };
}

function inGit({ repository, root }: Call): GitRepository {
  if (repository === undefined)
    throw new Refusal('CS1504', `${root} lies in no git repository.`, {
      where: root,
      remedy: 'Run it in a git repository, or name files and folders.',
    });
  return repository;
}

function placePath({ place }: FindingDraft): string {
  return place.at === 'file' ? place.path : place.at;
}
