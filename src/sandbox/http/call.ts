import type { OperationId } from '../openapi/used.ts';
import { isObject } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { existing } from '../state.ts';
import type { App, Installation, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Answer } from './answer.ts';
import type { Caller } from './auth.ts';

/** A call that was checked, and whose caller may make it. */
export interface Call {
  readonly sandbox: Sandbox;
  readonly id: OperationId;
  readonly caller: Caller;
  /** The token that it came with. */
  readonly tokenValue: string;
  readonly params: Readonly<Record<string, string | number | boolean>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly body: unknown;
  readonly accept: string;
  /** Address without query, for `Link`. */
  readonly address: string;
  readonly search: Readonly<Record<string, string>>;
  /** The one that the path names. */
  readonly repository: Repository | undefined;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;
export type Routes = Readonly<Partial<Record<OperationId, Handler>>>;

export const repo = (call: Call): Repository => existing(call.repository, 'repository in the path');
export const param = (call: Call, name: string): string => String(call.params[name]);
export const idParam = (call: Call, name: string): number => Number(call.params[name]);
export const queryText = (call: Call, name: string): string | undefined =>
  call.query[name] === undefined ? undefined : String(call.query[name]);
export const bodyOf = ({ body }: Call): JsonObject => (isObject(body) ? body : {});

/** The account that a call writes as, and the app through which. */
export function writer({ sandbox: { state }, caller }: Call): {
  readonly userId: number;
  readonly appId: number | null;
} {
  switch (caller.kind) {
    case 'user':
      return { userId: caller.account.id, appId: null };
    case 'installation':
    case 'workflow':
      return { userId: caller.app.botId, appId: caller.app.id };
    case 'app':
    case 'anonymous':
      throw new Error(`${caller.kind} callers cannot write; ${state.apps.size} apps are known.`);
  }
}

/** The app that calls as itself. */
export function appCaller({ caller }: Call): App {
  if (caller.kind !== 'app') throw new Error('This route is for apps; its check of permissions is missing.');
  return caller.app;
}

export function installationCaller({ caller }: Call): Installation {
  if (caller.kind !== 'installation') throw new Error('This route is for installations; its check is missing.');
  return caller.installation;
}
