import { pino } from 'pino';
import type { Logger } from 'pino';
import type { LogLevel } from './settings.ts';

export type { Logger };

/** Where lines go: standard output, or a test's list. */
export interface LogTarget {
  write(line: string): void;
}

/**
 * One JSON object a line. Whoever logs names fields one by one, never a payload, a request or a whole error of a
 * library; what slips in all the same under a name that holds secrets is left out.
 */
export function createLog(level: LogLevel, target?: LogTarget): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), remove: true },
    // Whoever logs a raw error all the same, such as a library, gives away no more than the others.
    serializers: { err: (value: unknown) => (value instanceof Error ? errorFields(value) : value) },
  };
  return target === undefined ? pino(options) : pino(options, target);
}

const SECRET_FIELDS = ['authorization', 'token', 'privateKey', 'secret', 'password', 'payload', 'body'];

/** What of an error is logged: its name, code and message, and those of its causes; no request, no response. */
export function errorFields(thrown: unknown, depth = 3): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {};
  const cause = thrown.cause === undefined || depth === 0 ? {} : { cause: errorFields(thrown.cause, depth - 1) };
  const stack = 'code' in thrown ? {} : { stack: thrown.stack };
  return { name: thrown.name, ...code, message: thrown.message.slice(0, 2000), ...stack, ...cause };
}
