import { sha256 } from '../../domain/json/canonical.ts';
import type { FindingDraft, Place } from '../finding.ts';
import { allowancesIn, excepts, type Allowance } from './allow.ts';
import { fingerprintOf, type Baseline, type BaselineEntry } from './baseline.ts';
import { lineIndex, linesOf } from './lines.ts';
import { isAtLeast, type SecretMatch } from './match.ts';
import type { NewSide } from './patch.ts';
import { SECRET_RULES, type SecretRuleId } from './rules.ts';
import { scanText, scanTextNow } from './scan.ts';

/** A text to look for credentials in. */
export interface TextSource {
  /** Where the text stands, without a line. */
  readonly place: Place;
  readonly text: string;
  /** For the new side of a patch: the real numbers of its lines, and which are new. Only those are reported. */
  readonly lines?: NewSide['lines'];
  /** The commit whose patch this is. A value that several commits add is reported for the first of them only. */
  readonly commit?: string;
  /** For bytes that are no text: only credentials in a provider's own form are reported. */
  readonly isBinary?: boolean;
  /**
   * Lines of the text (from 1) whose allowances count, because they stood on the base (`standingOnBase`) or a
   * permitted person confirmed them; `all` where nobody else wrote the text, as in a local scan.
   */
  readonly standing?: ReadonlySet<number> | 'all';
}

export interface SecretFindings {
  readonly findings: readonly FindingDraft[];
  /** What the findings would be called in a baseline with the same salt; one for each credential in a file. */
  readonly fingerprints: readonly BaselineEntry[];
}

/** Rules that say what a value is called, not what it looks like; they mean nothing in bytes that are no text. */
const BY_NAME: ReadonlySet<SecretRuleId> = new Set(['secrets/password', 'secrets/generic', 'secrets/url-password']);
const LONGEST_KEY = 60;

/**
 * Credentials in texts, as findings that name provider, place and length and never the value. Exceptions: allowances
 * in the texts, and the baseline read from the base. Allowances that do not count, and exceptions that except
 * nothing, are findings of their own.
 * @param sources in the order of commits, where they have one
 */
export async function secretFindings(sources: readonly TextSource[], baseline?: Baseline): Promise<SecretFindings> {
  const findings: FindingDraft[] = [];
  const fingerprints: BaselineEntry[] = [];
  const known = new Set(baseline?.entries.map(keyOf));
  const used = new Set<string>();
  const introduced = new Set<string>();

  for (const source of sources) {
    const matches = (await scanText(source.text)).filter((match) => isReported(match, source));
    const allowances = source.isBinary === true ? [] : allowancesIn(source.text);
    if (matches.length === 0 && allowances.length === 0) continue;
    const whereIs = lineIndex(source.text);
    const lines = linesOf(source.text);
    const spent = new Set<Allowance>();
    for (const match of matches) {
      const { line, column } = whereIs(match.start);
      if (!isNew(source, line, whereIs(Math.max(match.start, match.end - 1)).line)) continue;
      const allowance = allowances.find((candidate) => excepts(candidate, match.rule, line));
      if (allowance !== undefined) {
        spent.add(allowance);
        if (stands(source, allowance)) continue;
      }
      if (source.commit !== undefined && !isFirst(introduced, source, match)) continue;
      if (source.place.at === 'file' && source.isBinary !== true) {
        const { path } = source.place;
        const fingerprint = fingerprintOf(baseline?.salt ?? '', match.rule, path, lines[line - 1] ?? '');
        const entry: BaselineEntry = { rule: match.rule, path, fingerprint };
        fingerprints.push(entry);
        used.add(keyOf(entry));
        if (known.has(keyOf(entry))) continue;
      }
      findings.push(draft(match, source, line, column));
    }
    for (const allowance of allowances) findings.push(...judgeAllowance(allowance, source, spent.has(allowance)));
  }
  const scanned = new Set(sources.flatMap(({ place, lines }) => (place.at === 'file' && !lines ? [place.path] : [])));
  for (const entry of baseline?.entries ?? []) {
    // Whether an entry is of use can be told only where the whole file was looked at.
    if (scanned.has(entry.path) && !used.has(keyOf(entry))) findings.push(unusedEntry(entry));
  }
  return { findings, fingerprints };
}

