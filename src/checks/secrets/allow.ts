import { isSecretRule, type SecretRuleId } from './rules.ts';
import { linesOf } from './lines.ts';

/** A comment `countersign:allow <rule> -- <reason>`. */
export interface Allowance {
  /** The line it stands on, from 1. */
  readonly line: number;
  /** The line that it excepts: its own, or the next one if it has a line to itself. */
  readonly covers: number;
  readonly rule: string;
  readonly reason: string;
  /** What keeps it from counting, or undefined. */
  readonly fault: string | undefined;
}

const WORD = 'countersign:allow';
/** In a comment, right after what opens it. Anywhere else the word is only spoken of. */
const OPENER = /(?:\/\/|#|--|;|\*|<!--|%)[ \t]{0,8}$/;
/** `<rule>` is what documentation writes for a rule. */
const MARK = /^countersign:allow[ \t]{1,8}(?!<)([\w/-]{1,80})[ \t]{0,8}(?:--[ \t]{0,8}(.{0,500}))?/;
const CLOSERS = /[ \t]*(?:\*\/|-->|#\}|%>|\]\])[ \t]*$/;
const ALONE = /^[ \t]*(?:\/\/|#|--|;|\/?\*|<!--|\{#|<%--|%)?[ \t]*$/;

/** The allowances in a text, in its order. One line holds at most one. */
export function allowancesIn(text: string): Allowance[] {
  if (!text.includes(WORD)) return [];
  return linesOf(text).flatMap((content, index) => {
    const at = content.indexOf(WORD);
    const mark =
      at === -1 || !OPENER.test(content.slice(Math.max(0, at - 16), at)) ? null : MARK.exec(content.slice(at));
    if (mark === null) return [];
    const rule = mark[1] ?? '';
    const reason = (mark[2] ?? '').replace(CLOSERS, '').trim();
    const line = index + 1;
    return [
      { line, covers: ALONE.test(content.slice(0, at)) ? line + 1 : line, rule, reason, fault: faultOf(rule, reason) },
    ];
  });
}

function faultOf(rule: string, reason: string): string | undefined {
  if (!isSecretRule(rule)) return 'names a rule that does not exist';
  return reason === '' ? 'gives no reason' : undefined;
}

/**
 * Lines of the allowances in `text` that stood on the base already, together with what they except: the same line,
 * and for one with a line to itself the same line after it. What is excepted cannot be changed under the comment.
 */
export function standingOnBase(text: string, baseText: string): Set<number> {
  const base = linesOf(baseText);
  const known = new Set(base.map((line, index) => `${line}\n${base[index + 1] ?? ''}`));
  const single = new Set(base);
  const lines = linesOf(text);
  return new Set(
    allowancesIn(text)
      .filter(({ line, covers }) => {
        const own = lines[line - 1] ?? '';
        return covers === line ? single.has(own) : known.has(`${own}\n${lines[line] ?? ''}`);
      })
      .map(({ line }) => line),
  );
}

/** Whether an allowance excepts a match of a rule on a line. */
export function excepts(allowance: Allowance, rule: SecretRuleId, line: number): boolean {
  return allowance.fault === undefined && allowance.rule === rule && allowance.covers === line;
}
