import { sha256 } from '../../domain/json/canonical.ts';
import { Refusal } from '../../domain/errors.ts';
import { isSecretRule, type SecretRuleId } from './rules.ts';

/**
 * Findings that stood when the check came in, as `.github/countersign-baseline.json` on the base lists them. It holds
 * fingerprints only, made with the file's own salt, and no line numbers: an entry survives edits above its line.
 */
export interface Baseline {
  readonly version: 1;
  /** At least 16 random characters, made anew with every new file. */
  readonly salt: string;
  readonly entries: readonly BaselineEntry[];
}

export interface BaselineEntry {
  readonly rule: SecretRuleId;
  readonly path: string;
  /** SHA-256 in hex; see `fingerprintOf`. */
  readonly fingerprint: string;
}

const SHORTEST_SALT = 16;

/**
 * The fingerprint of a finding: salt, rule, path and its line with white space made even. Another value on the line
 * gives another fingerprint, so that a listed line does not cover the next secret written there.
 */
export function fingerprintOf(salt: string, rule: SecretRuleId, path: string, line: string): string {
  return sha256(['countersign-baseline-1', salt, rule, path, line.trim().replaceAll(/\s+/g, ' ')].join('\0'));
}

/**
 * Reads a baseline.
 * @param text of the file on the base
 * @throws Refusal CS1501 if it is not one: nothing is excepted then, and the check is not complete
 */
export function readBaseline(text: string): Baseline {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new Refusal('CS1501', 'The baseline is no JSON', { cause });
  }
  if (!isObject(document) || document['version'] !== 1) throw new Refusal('CS1501', 'The baseline has no version 1');
  const { salt, entries } = document;
  if (typeof salt !== 'string' || salt.length < SHORTEST_SALT)
    throw new Refusal('CS1501', `The baseline's salt has fewer than ${SHORTEST_SALT} characters`);
  if (!Array.isArray(entries)) throw new Refusal('CS1501', "The baseline's entries are no list");
  return { version: 1, salt, entries: entries.map(entryOf) };
}

/** The text of a baseline file: entries in a fixed order, one a line. */
export function writeBaseline({ salt, entries }: Baseline): string {
  const key = (entry: BaselineEntry) => `${entry.path}\0${entry.rule}\0${entry.fingerprint}`;
  const sorted = [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const rows = sorted.map(({ rule, path, fingerprint }) => `    ${JSON.stringify({ rule, path, fingerprint })}`);
  const list = rows.length === 0 ? '[]' : `[\n${rows.join(',\n')}\n  ]`;
  return `{\n  "version": 1,\n  "salt": ${JSON.stringify(salt)},\n  "entries": ${list}\n}\n`;
}

function entryOf(entry: unknown, index: number): BaselineEntry {
  if (isObject(entry)) {
    const { rule, path, fingerprint } = entry;
    if (typeof rule === 'string' && isSecretRule(rule) && typeof path === 'string' && isDigest(fingerprint))
      return { rule, path, fingerprint };
  }
  throw new Refusal('CS1501', `Entry ${index + 1} of the baseline is not made of rule, path and fingerprint`);
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