function isReported(match: SecretMatch, source: TextSource): boolean {
  return isAtLeast(match.confidence, 'likely') && !(source.isBinary === true && BY_NAME.has(match.rule));
}

function isNew(source: TextSource, first: number, last: number): boolean {
  if (source.lines === undefined) return true;
  return source.lines.slice(first - 1, last).some(({ isAdded }) => isAdded);
}

function stands(source: TextSource, { line }: Allowance): boolean {
  return source.standing === 'all' || (source.standing?.has(line) ?? false);
}

// The digest never leaves this module.
function isFirst(introduced: Set<string>, source: TextSource, match: SecretMatch): boolean {
  const path = source.place.at === 'file' ? source.place.path : source.place.at;
  const key = sha256([match.rule, path, source.text.slice(match.start, match.end)].join('\0'));
  if (introduced.has(key)) return false;
  introduced.add(key);
  return true;
}

function draft(match: SecretMatch, source: TextSource, line: number, column: number): FindingDraft {
  const { rule, provider } = match;
  const key = safeKey(match);
  const commit = source.commit === undefined ? '' : `, added by commit ${source.commit.slice(0, 12)}`;
  const given = key === undefined ? '' : `, given to ${key}`;
  const proof = match.confidence === 'certain' && rule !== 'secrets/private-key' ? '; its checksum is right' : '';
  return {
    rule,
    severity: SECRET_RULES[rule].severity,
    place: placed(source, line, column),
    subject: [provider, key ?? '', source.commit ?? ''].join('|'),
    message: `${capital(provider)} of ${match.end - match.start} characters${given}${commit}${proof}.`,
    remedy: SECRET_RULES[rule].remedy,
  };
}

// A name is shown and becomes part of an id, so it must hold no credential itself.
function safeKey({ key }: SecretMatch): string | undefined {
  return key === undefined || key.length > LONGEST_KEY || scanTextNow(key).length > 0 ? undefined : key;
}

function judgeAllowance(allowance: Allowance, source: TextSource, isSpent: boolean): FindingDraft[] {
  const isInChange = isNew(source, allowance.line, allowance.line);
  const make = (rule: SecretRuleId, message: string): FindingDraft[] => [
    {
      rule,
      severity: SECRET_RULES[rule].severity,
      place: placed(source, allowance.line),
      subject: allowance.fault === undefined ? allowance.rule : '',
      message,
      remedy: SECRET_RULES[rule].remedy,
    },
  ];
  if (allowance.fault !== undefined)
    return isInChange ? make('secrets/allow-malformed', `The exception ${allowance.fault}, so it does not count.`) : [];
  // In a patch most lines are not there to be judged.
  if (!isSpent && source.lines === undefined)
    return make('secrets/allow-unused', `The exception from ${allowance.rule} excepts nothing.`);
  if (isSpent && !stands(source, allowance))
    return make(
      'secrets/allow-unconfirmed',
      `The exception from ${allowance.rule} is part of the change and nobody has confirmed it.`,
    );
  return [];
}

function unusedEntry({ rule, path }: BaselineEntry): FindingDraft {
  return {
    rule: 'secrets/baseline-unused',
    severity: SECRET_RULES['secrets/baseline-unused'].severity,
    place: { at: 'file', path },
    subject: rule,
    message: `The baseline lists a finding of ${rule} in ${path} that is not there any more.`,
    remedy: SECRET_RULES['secrets/baseline-unused'].remedy,
  };
}

function placed({ place, lines }: TextSource, line: number, column?: number): Place {
  const number = lines?.[line - 1]?.number ?? line;
  switch (place.at) {
    case 'file':
      return { ...place, line: number, ...(column === undefined ? {} : { column }) };
    case 'commit':
    case 'pull-request':
      return { ...place, line: number };
    case 'run':
    case 'repository':
      return place;
  }
}

function keyOf({ rule, path, fingerprint }: BaselineEntry): string {
  return [rule, path, fingerprint].join('\0');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
