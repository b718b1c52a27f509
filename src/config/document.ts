import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml';
import type { CST, Document, Node, Pair, YAMLError } from 'yaml';
import { keyName, quoted } from './problem.ts';
import type { PlacedFault, Segment } from './problem.ts';

/** Longest configuration in bytes of UTF-8; a long one has some hundred lines. */
export const MAX_CONFIG_BYTES = 1024 * 1024;

/** Deepest nesting of maps and lists; the schema needs six. */
export const MAX_CONFIG_DEPTH = 20;

/** Most words, marks and runs of space: a file of some 20,000 lines has as many. Each may cost an error of its own. */
export const MAX_CONFIG_LEXEMES = 100_000;

/** Where keys and values stand, by the JSON text of their path. */
export type Places = ReadonlyMap<string, { readonly key: number; readonly value: number }>;

/** A YAML file as plain data, and where everything in it stands. */
export type ReadDocument =
  | { readonly ok: true; readonly value: unknown; readonly places: Places }
  | { readonly ok: false; readonly faults: readonly PlacedFault[] };

/**
 * Reads YAML 1.2 without what makes a file mean something else than it seems to: repeated keys, anchors, aliases,
 * merge keys, tags, directives, further documents, invisible and control characters.
 * @param text without a byte order mark; offsets count from its start
 */
export function readDocument(text: string): ReadDocument {
  const early = sizeFault(text) ?? characterFault(text);
  if (early !== undefined) return { ok: false, faults: [early] };
  const tokens = tokensOf(text);
  if (!Array.isArray(tokens)) return { ok: false, faults: [tokens] };
  const directive = tokens.find(({ type }) => type === 'directive');
  if (directive !== undefined)
    return { ok: false, faults: [fault(directive.offset, 'YAML directives are not allowed.')] };
  const composer = new Composer({ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (second !== undefined) {
    return {
      ok: false,
      faults: [fault(second.range[0], 'There must be one YAML document, and here a second one begins.')],
    };
  }
  if (document === undefined) return { ok: true, value: null, places: new Map() };
  const broken = [...document.errors, ...document.warnings].filter(({ code }) => code !== 'TAG_RESOLVE_FAILED');
  if (broken.length > 0) return { ok: false, faults: broken.map(syntaxFault) };
  return plainData(document);
}

function sizeFault(text: string): PlacedFault | undefined {
  const tooLong = text.length > MAX_CONFIG_BYTES || new TextEncoder().encode(text).length > MAX_CONFIG_BYTES;
  return tooLong ? fault(0, `The file must have at most ${MAX_CONFIG_BYTES} bytes.`) : undefined;
}

// Control characters, lone surrogates, and what reorders or hides text: a reviewer must see what is read.
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}/u;

function characterFault(text: string): PlacedFault | undefined {
  const hit = HIDDEN.exec(text);
  if (hit === null) return undefined;
  const point = (hit[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return fault(hit.index, `The character U+${point}, which is invisible or no character, is not allowed.`);
}

// The composer calls itself for every level, so depth is bounded before it: the parser keeps a stack of its own.
function tokensOf(text: string): CST.Token[] | PlacedFault {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MAX_CONFIG_LEXEMES) return fault(parser.offset, 'The file has too many entries.');
    for (const token of parser.next(lexeme)) tokens.push(token);
    const depth = parser.stack.filter(({ type }) => COLLECTIONS.has(type)).length;
    if (depth > MAX_CONFIG_DEPTH) {
      return fault(parser.offset, `Maps and lists must be nested at most ${MAX_CONFIG_DEPTH} deep.`);
    }
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

const SYNTAX: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'Lines must be indented with spaces, not tabs.',
  BAD_INDENT: 'The indentation does not fit the lines above, or a bracket above is not closed.',
  BLOCK_AS_IMPLICIT_KEY: "A value with ': ' in it must stand in quotes, and a map must start on a line of its own.",
  MULTILINE_IMPLICIT_KEY: 'A key must be on one line and be followed by a colon.',
  BAD_SCALAR_START: 'A text that starts with this character must stand in quotes.',
  MISSING_CHAR: 'A closing quote, bracket or comma, or the space after a colon, is missing.',
};

function syntaxFault({ code, message, pos }: YAMLError): PlacedFault {
  return fault(pos[0], SYNTAX[code] ?? `This is no valid YAML: ${message}.`);
}

function fault(offset: number, message: string, path: readonly Segment[] = []): PlacedFault {
  return { offset, key: keyName(path), message };
}

function plainData(document: Document.Parsed): ReadDocument {
  const faults: PlacedFault[] = [];
  const places = new Map<string, { key: number; value: number }>();
  const value = convert(document.contents, [], 0);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value, places };

  function convert(node: unknown, path: readonly Segment[], keyOffset: number): unknown {
    const offset = (node as Node | null)?.range?.[0] ?? keyOffset;
    places.set(placeKey(path), { key: keyOffset, value: offset });
    if (isAlias(node)) {
      faults.push(fault(offset, 'Aliases are not allowed; a pattern that starts with * must stand in quotes.', path));
      return null;
    }
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return null;
    if (node.anchor !== undefined) faults.push(fault(offset, 'Anchors are not allowed: write the value out.', path));
    if (node.tag !== undefined) {
      faults.push(fault(offset, 'Tags are not allowed; a text that starts with ! must stand in quotes.', path));
    }
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item, index) => convert(item, [...path, index], offset));
    return convertMap(node.items, path);
  }

  function convertMap(pairs: readonly Pair[], path: readonly Segment[]): unknown {
    const entries = new Map<string, unknown>();
    for (const { key, value: content } of pairs) {
      const offset = (key as Node | null)?.range?.[0] ?? 0;
      if (!isScalar(key)) {
        faults.push(fault(offset, isAlias(key) ? 'Aliases are not allowed.' : 'A key must be a single word.', path));
        continue;
      }
      if (key.anchor !== undefined || key.tag !== undefined) {
        faults.push(fault(offset, 'Anchors and tags are not allowed.', path));
      }
      const name = typeof key.value === 'string' ? key.value : (key.source ?? '');
      if (name === '<<') {
        faults.push(fault(offset, 'Merge keys are not allowed: write the keys out.', path));
      } else if (entries.has(name)) {
        faults.push(fault(offset, `The key ${quoted(name)} is repeated: keep one of them.`, [...path, name]));
      } else {
        entries.set(name, convert(content, [...path, name], offset));
      }
    }
    // Unlike an assignment, this makes `__proto__` a key like any other.
    return Object.fromEntries(entries);
  }
}

/** The key of a path in `Places`. */
export function placeKey(path: readonly Segment[]): string {
  return JSON.stringify(path);
}
