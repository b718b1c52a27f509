import { describe, expect, it } from '@jest/globals';
import { checkMessage } from '../../../src/checks/attribution/check.ts';
import { findInText } from '../../../src/checks/attribution/message.ts';

const OPTIONS = { mode: 'forbid' } as const;

function verdict(text: string, kind: 'message' | 'markdown' = 'message'): 'block' | 'pass' {
  return findInText(text, kind, OPTIONS).some(({ severity }) => severity === 'block') ? 'block' : 'pass';
}

const CREDITS = [
  'Co-Authored-By: Claude Opus 4.6 (1M context) <noreply@anthropic.com>',
  'Co-authored-by: Copilot <223556219+Copilot@users.noreply.github.com>',
  'Claude-Session: https://claude.ai/code/session_01ABCDEF',
  'Amp-Thread-ID: https://ampcode.com/threads/T-0000',
  'Made-with: Cursor',
  'Generated-by: Claude Sonnet 4.5',
  'Replit-Commit-Author: Agent',
  '🤖 Generated with [Claude Code](https://claude.com/claude-code)',
  'Made with [Cursor](https://cursor.com)',
  'Written by Devin',
];
const PEOPLE = [
  'Co-authored-by: Ana Ruiz <ana@example.test>',
  'Co-authored-by: Jean-Claude Dupont <jc@example.test>',
  'Co-authored-by: Sam Doe <sam.doe@anthropic.com>',
  'Co-authored-by: dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>',
  'Signed-off-by: Claude Martin <claude.martin@example.test>',
  'Tool-Session: 0123',
  'Reported by Devin',
  'Written by Claude Dubois',
  'chore(deps): bump @anthropic-ai/sdk from 0.60.0 to 0.61.0',
  'feat: move the db cursor forward',
];

const letters = (text: string, from: RegExp, base: number, first: number): string =>
  text.replace(from, (char) => String.fromCodePoint(base + char.charCodeAt(0) - first));
const DISGUISES: Readonly<Record<string, (text: string) => string>> = {
  'upper case': (text) => text.toUpperCase(),
  'full width': (text) => letters(text, /[!-~]/g, 0xff01, 0x21),
  'mathematical letters': (text) => letters(text, /[a-z]/g, 0x1d41a, 0x61),
  'Cyrillic letters': (text) => text.replaceAll('o', 'о').replaceAll('e', 'е'),
  'Greek letters': (text) => text.replaceAll('o', 'ο').replaceAll('C', 'Ϲ').replaceAll('A', 'Α'),
  'letters with a stroke': (text) => text.replaceAll('d', 'đ'),
  'zero-width spaces': (text) => [...text].join('\u200b'),
  'soft hyphens': (text) => text.replaceAll(/([a-z])(?=[a-z])/g, '$1\u00ad'),
  'combining marks': (text) => text.replaceAll(/([aeiou])/g, '$1\u0323'),
  'no-break spaces': (text) => text.replaceAll(' ', '\u00a0'),
  'two blanks': (text) => text.replaceAll(' ', '  '),
  'en dashes': (text) => text.replaceAll('-', '–'),
  'a blank before': (text) => ` ${text}`,
  'three blanks before': (text) => `   ${text}`,
  'a bullet': (text) => `- ${text}`,
  'a number': (text) => `1. ${text}`,
  'a heading': (text) => `### ${text}`,
  'a comment sign that git kept': (text) => `;${text}`,
  'a comment string that git kept': (text) => `// ${text}`,
  brackets: (text) => `(${text})`,
  'a table': (text) => `| ${text} |`,
  bold: (text) => `**${text}**`,
  italic: (text) => `_${text}_`,
  both: (text) => `***${text}***`,
  'struck through': (text) => `~~${text}~~`,
  'an element': (text) => `<sub>${text}</sub>`,
  'an element with an attribute': (text) => `<p align="right">${text}</p>`,
  'a dash before': (text) => `— ${text}`,
};
/** Ends of lines to readers, though not to git. */
const LINE_ENDS = ['\r\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f'];

