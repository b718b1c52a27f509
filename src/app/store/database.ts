/** A value as both databases take it; undefined is NULL. */
export type SqlValue = string | number | undefined;

export type Row = Readonly<Record<string, unknown>>;

/** Runs SQL that both dialects understand. Values are bound: `$1` is the first; never put one into the text. */
export interface Sql {
  readonly dialect: 'sqlite' | 'postgres';
  /** Runs one statement and gives the rows that it returns. */
  readonly all: (text: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>;
}

/** A database: each `all` is a transaction of its own. */
export interface Database extends Sql {
  /**
   * Runs `body` in one transaction: committed when it is fulfilled, rolled back when it throws. It may be run again
   * from its start where the database asks for that, so it must do nothing but SQL.
   */
  readonly transaction: <T>(body: (sql: Sql) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/**
 * What is appended to a `select` whose rows will be changed: PostgreSQL has many writers and passes over rows that
 * another one has taken; SQLite has one at a time.
 */
export function lockRows(sql: Sql, table: string): string {
  return sql.dialect === 'postgres' ? ` for update of ${table} skip locked` : '';
}

/** As `lockRows`, but waits for another writer. */
export function lockRow(sql: Sql): string {
  return sql.dialect === 'postgres' ? ' for update' : '';
}

/** A column that is a text, by the schema. */
export function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw new TypeError(`Column ${name} holds no text.`);
  return value;
}

/** A column that is an integer, by the schema. */
export function int(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== 'number') throw new TypeError(`Column ${name} holds no number.`);
  return value;
}

export function optionalText(row: Row, name: string): string | undefined {
  return row[name] === null ? undefined : text(row, name);
}

export function optionalInt(row: Row, name: string): number | undefined {
  return row[name] === null ? undefined : int(row, name);
}

/** A column that is one of some words, by the schema's check. */
export function word<T extends string>(row: Row, name: string, words: readonly T[]): T {
  const value = row[name];
  const found = words.find((one) => one === value);
  if (found === undefined) throw new TypeError(`Column ${name} holds none of ${words.join(', ')}.`);
  return found;
}

/** An object of texts that was kept as JSON. */
export function textMap(row: Row, name: string): Readonly<Record<string, string>> {
  return JSON.parse(text(row, name)) as Record<string, string>;
}

/**
 * A value as it is bound. PostgreSQL's texts hold no U+0000, and halves of surrogate pairs have no UTF-8: both become
 * U+FFFD, in both stores alike. Every number is an integer in the schema; computed times may come with a fraction.
 */
export function bound(value: SqlValue): string | number | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\ufffd') : Math.round(value);
}

/** Errors are for people; longer ones are cut. */
export const ERROR_LENGTH = 2000;

export function shortened(error: string): string {
  return error.length <= ERROR_LENGTH ? error : `${error.slice(0, ERROR_LENGTH - 1)}…`;
}
