import { FORMATS } from './formats.ts';
import type { Format, NameClass } from './formats.ts';
import type { AllowedText, AttributionOptions } from './input.ts';
import type { AttributionRuleId } from './rules.ts';
import { fold } from './unicode.ts';

type LoginEntry = Omit<Extract<Format, { kind: 'login' }>, 'kind' | 'source'>;
type TrailerEntry = Omit<Extract<Format, { kind: 'trailer' }>, 'kind' | 'source' | 'key'>;

/** The table of formats and the options, prepared for look-ups. */
export interface Grammar {
  /** Whether a text (folded, in lower case) can hold anything of the table. Without it nothing else need be tried. */
  readonly hint: RegExp;
  readonly addresses: ReadonlyMap<string, string>;
  readonly logins: ReadonlyMap<string, readonly LoginEntry[]>;
  /** Tools by the platform's account id. */
  readonly ids: ReadonlyMap<number, LoginEntry>;
  readonly trailers: ReadonlyMap<string, TrailerEntry>;
  readonly marks: readonly { readonly tool: string; readonly mark: RegExp }[];
  readonly phrases: readonly { readonly tool: string; readonly phrase: string }[];
  /** Finds names with what follows them: model, product, version. Global. */
  readonly names: RegExp;
  readonly nameEntries: ReadonlyMap<string, { readonly tool: string; readonly class: NameClass }>;
  readonly allowKeys: ReadonlySet<string>;
  /** Allowed texts by rule; those under an empty id hold for all rules. */
  readonly allowed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly allowTools: ReadonlySet<string>;
  readonly allowText: readonly string[];
}

const PRODUCT_WORDS =
  'code|cli|coding|agents?|ai|assistant|assist|bot|cloud|opus|sonnet|haiku|fable|instant|desktop|web|pro|flash|ultra|nano|' +
  'mini|turbo|coder|chat|chatgpt|codex|app|autofix|cascade|reviewer|connector|preview|thinking|large|medium|small|composer|' +
  'swe|powered by ai';
// What may follow a name: products and versions, at most six of them.
const SUFFIX =
  `(?:[ _/-]?(?:${PRODUCT_WORDS})(?![a-z])|[ _/:.-]?v?\\d[\\d.]{0,9}[a-z]{0,2}(?![a-z0-9])` + `|[ _-]?\\[bot\\]){0,6}`;

// Words of the lines that may count though they hold no name of the table.
const FIXED_HINTS = ['ai-', 'assisted-by', 'agent-logs-url', 'agent_pr_body'];

const compiled = new WeakMap<AttributionOptions, Grammar>();

/** The grammar of these options; made once for each options object. */
export function grammarOf(options: AttributionOptions): Grammar {
  const known = compiled.get(options);
  if (known !== undefined) return known;
  const grammar = compile(options);
  compiled.set(options, grammar);
  return grammar;
}

function compile(options: AttributionOptions): Grammar {
  const formats = [...FORMATS, ...(options.extra ?? []).flatMap(extraFormats)];
  const of = <K extends Format['kind']>(kind: K): Extract<Format, { kind: K }>[] =>
    formats.filter((format): format is Extract<Format, { kind: K }> => format.kind === kind);
  const phrases = (options.extra ?? []).flatMap(({ tool, phrases: texts = [] }) =>
    texts.map((text) => ({ tool, phrase: matched(text) })).filter(({ phrase }) => phrase !== ''),
  );
  const logins = new Map<string, LoginEntry[]>();
  for (const entry of of('login')) logins.set(entry.login, [...(logins.get(entry.login) ?? []), entry]);
  const nameEntries = new Map(of('name').map((entry) => [squeeze(entry.name), entry]));
  return {
    hint: hintOf(formats, phrases),
    addresses: new Map(of('address').map((entry) => [entry.address, entry.tool])),
    logins,
    ids: new Map(of('login').flatMap((entry) => (entry.id === undefined ? [] : [[entry.id, entry] as const]))),
    trailers: new Map(of('trailer').map((entry) => [entry.key, entry])),
    marks: of('mark'),
    phrases,
    names: new RegExp(`(?<![a-z0-9])(?:${alternatives(of('name').map((entry) => entry.name))})${SUFFIX}`, 'gi'),
    nameEntries,
    allowKeys: new Set((options.allowKeys ?? []).map(matched)),
    allowed: allowedTexts(options),
    allowTools: new Set(options.allowTools ?? []),
    allowText: (options.allowText ?? []).map(matched).filter((text) => text !== ''),
  };
}

