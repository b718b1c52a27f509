/** A value of an argument: a variable is named, everything else is as it stands. */
export type GraphqlValue =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null }
  /** Words of an enumeration. */
  | { readonly kind: 'words'; readonly words: readonly string[] };

export interface Field {
  readonly kind: 'field';
  readonly name: string;
  /** The name that it has in the answer. */
  readonly alias: string;
  readonly args: ReadonlyMap<string, GraphqlValue>;
  readonly selections: readonly Selection[];
  readonly line: number;
  readonly column: number;
}

export interface InlineFragment {
  readonly kind: 'fragment';
  readonly on: string;
  readonly selections: readonly Selection[];
}

export type Selection = Field | InlineFragment;

export interface Query {
  /** Declared variables: name to type and what they are by default. */
  readonly variables: ReadonlyMap<string, { readonly type: string; readonly fallback: GraphqlValue | undefined }>;
  readonly selections: readonly Selection[];
}

/** What the text of a query gets wrong, or what the sandbox does not have of the language. */
export class QueryError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.name = 'QueryError';
    this.line = line;
    this.column = column;
  }
}

interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'mark' | 'end';
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

const TOKEN = /[\s,\uFEFF]+|#[^\n]*|([_A-Za-z]\w*)|("(?:[^"\\\n]|\\.)*")|(-?\d+(?:\.\d+)?)|(\.\.\.|[!$():=[\]{}])/y;

function tokens(text: string): readonly Token[] {
  const found: Token[] = [];
  let line = 1;
  let lineStart = 0;
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    const column = at - lineStart + 1;
    if (match === null) throw new QueryError(`Parse error on ${JSON.stringify(text[at])}`, line, column);
    const [all, name, string, number, mark] = match;
    const kind = name ? 'name' : string ? 'string' : number ? 'number' : mark ? 'mark' : undefined;
    if (kind !== undefined) found.push({ kind, text: all, line, column });
    const breaks = all.split('\n').length - 1;
    if (breaks > 0) {
      line += breaks;
      lineStart = at + all.lastIndexOf('\n') + 1;
    }
  }
  found.push({ kind: 'end', text: '', line, column: text.length - lineStart + 1 });
  return found;
}

/** Deepest nesting of selections: more is no query of ours. */
const MAX_DEPTH = 30;

/**
 * Reads one query, with variables, aliases and inline fragments, and lists of an enumeration's words as arguments. Named
 * fragments, directives, mutations and other lists are not read.
 * @throws QueryError
 */
export function parseQuery(text: string): Query {
  const list = tokens(text);
  let at = 0;
  const peek = (): Token => list[Math.min(at, list.length - 1)] ?? { kind: 'end', text: '', line: 1, column: 1 };
  const fail = (token: Token, message = `Parse error on ${JSON.stringify(token.text)}`): QueryError =>
    new QueryError(message, token.line, token.column);
  const next = (): Token => {
    const token = peek();
    at += 1;
    return token;
  };
  const has = (mark: string): boolean => peek().text === mark && peek().kind === 'mark';
  const take = (mark: string): boolean => has(mark) && next() !== undefined;
  const expect = (mark: string): void => {
    if (!take(mark)) throw fail(peek());
  };
  const name = (): Token =>
    peek().kind === 'name'
      ? next()
      : (() => {
          throw fail(peek());
        })();

  const value = (): GraphqlValue => {
    if (take('$')) return { kind: 'variable', name: name().text };
    if (take('[')) {
      const words: string[] = [];
      while (!take(']')) words.push(name().text);
      return { kind: 'words', words };
    }
    const token = next();
    if (token.kind === 'string') return { kind: 'constant', value: JSON.parse(token.text) as string };
    if (token.kind === 'number') return { kind: 'constant', value: Number(token.text) };
    const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
    const word = token.kind === 'name' ? words[token.text] : undefined;
    if (word === undefined) throw fail(token, `The sandbox reads no such value: ${token.text}`);
    return { kind: 'constant', value: word };
  };

  const selectionSet = (depth: number): readonly Selection[] => {
    if (depth > MAX_DEPTH) throw fail(peek(), 'The query is nested too deeply');
    expect('{');
    const found: Selection[] = [];
    while (!take('}')) found.push(selection(depth));
    return found;
  };

  const selection = (depth: number): Selection => {
    if (take('...')) {
      const on = name();
      if (on.text !== 'on') throw fail(on, 'The sandbox reads no named fragments');
      return { kind: 'fragment', on: name().text, selections: selectionSet(depth + 1) };
    }
    const first = name();
    const field = take(':') ? name().text : first.text;
    const args = new Map<string, GraphqlValue>();
    if (take('(')) {
      while (!take(')')) {
        const key = name().text;
        expect(':');
        args.set(key, value());
      }
    }
    const selections = has('{') ? selectionSet(depth + 1) : [];
    const { line, column } = first;
    return { kind: 'field', name: field, alias: first.text, args, selections, line, column };
  };

  const variables = new Map<string, { readonly type: string; readonly fallback: GraphqlValue | undefined }>();
  if (peek().kind === 'name') {
    const word = next();
    if (word.text !== 'query') throw fail(word, `The sandbox reads queries only, no ${word.text}`);
    if (peek().kind === 'name') next();
    if (take('(')) {
      while (!take(')')) {
        expect('$');
        const variable = name().text;
        expect(':');
        const type = `${name().text}${take('!') ? '!' : ''}`;
        variables.set(variable, { type, fallback: take('=') ? value() : undefined });
      }
    }
  }
  const selections = selectionSet(1);
  if (peek().kind !== 'end') throw fail(peek());
  return { variables, selections };
}
