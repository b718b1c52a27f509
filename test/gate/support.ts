import { decide } from '../../src/gate/decide.ts';
import { factsSchema } from '../../src/gate/facts.ts';
import type { Facts, FileChange, Person, SnapshotEntry } from '../../src/gate/facts.ts';
import type { GateReport } from '../../src/gate/report.ts';
import { gateReportSchema } from '../../src/gate/report.ts';
import { factsOf } from '../support/facts.ts';
import type { FactsOptions } from '../support/facts.ts';
import { governedProject } from '../support/governed.ts';
import type { Governed, GovernedOptions } from '../support/governed.ts';

const built = new Map<string, Governed>();

/** A governed project whose documents are held in memory; equal options give the same one. */
export function project(options: GovernedOptions = {}): Governed {
  const key = JSON.stringify(options);
  const known = built.get(key);
  if (known !== undefined) return known;
  const governed = governedProject(options);
  const entries = governed.entries();
  governed.remove();
  const held = { ...governed, entries: () => entries.map((entry) => ({ ...entry })) };
  built.set(key, held);
  return held;
}

/** What a judgement is made from: the project, and what is different about the pull request. */
export interface Case extends FactsOptions {
  readonly project?: GovernedOptions;
}

export function facts({ project: options, ...rest }: Case = {}): Facts {
  return factsSchema.parse(factsOf(project(options), rest));
}

/** Judges a pull request; the report is checked against its schema. */
export function judge(given: Case = {}): GateReport {
  return judged(facts(given));
}

export function judged(given: Facts): GateReport {
  const report = decide(given);
  expectReport(report);
  return report;
}

function expectReport(report: GateReport): void {
  gateReportSchema.parse(report);
  JSON.stringify(report);
}

/** Texts of the needs of an outcome, in one. */
export function needs(report: GateReport, outcome: GateReport['needs'][number]['outcome']): string {
  return report.needs
    .filter((need) => need.outcome === outcome)
    .map((need) => need.what)
    .join('\n');
}

/** An assertion of the only run, by its subject. */
export function assertionOf(report: GateReport, subject: string): GateReport['runs'][number]['assertions'][number] {
  const found = report.runs.flatMap((run) => run.assertions).find((one) => one.subject === subject);
  if (found === undefined) throw new Error(`no assertion about ${subject}`);
  return found;
}

/** The ids of the rules that found something, sorted. */
export function rulesOf(report: GateReport): string[] {
  return [...new Set(report.findings.map((finding) => finding.rule))].sort();
}

export function changed(path: string, more: Partial<FileChange> = {}): FileChange {
  return { status: 'modified', path, mode: '100644', old_mode: '100644', ...more };
}

/** Adds changed files. */
export function withFiles(...files: FileChange[]): (given: Facts) => Facts {
  return (given) => ({ ...given, files: [...given.files, ...files] });
}

/** Adds people that are known. */
export function withPeople(...people: Partial<Person>[]): (given: Facts) => Facts {
  return (given) => ({
    ...given,
    people: [
      ...given.people,
      ...people.map((one, index): Person => ({
        id: 50 + index,
        login: `p${index}`,
        type: 'user',
        permission: 'write',
        teams: [],
        ...one,
      })),
    ],
  });
}

export function withFacts(changes: Partial<Facts>): (given: Facts) => Facts {
  return (given) => ({ ...given, ...changes });
}

export function both(...edits: ((given: Facts) => Facts)[]): (given: Facts) => Facts {
  return (given) => edits.reduce((one, edit) => edit(one), given);
}

/** Replaces, in one entry, a text that must be there. */
export function editEntry(path: string, from: string, to: string): (entries: SnapshotEntry[]) => SnapshotEntry[] {
  return (entries) => {
    let done = false;
    const edited = entries.map((entry) => {
      if (entry.path !== path || entry.text === undefined || !entry.text.includes(from)) return entry;
      done = true;
      return { ...entry, text: entry.text.replace(from, to) };
    });
    if (!done) throw new Error(`${path} does not hold ${from}`);
    return edited;
  };
}

/** Puts an entry in, in place of one of its path. */
export function setEntry(entry: SnapshotEntry): (entries: SnapshotEntry[]) => SnapshotEntry[] {
  return (entries) => [...entries.filter(({ path }) => path !== entry.path), entry];
}

export function dropEntry(path: string): (entries: SnapshotEntry[]) => SnapshotEntry[] {
  return (entries) => {
    const rest = entries.filter((entry) => entry.path !== path && !entry.path.startsWith(`${path}/`));
    if (rest.length === entries.length) throw new Error(`nothing at ${path}`);
    return rest;
  };
}
