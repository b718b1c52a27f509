import { CONFIG_PATH } from '../config/extends.ts';
import { RUNS } from '../domain/contracts/run-record.ts';
import { canonicalJson, sha256, writeJson } from '../domain/json/canonical.ts';
import { compareCodePoints } from '../domain/text/order.ts';
import type { GateFinding, GateReport } from '../gate/report.ts';
import type { ScanReport } from '../gate/scan-report.ts';
import { NAME_LIMIT, SARIF_MESSAGE_LIMIT, SARIF_RESULTS } from './limits.ts';
import { needsBesideFindings } from './missing.ts';
import { RULE_INDEX } from './rule-index.ts';
import { bounded, line, visibleLines } from './visible.ts';
import { placeText } from './words.ts';

type Level = 'error' | 'warning' | 'note';

const LEVELS = { block: 'error', warn: 'warning', note: 'note' } as const satisfies Record<
  GateFinding['severity'],
  Level
>;
const RANK = { error: 0, warning: 1, note: 2 } as const satisfies Record<Level, number>;

/** Rules that needs are of which no check found: one for each outcome. */
const OUTCOME_RULES = {
  'countersign/failed': 'Evidence fails, contradicts, or the harness cannot do it.',
  'countersign/incomplete': 'Not everything could be looked at.',
  'countersign/pending': 'Something that is expected is still awaited.',
  'countersign/unverified': 'Something is missing, or only claimed.',
} as const;

interface Result {
  readonly ruleId: string;
  readonly level: Level;
  readonly message: string;
  readonly path: string;
  readonly line: number;
  readonly column: number | undefined;
  readonly fingerprint: string;
}

/**
 * Findings, and needs that no finding says, as SARIF 2.1.0 for code scanning; in an order of its own, so that equal
 * reports give equal texts. GitHub wants a place in a file for each result: what has none stands at its run's
 * contract, or at the config. Over {@link SARIF_RESULTS} the least are left out, and a notification says so.
 */
export function reportSarif(report: GateReport): string {
  const results = [...report.findings.map(findingResult), ...needResults(report)];
  return sarifLog(report.engine, results, report.outcome !== 'incomplete', []);
}

/** The findings of one check alone, in the same form; what could not be looked at is notified. */
export function scanSarif({ engine, check, findings, unread, left_out: leftOut }: ScanReport): string {
  const notes = unread.map(({ what, why }) => notification('error', `Not looked at: ${what}: ${why}`));
  const more = leftOut === 0 ? [] : [notification('warning', `${leftOut} more findings are not listed.`)];
  return sarifLog(
    engine,
    findings.map(findingResult),
    unread.length === 0,
    [...notes, ...more],
    `countersign-${check}/`,
  );
}

function notification(level: 'error' | 'warning', text: string): object {
  return { level, message: { text: sarifText(text) } };
}

function sarifLog(
  engine: string,
  unordered: readonly Result[],
  isComplete: boolean,
  notifications: readonly object[],
  category = 'countersign/',
): string {
  const all = [...unordered].sort(compareResults);
  const results = all.slice(0, SARIF_RESULTS);
  const rules = rulesOf(all);
  const places = new Map(rules.map((rule, index) => [rule.id, index]));
  return writeJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Countersign', semanticVersion: versionOf(engine), rules } },
        automationDetails: { id: category },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: isComplete,
            toolExecutionNotifications: [
              ...notifications,
              ...(results.length === all.length
                ? []
                : [notification('warning', `${all.length - results.length} more results are left out.`)]),
            ],
          },
        ],
        results: results.map((result) => sarifResult(result, places.get(result.ruleId) ?? -1)),
      },
    ],
  });
}

function sarifResult({ ruleId, level, message, path, line, column, fingerprint }: Result, ruleIndex: number): object {
  return {
    ruleId,
    ruleIndex,
    level,
    message: { text: sarifText(message) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(path), uriBaseId: '%SRCROOT%' },
          region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) },
        },
      },
    ],
    // GitHub tells alerts apart by the first alone, and would make one from the line's text, which moves.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'countersignFinding/v1': fingerprint },
  };
}

function findingResult(finding: GateFinding): Result {
  const { place, rule: ruleId, message, remedy, id: fingerprint } = finding;
  const where = place.at === 'file' ? '' : `${placeText(place)}: `;
  const at =
    place.at === 'file'
      ? { path: place.path, line: place.line ?? 1, column: place.line === undefined ? undefined : place.column }
      : { path: place.at === 'run' ? contractPath(place.runId) : CONFIG_PATH, line: 1, column: undefined };
  return { ruleId, level: LEVELS[finding.severity], message: `${where}${message}\n${remedy}`, ...at, fingerprint };
}

function needResults(report: GateReport): Result[] {
  const seen = new Map<string, number>();
  return needsBesideFindings(report).map(({ outcome, what, who, how, run }) => {
    const key = canonicalJson([outcome, who, run ?? '', what]);
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    return {
      ruleId: `countersign/${outcome}`,
      level: outcome === 'pending' ? 'warning' : 'error',
      message: `${what}\n${how}`,
      path: run === undefined ? CONFIG_PATH : contractPath(run),
      line: 1,
      column: undefined,
      fingerprint: sha256(canonicalJson([key, ordinal])).slice(0, 12),
    };
  });
}

function contractPath(runId: string): string {
  return `${RUNS}/${runId}/contract.json`;
}

// Square brackets make links in a message (SARIF 2.1.0, 3.11.6); a backslash before them keeps them text, and one
// before a backslash that would then be taken for that.
function sarifText(text: string): string {
  return bounded(visibleLines(bounded(text, SARIF_MESSAGE_LIMIT)), SARIF_MESSAGE_LIMIT).replace(
    /[[\]]|\\(?=[[\]\\])/g,
    '\\$&',
  );
}

/** A path as a relative reference (RFC 3986): every segment percent-encoded, so that none is read as a scheme. */
function uriOf(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

function versionOf(engine: string): string {
  return /\d{1,9}\.\d{1,9}\.\d{1,9}/.exec(engine)?.[0] ?? '0.0.0';
}

// All rules of the checks are told, found or not: their numbers stay the same from report to report.
function rulesOf(results: readonly Result[]): { readonly id: string }[] {
  const known = [...RULE_INDEX].map(([id, { title, why, remedy, severity }]) => ({
    id,
    shortDescription: { text: title },
    fullDescription: { text: why },
    help: { text: `${why}\n\n${remedy}`, markdown: `${why}\n\n${remedy}` },
    defaultConfiguration: { level: LEVELS[severity] },
  }));
  const outcomes = Object.entries(OUTCOME_RULES).map(([id, text]) => ({
    id,
    shortDescription: { text },
    fullDescription: { text },
    help: { text },
    defaultConfiguration: { level: id === 'countersign/pending' ? 'warning' : 'error' },
  }));
  const ids = new Set([...known, ...outcomes].map((rule) => rule.id));
  const others = [...new Set(results.map((one) => one.ruleId))]
    .filter((id) => !ids.has(id))
    .sort(compareCodePoints)
    .map((id) => ({ id, shortDescription: { text: line(id, NAME_LIMIT) } }));
  return [...known, ...outcomes, ...others];
}

function compareResults(a: Result, b: Result): number {
  return (
    RANK[a.level] - RANK[b.level] ||
    compareCodePoints(a.path, b.path) ||
    a.line - b.line ||
    compareCodePoints(a.ruleId, b.ruleId) ||
    compareCodePoints(a.fingerprint, b.fingerprint)
  );
}
