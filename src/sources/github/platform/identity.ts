import * as z from 'zod';
import type { Identity, Person } from '../../../gate/facts.ts';

/** An account as GraphQL gives an `Actor`; null: the account is gone (GitHub shows it as `ghost`). */
export const actorShape = z
  .object({
    __typename: z.string(),
    login: z.string(),
    databaseId: z.int().nonnegative().nullish(),
  })
  .nullable();

export type Actor = z.infer<typeof actorShape>;

/** What queries ask of an actor. */
export const ACTOR_FIELDS =
  '__typename login ... on User { databaseId } ... on Bot { databaseId } ... on Organization { databaseId }';

/** An account as REST gives a `simple-user`. */
export const userShape = z
  .object({ id: z.int().nonnegative(), login: z.string(), type: z.string().optional() })
  .nullable();

export type User = z.infer<typeof userShape>;

/** The name of an account that is gone. */
export const GHOST = 'ghost';

/** Facts' word for a type of account; organisations, placeholders of imports and enterprise accounts decide nothing. */
export function typeOf(type: string | undefined): Person['type'] {
  switch (type) {
    case 'User':
      return 'user';
    case 'Bot':
      return 'bot';
    default:
      return 'unknown';
  }
}

/** An actor's login as REST and the config have it: GraphQL leaves out the `[bot]` of apps' accounts. */
export function loginOf(actor: NonNullable<Actor>): string {
  const { __typename: type, login } = actor;
  return type === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login;
}

export function identityOfActor(actor: Actor): Identity | undefined {
  if (actor === null) return undefined;
  const id = typeof actor.databaseId === 'number' ? { id: actor.databaseId } : {};
  return { name: '', email: '', login: loginOf(actor), ...id, type: typeOf(actor.__typename) };
}

export function identityOfUser(user: User): Identity | undefined {
  return user === null ? undefined : { name: '', email: '', login: user.login, id: user.id, type: typeOf(user.type) };
}
