import { styled, table, wrap } from '../../src/render/table.ts';
import type { Canvas } from '../../src/render/table.ts';
import { visible } from '../../src/render/visible.ts';

/**
 * A comment of the App's as a terminal shows it: the Markdown that its renderer writes, and no more of the language.
 * What is folded on GitHub is named, and left out.
 */
export function commentText(body: string, canvas: Canvas): string {
  const out: string[] = [];
  const lines = body.split('\n');
  let at = 0;
  /** Lines up to the one at which something ends, which is passed over. */
  const until = (ends: (line: string) => boolean): string[] => {
    const start = at + 1;
    do at += 1;
    while (at < lines.length && !ends(lines[at] ?? ''));
    return lines.slice(start, at);
  };
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, marks, title = ''] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
    const [, indent = '', fence] = /^( {0,12})(`{3,20})$/.exec(line) ?? [];
    const summary = /^<details><summary>(.{1,500})<\/summary>/.exec(line)?.[1];
    if (marks !== undefined) out.push(...wrap(plain(title), canvas.columns).map((one) => styled(canvas, 'bold', one)));
    else if (fence !== undefined) {
      const code = until((one) => one.trim() === fence);
      out.push(...code.map((one) => styled(canvas, 'cyan', `${indent}  ${visible(one.slice(indent.length))}`)));
    } else if (summary !== undefined) {
      const folded = until((one) => one.startsWith('</details>')).filter((one) => one.trim() !== '').length;
      out.push(styled(canvas, 'dim', `▸ ${plain(summary)} (${folded} lines, folded)`));
    } else if (line.startsWith('| ')) {
      const rows = [line, ...until((one) => !one.startsWith('| '))].map(cells);
      at -= 1;
      out.push(table(canvas, rows[0] ?? [], rows.slice(2)).trimEnd());
    } else if (!/^<!--.{0,500}-->$/.test(line)) out.push(...paragraph(line, canvas));
  }
  return out
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function paragraph(line: string, canvas: Canvas): string[] {
  const [, indent = '', sign = '', rest = ''] = /^( {0,12})(- |→ )?(.*)$/.exec(line) ?? [];
  const before = indent + sign;
  const wrapped = wrap(plain(rest), Math.max(20, canvas.columns - before.length));
  return wrapped.map((one, index) => `${index === 0 ? before : ' '.repeat(before.length)}${one}`.trimEnd());
}

// A bar within a cell is written as an entity, so that every bar ends one.
const cells = (row: string): string[] => row.split('|').slice(1, -1).map(plain);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The text without its marks: emphasis, code, escapes, entities, invisible breaks. */
function plain(markdown: string): string {
  const text = markdown
    .trim()
    .replace(/<\/?(?:code|b|br|sub)>/g, '')
    .replace(/\*\*(.{1,2000}?)\*\*/g, '$1')
    .replace(/(`{1,20}) ?(.{1,2000}?) ?\1/g, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot);/g, (all, name: string) => ENTITIES[name] ?? all)
    .replace(/\u200b/g, '');
  return visible(text);
}
