import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../domain/errors.ts';
import { reportJson } from '../render/json.ts';
import { reportSarif } from '../render/sarif.ts';
import { factsText } from '../sources/facts-file.ts';
import type { Judged } from '../judge/judged.ts';

/** Where the files of a verdict lie. */
export interface ReportFiles {
  readonly report: string;
  readonly sarif: string;
}

/**
 * Writes `report.json` and `report.sarif`, and `facts.json` where asked, into a folder of their own. Facts hold no
 * secrets, and judging them again gives the same report.
 * @param temp the runner's folder for such files
 * @throws Refusal CS1201 where they cannot be written
 */
export function writeReportFiles({ facts, report }: Judged, temp: string, withFacts: boolean): ReportFiles {
  try {
    const folder = mkdtempSync(join(temp, 'countersign-'));
    const put = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text, { flag: 'wx' });
      return path;
    };
    if (withFacts) put('facts.json', factsText(facts));
    return { report: put('report.json', reportJson(report)), sarif: put('report.sarif', reportSarif(report)) };
  } catch (cause) {
    throw new Refusal('CS1201', `The report cannot be written below ${temp}.`, { where: temp, cause });
  }
}
