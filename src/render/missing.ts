import { OUTCOMES } from '../gate/outcome.ts';
import type { Need } from '../gate/outcome.ts';
import type { GateFinding, GateReport } from '../gate/report.ts';
import { ACTORS } from './words.ts';

type ReportNeed = GateReport['needs'][number];

/** Things that are missing for one reason and that one action mends. */
export interface MissingItem {
  readonly outcome: Need['outcome'];
  /** Sentences, the first first. */
  readonly whats: readonly string[];
  readonly how: string;
}

/** What one kind of actor can do. */
export interface MissingGroup {
  readonly who: Need['who'];
  readonly items: readonly MissingItem[];
  /** Blocking findings, which have a section of their own. */
  readonly findings: number;
}

/** The needs that are no blocking finding over again. */
export function needsBesideFindings(report: GateReport): ReportNeed[] {
  const found = blockingKeys(report.findings);
  return report.needs.filter((need) => !found.has(key(need.what, need.how)) || need.outcome !== 'failed');
}

/** What is missing, by who can act; things that the same action mends stand together. */
export function missingGroups(report: GateReport): MissingGroup[] {
  const needs = needsBesideFindings(report);
  const blocking = report.findings.filter((finding) => finding.severity === 'block').length;
  const several = report.runs.length > 1;
  return ACTORS.flatMap((who): MissingGroup[] => {
    const items = new Map<string, { outcome: Need['outcome']; whats: string[]; how: string }>();
    for (const need of needs) {
      if (need.who !== who) continue;
      const what =
        several && need.run !== undefined && !need.what.includes(need.run) ? `${need.run}: ${need.what}` : need.what;
      const item = items.get(key(need.outcome, need.how));
      if (item === undefined)
        items.set(key(need.outcome, need.how), { outcome: need.outcome, whats: [what], how: need.how });
      else item.whats.push(what);
    }
    const findings = who === 'agent' ? blocking : 0;
    // The worst first: what is left out of a list that is too long is the least of it.
    const sorted = [...items.values()].sort((a, b) => OUTCOMES.indexOf(b.outcome) - OUTCOMES.indexOf(a.outcome));
    return sorted.length === 0 && findings === 0 ? [] : [{ who, items: sorted, findings }];
  });
}

function blockingKeys(findings: readonly GateFinding[]): ReadonlySet<string> {
  return new Set(findings.filter((one) => one.severity === 'block').map((one) => key(one.message, one.remedy)));
}

function key(...parts: readonly string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('');
}

type ReportRun = GateReport['runs'][number];

/** The assertions of a run that say something; where not all fit, those that do not hold come first. */
export function shownAssertions(run: ReportRun, fit: number): ReportRun['assertions'] {
  const shown = run.assertions.filter((one) => one.required || one.standing !== 'not-applicable');
  if (shown.length <= fit) return shown;
  const open = (one: (typeof shown)[number]): boolean =>
    one.standing !== 'satisfied' && one.standing !== 'not-applicable';
  return [...shown.filter(open), ...shown.filter((one) => !open(one))];
}

/** Findings of one severity that one remedy mends. */
export interface FindingGroup {
  readonly rule: string;
  readonly remedy: string;
  readonly findings: readonly GateFinding[];
}

/** Findings of a severity, those with the same rule and remedy together, in the report's order. */
export function findingGroups(report: GateReport, severity: GateFinding['severity']): FindingGroup[] {
  const groups = new Map<string, { rule: string; remedy: string; findings: GateFinding[] }>();
  for (const finding of report.findings) {
    if (finding.severity !== severity) continue;
    const { rule, remedy } = finding;
    const group = groups.get(key(rule, remedy));
    if (group === undefined) groups.set(key(rule, remedy), { rule, remedy, findings: [finding] });
    else group.findings.push(finding);
  }
  return [...groups.values()];
}

/** A report with its lists put together once, however often it is written. */
export interface View {
  readonly report: GateReport;
  readonly missing: readonly MissingGroup[];
  readonly findings: Readonly<Record<GateFinding['severity'], readonly FindingGroup[]>>;
}

/** Puts a report's lists together. */
export function viewOf(report: GateReport): View {
  const findings = {
    block: findingGroups(report, 'block'),
    warn: findingGroups(report, 'warn'),
    note: findingGroups(report, 'note'),
  };
  return { report, missing: missingGroups(report), findings };
}