describe('disguises of a credit', () => {
  const rows = Object.entries(DISGUISES);

  it.each(rows)('sees through %s', (_, disguise) => {
    for (const credit of CREDITS) {
      const text = `feat: x\n\n${disguise(credit)}\n`;
      expect([credit, verdict(text), verdict(text, 'markdown')]).toEqual([credit, 'block', 'block']);
    }
  });

  it.each(rows)('lets people and topics pass with %s', (_, disguise) => {
    for (const person of PEOPLE) {
      const text = `feat: x\n\n${disguise(person)}\n`;
      expect([person, verdict(text), verdict(text, 'markdown')]).toEqual([person, 'pass', 'pass']);
    }
  });

  it.each(LINE_ENDS)('reads lines that end with %j', (end) => {
    for (const credit of CREDITS) expect(verdict(['feat: x', '', credit, ''].join(end))).toBe('block');
    for (const person of PEOPLE) expect(verdict(['feat: x', '', person, ''].join(end))).toBe('pass');
  });

  it('counts lines as git does, whatever else ends one', () => {
    const text = 'feat: x\u2028y\n\na\rb\rWritten by Devin\n';
    expect(checkMessage(text, OPTIONS).map(({ place }) => place)).toEqual([
      { at: 'file', path: 'COMMIT_EDITMSG', line: 3 },
    ]);
  });
});

describe('a credit without blank lines around it', () => {
  const around = (credit: string): string[] => [
    `feat: x\n${credit}\n`,
    `feat: x\n\n${credit}\nSome more about the menu\n`,
    `feat: x\n\nSome text about the menu.\n${credit}\n`,
    `feat: x\n\nSigned-off-by: Ana Ruiz <ana@example.test>\n${credit}\nReviewed-by: Bo <bo@example.test>\n`,
    `feat: x\n\nThe following is new:\n ${credit}\n`,
  ];

  it.each(CREDITS)('is found: %s', (credit) => {
    for (const text of around(credit)) expect([text, verdict(text)]).toEqual([text, 'block']);
  });

  it.each(PEOPLE)('is none: %s', (person) => {
    for (const text of around(person)) expect([text, verdict(text)]).toEqual([text, 'pass']);
  });
});

describe('other words of credit', () => {
  it.each([
    'Credits: ChatGPT',
    'Credit to Claude Code',
    'Co authored by: Claude Code',
    'Co-Authored-By Claude <noreply@anthropic.com>',
    'Co-authored-by - Claude <noreply@anthropic.com>',
    'Co-authored-by: Claude <noreply+1@anthropic.com>',
    'Co-authored-by: open-swe[bot] <215916821+open-swe[bot]@users.noreply.github.com>',
    'X-Claude-Session: 1',
    'Claude Code wrote this commit.',
    'ChatGPT generated most of this.',
    '🤖 Claude Code',
    '🤖 Claude',
    'Written by Claude—then edited',
    'Written by Codex™',
    'made with [cursor](https://cursor.com)',
    'Documentación generada por Claude.',
    'Escrito con ayuda de ChatGPT',
    "Écrit avec l'aide de Claude Code",
    'Erstellt mit Hilfe von Copilot',
    'Código escrito com a ajuda do Gemini',
    'Gegenereerd door Claude',
    'Skapad med Copilot',
  ])('block: %s', (credit) => {
    expect(verdict(`feat: x\n\n${credit}\n`)).toBe('block');
  });

  it.each([
    'Reported by Devin',
    'Reported by Copilot users',
    'Supported by Claude Code',
    'Credit to Devin for the report',
    'Thanks to Claude for the review',
    'Works in VS Code with Copilot',
    'Buy credits (OpenAI)',
    'Claude wrote this down in 1998',
    'Copilot generated this warning',
    'The hook refuses what Claude Code wrote',
    'Strip Co-authored-by Claude lines',
    'Show who is cursor-based in [cursor](docs/cursor.md)',
    'Fait par Claude Dubois',
    'Erstellt von Claude Meier',
  ])('pass: %s', (text) => {
    expect(verdict(`feat: x\n\n${text}\n`)).toBe('pass');
  });
});
