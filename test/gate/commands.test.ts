import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commandsIn, COMMAND_USAGE, MAX_COMMANDS } from '../../src/gate/commands.ts';
import type { Command } from '../../src/gate/commands.ts';

const ID = '0123456789ab';
const DIGEST = 'ab'.repeat(32);

const commands = (body: string): readonly Command[] => commandsIn(body).map(({ command }) => command);
const kinds = (body: string): readonly string[] => commands(body).map(({ kind }) => kind);
/** Why the only command of a comment is none. */
function why(body: string): string {
  const [command, ...more] = commands(body);
  if (command?.kind !== 'not-understood' || more.length > 0) throw new Error(JSON.stringify([command, more]));
  return command.why;
}

describe('a command', () => {
  it.each<[string, Command]>([
    ['/countersign recheck', { kind: 'recheck' }],
    ['/countersign recheck please', { kind: 'recheck' }],
    ['/countersign help', { kind: 'help' }],
    [`/countersign explain ${ID}`, { kind: 'explain', finding: ID }],
    ['/countersign approve', { kind: 'approve' }],
    ['   /COUNTERSIGN \t Approve  ', { kind: 'approve' }],
    ['/countersign approve contract', { kind: 'approve-contract', digest: undefined }],
    [`/countersign approve contract ${DIGEST}`, { kind: 'approve-contract', digest: DIGEST }],
    [`/countersign approve Contract ${DIGEST.toUpperCase()}`, { kind: 'approve-contract', digest: DIGEST }],
    [`/countersign approve contract sha256:${DIGEST}`, { kind: 'approve-contract', digest: DIGEST }],
    [`/countersign approve contract ${ID}`, { kind: 'approve-contract', digest: ID }],
    ['/countersign confirm waiver No  second person', { kind: 'confirm-waiver', reason: 'No  second person' }],
    ['/countersign confirm SKIP done in #4', { kind: 'confirm-skip', reason: 'done in #4' }],
    ['/countersign confirm tests I read them', { kind: 'confirm-tests', reason: 'I read them' }],
    ['/countersign confirm tests 读过了', { kind: 'confirm-tests', reason: '读过了' }],
    [
      `/countersign allow ${ID.toUpperCase()} A test key`,
      { kind: 'allow', finding: ID, reason: 'A test key', until: undefined },
    ],
    [
      `/countersign allow ${ID} A test key UNTIL 2027-02-28`,
      { kind: 'allow', finding: ID, reason: 'A test key', until: '2027-02-28' },
    ],
    [
      `/countersign allow ${ID} until it is rotated`,
      { kind: 'allow', finding: ID, reason: 'until it is rotated', until: undefined },
    ],
    [
      `/countersign allow ${ID} Not until we know until 2027-02-28`,
      { kind: 'allow', finding: ID, reason: 'Not until we know', until: '2027-02-28' },
    ],
  ])('is read from %j', (body, command) => {
    expect(commands(body)).toEqual([command]);
  });

  it.each([
    ['/countersign', 'it names nothing to do'],
    ['/countersign merge', 'no command `merge`'],
    ['/countersign @acme/all', 'no command `?acme?all`'],
    ['/countersign approve it', '`approve` stands alone'],
    ['/countersign approve once the tests pass', '`approve` stands alone'],
    ['/countersign approve contract the one', 'nothing but the digest'],
    [`/countersign approve contract ${ID} if green`, 'nothing but the digest'],
    ['/countersign approve contract 0123456789a', '12 digits'],
    ['/countersign confirm', 'what is confirmed'],
    ['/countersign confirm review ok', 'what is confirmed'],
    ['/countersign confirm waiver', 'needs a reason'],
    ['/countersign confirm tests ...', 'needs a reason'],
    ['/countersign explain', 'named by its id'],
    [`/countersign explain ${ID} ${ID}`, 'named by its id'],
    ['/countersign allow all of it', 'named by its id'],
    [`/countersign allow ${ID}`, 'needs a reason'],
    [`/countersign allow ${ID} until 2027-02-28`, 'needs a reason'],
    [`/countersign allow ${ID} a key until 2027-02-29`, 'a day of the calendar'],
    [`/countersign allow ${ID} a key until 28.2.2027`, 'a day of the calendar'],
  ])('is none in %j', (body, reason) => {
    expect(why(body)).toContain(reason);
  });

  it('is told with its line, as it was written', () => {
    expect(commandsIn('Fine.\r\n\r\n  /countersign  approve \r\nThanks')).toEqual([
      { line: 3, text: '/countersign  approve', command: { kind: 'approve' } },
    ]);
  });

  it.each(COMMAND_USAGE.map(({ usage }) => [usage]))('is understood as help shows it: %s', (usage) => {
    const [text = ''] = [usage.replaceAll('<finding>', ID).replace('<reason>', 'a reason').replace('waiver|skip|', '')];
    const whole = text.replace('[digest]', DIGEST).replace('[until YYYY-MM-DD]', 'until 2027-01-31');
    expect(kinds(`/countersign ${whole}`)).not.toContain('not-understood');
  });
});

