import type { Json } from '../json.ts';

export interface Answer {
  readonly status: number;
  /** Absent: an answer without a body. A buffer is sent as it is. */
  readonly body?: Json | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: Json, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  body,
  headers,
});
export const created = (body: Json): Answer => ({ status: 201, body });
export const noContent = (): Answer => ({ status: 204 });

export interface FieldError {
  readonly resource: string;
  readonly field?: string;
  readonly code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'custom' | 'unprocessable';
  readonly message?: string;
}

/** What GitHub refuses, with the status and the words that it uses. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    errors?: readonly FieldError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

export const notFound = (): ApiError => new ApiError(404, 'Not Found');

/** 422 as for a value that is not allowed. */
export function invalid(resource: string, field: string, message?: string): ApiError {
  const error: FieldError = { resource, field, code: message === undefined ? 'invalid' : 'custom' };
  return new ApiError(422, 'Validation Failed', [message === undefined ? error : { ...error, message }]);
}

export function errorAnswer({ status, message, errors, headers }: ApiError): Answer {
  const body = {
    message,
    ...(errors === undefined ? {} : { errors: errors.map((one) => ({ ...one })) }),
    documentation_url: 'https://docs.github.com/rest',
    status: String(status),
  };
  return { status, body, headers };
}
