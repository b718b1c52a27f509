import { bytesOf, JOB_SUMMARY_LIMIT } from '../render/limits.ts';
import { jobSummaryMarkdown } from '../render/markdown.ts';
import { codeSpan, markdownText } from '../render/escape.ts';
import type { Judged } from '../judge/judged.ts';

/** Bytes that are kept for the sentences around several verdicts. */
const RESERVED = 16 * 1024;

/**
 * The job's summary: the verdict that counts, then the others as far as they fit, then remarks.
 * @param judged the one that counts first
 * @param remarks sentences of ours
 */
export function summaryText(judged: readonly Judged[], remarks: readonly string[]): string {
  const shown: string[] = [];
  let room = JOB_SUMMARY_LIMIT - RESERVED;
  for (const { report } of judged) {
    const text = `${judged.length > 1 ? heading(report.subject) : ''}${jobSummaryMarkdown(report)}\n`;
    if (bytesOf(text) > room) {
      shown.push('The other verdicts do not fit in here.\n');
      break;
    }
    shown.push(text);
    room -= bytesOf(text);
  }
  const said = remarks.map((remark) => `- ${markdownText(remark)}\n`).join('');
  return `${shown.join('\n')}${said === '' ? '' : `\n${said.slice(0, RESERVED / 4)}`}`;
}

function heading({ number, head_ref, head_sha }: Judged['report']['subject']): string {
  const at = head_sha === null ? '' : ` at ${codeSpan(head_sha.slice(0, 12))}`;
  return number === null ? `Range on ${codeSpan(head_ref)}${at}\n\n` : `Pull request ${number}${at}\n\n`;
}