describe('where a command stands', () => {
  const A = '/countersign approve';

  it.each([
    ['below other text', `Looks good.\n${A}`],
    ['between paragraphs', `Text with \`code\`.\n\n${A}\n\n> quoted`],
    ['below a quote and an empty line', `> why?\n\n${A}`],
    ['below fenced code', `\`\`\`\nx\n\`\`\`\n${A}`],
    ['below tildes with a shorter run within', `~~~~\n~~~\n~~~~\n${A}`],
    ['below an HTML comment', `<!-- x\n\n -->\n${A}`],
    ['below an HTML comment of one line', `<!-- x -->\n${A}`],
    ['below a list', `- one\n- two\n\n${A}`],
    ['below code that a line of text only seems to open', `a\n    \`\`\`\n\n${A}`],
    ['below a link', `<https://example.com>\n\n${A}`],
    ['with old line ends', `Fine.\r${A}\rThanks`],
  ])('counts %s', (_where, body) => {
    expect(kinds(body)).toEqual(['approve']);
  });

  it.each([
    ['in code within a line', `Type \`${A}\` to approve`],
    ['in code marks', `\`${A}\``],
    ['in fenced code', `\`\`\`\n${A}\n\`\`\``],
    ['in fenced code without an end', `\`\`\`sh\n${A}`],
    ['below what does not end fenced code', `\`\`\`\`\n\`\`\`\n${A}\n\`\`\` x\n${A}\n~~~~\n${A}`],
    ['in indented code', `    ${A}\n\t${A}`],
    ['in a quote', `> ${A}`],
    ['in an HTML comment', `<!--\n${A}\n\n${A}\n-->`],
    ['in an HTML comment of one line', `<!-- ${A} -->`],
    ['within a line', `Please ${A}`],
    ['as a part of another word', '/countersigned approve\n/countersign-app approve\nx/countersign approve'],
    ['as a list item', `- ${A}`],
  ])('does not count %s', (_where, body) => {
    expect(kinds(body)).toEqual([]);
  });

  it.each([
    ['right below a quote', `> they said\n${A}`],
    ['right below a quote in a list', `- > they said\n${A}`],
    ['in code over several lines', `\`\n${A}\n\``],
    ['in an HTML comment within a paragraph', `text <!--\n${A}\n-->`],
    ['in a link', `[a\n${A}\n](https://example.com)`],
    ['in struck text', `~~no\n${A}\n~~`],
    ['in preformatted HTML', `<pre>\n\n${A}\n\n</pre>`],
    ['in HTML', `<details>\n${A}\n</details>`],
    ['in preformatted HTML in a list', `- a\n\n    <pre>\n\n  ${A}\n`],
    // The item ends with the second line that is not indented, and its code with it: what seems to end the code starts it.
    ['below code in a list', `- a\n\n  \`\`\`\nb\n  \`\`\`\n${A}`],
    ['below code at a list item', `- \`\`\`\n  b\n  \`\`\`\n\n${A}`],
    ['below a comment in a list', `1. <!--\n${A}`],
    ['below code in a footnote', `[^1]: a\n\n    \`\`\`\n${A}`],
  ])('is unclear %s, and told so', (_where, body) => {
    expect(why(body)).toMatch(/^it stands/);
  });

  it('is none where a comment has a great many', () => {
    expect(commands(`${A}\n`.repeat(MAX_COMMANDS))).toHaveLength(MAX_COMMANDS);
    expect(why(`${A}\n`.repeat(MAX_COMMANDS + 1))).toContain('more than 20');
  });

  // Field case CMT-07.
  it('is not what text shows of commands', () => {
    const body =
      'Type `/countersign recheck` to start again, or:\n\n```\n/countersign approve\n```\n\n    /countersign approve\n';
    expect(commands(body)).toEqual([]);
  });
});

describe('any text', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '/countersign approve',
      '```',
      '~~~',
      '> q',
      '<!--',
      '-->',
      '<pre>',
      '- a',
      '',
      '    x',
      'text',
      '`',
    ),
    fc.string(),
  );
  const body = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

  it('within code that ends nowhere gives no command', () => {
    fc.assert(
      fc.property(body, (text) => expect(commands(`\`\`\`\`\`\`\`\n${text.replaceAll('`', "'")}`)).toEqual([])),
    );
  });

  it('as a quote gives no command', () => {
    fc.assert(fc.property(body, (text) => expect(commands(text.replace(/^/gm, '> '))).toEqual([])));
  });

  it('gives the same with every kind of line end', () => {
    fc.assert(
      fc.property(body, (text) => {
        const plain = text.replaceAll('\r', '');
        expect(commandsIn(plain.replaceAll('\n', '\r\n'))).toEqual(commandsIn(plain));
      }),
    );
  });

  it('gives no more decisions than it has lines with the word, each on such a line', () => {
    fc.assert(
      fc.property(body, (text) => {
        const lines = text.split(/\r\n|\n|\r/);
        for (const { line: number, text: shown } of commandsIn(text)) {
          expect(lines[number - 1]?.trim()).toBe(shown);
          expect(shown.toLowerCase().startsWith('/countersign')).toBe(true);
        }
      }),
    );
  });

  // As long as GitHub lets comments be; a search that goes back and forth would not come to an end.
  it.each([
    ['white space', '/countersign' + ' '.repeat(65_000) + 'x'],
    ['until', `/countersign allow ${ID} ` + 'until 2 '.repeat(8000)],
    ['list markers', '- '.repeat(32_000)],
    ['footnotes', '[^'.repeat(32_000)],
    ['numbers', '1. > '.repeat(13_000)],
    ['comments', '<!--'.repeat(16_000)],
    ['ends of comments', '-->'.repeat(20_000) + '<!--'],
    ['fences', '```\n~~~\n'.repeat(8000)],
    ['backticks', '`'.repeat(65_000)],
    ['tags', '<a '.repeat(20_000)],
    ['lines', '\n'.repeat(65_000)],
  ])('is read in time that grows with its length: %s', (_what, text) => {
    expect(commands(`- a\n${text}`).every(({ kind }) => kind !== 'approve')).toBe(true);
  });
});
