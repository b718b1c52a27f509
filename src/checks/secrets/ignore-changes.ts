import type { FindingDraft } from '../finding.ts';
import { ignoreMatcher, type IgnoreFile } from './ignore-rules.ts';
import { SECRET_RULES } from './rules.ts';
import { secretFileKind } from './secret-files.ts';

/** Names that stand for the secret-bearing files of a folder, whether they are there or not. */
const PROBES = [
  '.env',
  '.env.local',
  '.env.development',
  '.env.production',
  '.env.staging',
  '.env.test',
  '.envrc',
  'prod.env',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.netrc',
  '.git-credentials',
  'id_rsa',
  'id_ed25519',
  'server.pem',
  'server.key',
  'keystore.jks',
  'key.p12',
  'cert.pfx',
  'secrets.json',
  'secrets.yaml',
  'secrets.yml',
  'credentials',
  'credentials.json',
  'service-account.json',
  'kubeconfig',
  '.docker/config.json',
  '.kube/config',
] as const;
const SHOWN = 5;
/** Rules of one file that are turned into names; a file has some hundred at most. */
const MAX_RULES = 5000;

/**
 * Rule files whose change uncovers files that hold secrets: names that the base ignored and the head does not, since a
 * rule was removed, changed or negated, or a file of rules was.
 * @param paths known paths, tracked or not, that are to be tried besides the usual names
 */
export function ignoreChangeFindings(
  base: readonly IgnoreFile[],
  head: readonly IgnoreFile[],
  paths: readonly string[] = [],
): FindingDraft[] {
  const before = ignoreMatcher(base);
  const after = ignoreMatcher(head);
  const changed = changedFiles(base, head);
  const folders = new Set(changed.flatMap((file) => [file.folder, ...foldersNamedIn(file)]));
  const probes = new Set([
    ...[...folders].flatMap((folder) => PROBES.map((name) => join(folder, name))),
    ...changed.flatMap(namesIn),
    ...paths,
  ]);
  const uncovered = new Map<string, string[]>();
  for (const probe of probes) {
    if (secretFileKind(probe) === undefined) continue;
    const covered = before(probe);
    const now = after(probe);
    if (!covered.isIgnored || now.isIgnored) continue;
    // The finding stands where the negation is, else where the rule was.
    const at = now.rule?.path ?? covered.rule?.path ?? '.gitignore';
    uncovered.set(at, [...(uncovered.get(at) ?? []), probe]);
  }
  return [...uncovered].map(([path, names]) => ({
    rule: 'secrets/ignore-rule-removed',
    severity: SECRET_RULES['secrets/ignore-rule-removed'].severity,
    place: { at: 'file', path },
    subject: 'uncovered',
    message: `No rule ignores these any more: ${listed(names)}.`,
    remedy: SECRET_RULES['secrets/ignore-rule-removed'].remedy,
  }));
}

function listed(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  return names.slice(0, SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function changedFiles(base: readonly IgnoreFile[], head: readonly IgnoreFile[]): IgnoreFile[] {
  const texts = new Map(head.map((file) => [file.path, file.text]));
  const known = new Map(base.map((file) => [file.path, file.text]));
  return [
    ...base.filter((file) => texts.get(file.path) !== file.text),
    ...head.filter((file) => known.get(file.path) !== file.text),
  ];
}

// `config/.env` speaks of a folder: the usual names are tried there too. `dist/` does not: that it held secrets is no
// more than possible, and known paths are tried anyway.
function foldersNamedIn(file: IgnoreFile): string[] {
  return namesIn(file)
    .filter((path) => path.includes('/') && secretFileKind(path) !== undefined)
    .map((path) => path.slice(0, path.lastIndexOf('/')));
}

// Names that the rules of a file themselves give, with wildcards filled in by letters.
function namesIn({ folder, text }: IgnoreFile): string[] {
  return text
    .split('\n', MAX_RULES)
    .map((row) => row.trim().replace(/^!/, ''))
    .filter((row) => row !== '' && !row.startsWith('#') && row.length < 1000)
    .map((row) =>
      row
        .replaceAll(/\*\*\//g, '')
        .replaceAll(/\[[^\]]{0,40}\]/g, 'a')
        .replaceAll(/\*+|\?/g, 'a')
        .replaceAll(/\\(.)/g, '$1')
        .replaceAll(/^\/+|\/+$/g, ''),
    )
    .filter((name) => name !== '' && !name.includes('//'))
    .map((name) => join(folder, name));
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
