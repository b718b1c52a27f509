import { resolve } from 'node:path';
import { decide } from '../gate/decide.ts';
import type { Facts } from '../gate/facts.ts';
import { CONSEQUENCES } from '../gate/outcome.ts';
import type { GateReport } from '../gate/report.ts';
import { stepAnnotations } from '../render/annotations.ts';
import { reportJson } from '../render/json.ts';
import { commentMarkdown } from '../render/markdown.ts';
import { reportSarif } from '../render/sarif.ts';
import { terminalText } from '../render/terminal.ts';
import { line } from '../render/visible.ts';
import { readFacts, writeFacts } from '../sources/facts-file.ts';
import { collectLocal, collectWorkingTree } from '../sources/pull-request/local.ts';
import type { EvaluateOptions, Format } from './evaluate-options.ts';
import { rerunOf } from './rerun.ts';
import type { Session } from './session.ts';
import { version } from './version.ts';

/** Collects or reads facts, decides, prints the verdict and sets the exit code. */
export async function judge(session: Session, root: string, options: EvaluateOptions): Promise<void> {
  const facts = await factsFor(session, root, options);
  if (options.writeFacts !== undefined) writeFacts(resolve(session.cwd, options.writeFacts), facts);
  const report = decide(facts);
  session.terminal.out(FORMAT[options.json === true ? 'json' : (options.format ?? 'text')](report, session));
  session.exit = CONSEQUENCES[report.outcome].exit;
}

async function factsFor(session: Session, root: string, options: EvaluateOptions): Promise<Facts> {
  if (options.facts !== undefined) return readFacts(resolve(session.cwd, options.facts));
  const common = {
    root,
    now: new Date().toISOString(),
    engine: version(),
    ...(options.run === undefined ? {} : { runs: options.run }),
  };
  if (options.base === undefined) return collectWorkingTree(common);
  const facts = await collectLocal({
    ...common,
    base: options.base,
    head: options.head ?? 'HEAD',
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  if (options.rerun !== true) return facts;
  return { ...facts, rerun: await rerunOf(session, root, facts) };
}

const FORMAT: Readonly<Record<Format, (report: GateReport, session: Session) => string>> = {
  text: (report, { terminal }) => terminalText(report, terminal),
  markdown: (report) => commentMarkdown(report),
  json: reportJson,
  sarif: reportSarif,
  // For people and scripts: one annotation a line. The Action hands them to its toolkit instead.
  annotations: (report) =>
    stepAnnotations(report)
      .map(({ level, file, line: row, title, message }) => {
        const place = file === undefined ? '' : ` ${file}${row === undefined ? '' : `:${row}`}`;
        return `${level}${line(place, 300)}: ${line(title, 300)}: ${line(message.replaceAll('\n', ' '), 1000)}\n`;
      })
      .join(''),
};