function allowedTexts(options: AttributionOptions): Map<string, Set<string>> {
  const allowed = new Map<string, Set<string>>();
  const all: AllowedText[] = [...(options.allowIdentities ?? []).map((text) => ({ text })), ...(options.allow ?? [])];
  for (const { text, rule = '' } of all) {
    const texts = allowed.get(rule) ?? new Set();
    allowed.set(rule, texts.add(matched(text)));
  }
  return allowed;
}

/** Whether one of the texts, as a whole, is allowed under the rule (or, where none is given, under every rule). */
export function isAllowed(grammar: Grammar, rule: AttributionRuleId | undefined, texts: readonly string[]): boolean {
  if (grammar.allowed.size === 0) return false;
  const sets = [grammar.allowed.get(''), rule === undefined ? undefined : grammar.allowed.get(rule)];
  return texts.some((text) => text !== '' && sets.some((set) => set?.has(matched(text))));
}

function extraFormats(extra: NonNullable<AttributionOptions['extra']>[number]): Format[] {
  const base = { tool: extra.tool, source: 'configuration' };
  const each = (texts: readonly string[] | undefined, make: (text: string) => Format): Format[] =>
    (texts ?? [])
      .map(matched)
      .filter((text) => text !== '')
      .map(make);
  return [
    ...each(extra.addresses, (address) => ({ ...base, kind: 'address', address })),
    ...each(extra.logins, (login) => ({ ...base, kind: 'login', login })),
    ...each(extra.names, (name) => ({ ...base, kind: 'name', name, class: 'tool' })),
    ...each(extra.trailerKeys, (key) => ({ ...base, kind: 'trailer', key, value: 'any' })),
  ];
}

function matched(text: string): string {
  return fold(text).trim().toLowerCase();
}

/** A name without what may stand between its words. */
export function squeeze(name: string): string {
  return name.toLowerCase().replace(/[ _-]/g, '');
}

function alternatives(names: readonly string[]): string {
  // Longest first: the first alternative that fits wins.
  return [...new Set(names)]
    .sort((a, b) => b.length - a.length)
    .map((text) => escape(text).replace(/(?:\\?-| )/g, '[ _-]?'))
    .join('|');
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

// Every text in which a format counts holds one of these: names at the start of a word, the rest anywhere. A mark holds
// a name of its tool (a test sees to it).
function hintOf(formats: readonly Format[], phrases: readonly { readonly phrase: string }[]): RegExp {
  const names: string[] = [];
  const others: string[] = [...FIXED_HINTS, ...phrases.map(({ phrase }) => phrase)];
  for (const format of formats) {
    switch (format.kind) {
      case 'name': {
        // Words may be joined in several ways; one of them is enough, the last if it is not too short.
        const words = format.name.split(/[ _-]/);
        const last = words.at(-1) ?? '';
        names.push(last.length < 4 && words.length > 1 ? (words[0] ?? '') : last);
        break;
      }
      case 'address':
        others.push(format.address);
        break;
      case 'login':
        others.push(format.login);
        break;
      case 'trailer':
        others.push(format.key);
        break;
      case 'mark':
        break;
    }
  }
  const starts = shortest(names);
  const rest = shortest(others).filter((text) => !starts.some((start) => startsWord(text, start)));
  return new RegExp(
    `\\b(?:${starts.map(escape).join('|')})|_(?:${starts.map(escape).join('|')})|${rest.map(escape).join('|')}`,
  );
}

// Without those that hold another one at their beginning: whoever holds the longer holds the shorter.
function shortest(texts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const text of [...new Set(texts)].sort((a, b) => a.length - b.length)) {
    if (!kept.some((shorter) => text.startsWith(shorter))) kept.push(text);
  }
  return kept;
}

function startsWord(text: string, start: string): boolean {
  const at = text.indexOf(start);
  return at > 0 && !/[a-z0-9]/.test(text.charAt(at - 1));
}
