import type * as z from 'zod';
import type { GitHubApi } from './api.ts';
import { refusalOf, refuse } from './errors.ts';
import type { NamedCall } from './errors.ts';
import { errorsFault, graphqlErrors } from './graphql-errors.ts';
import type { GraphqlError } from './graphql-errors.ts';
import { bagOf, reasonText } from './fault.ts';

export type { GraphqlError } from './graphql-errors.ts';

export interface QueryOptions {
  /** Errors that may be: the data is null at their path, which the schema must allow. By default none. */
  readonly tolerates?: (error: GraphqlError) => boolean;
  /** What the query needs of a token, as lines of `permissions:`; by default `contents: read`. */
  readonly needs?: readonly string[];
}

/**
 * The data of a GraphQL query. An answer with errors is refused as a whole unless each of them is tolerated: a null
 * that stands for "not allowed" or "too slow" would otherwise be read as "not there".
 * @param text the query; ask for `rateLimit { cost }` in it to have its cost counted
 * @throws Refusal CS1601 to CS1607; CS1606 where the data has another shape than the schema
 */
export async function query<S extends z.ZodType>(
  api: GitHubApi,
  text: string,
  variables: Readonly<Record<string, unknown>>,
  schema: S,
  { tolerates = () => false, needs = ['contents: read'] }: QueryOptions = {},
): Promise<z.infer<S>> {
  const call: NamedCall = { name: 'POST /graphql', writes: false, needs };
  const answer = await api.request('POST /graphql', {
    ...{ query: text, variables },
    request: { readsErrors: true, needs },
  });
  const errors = graphqlErrors(answer.data).filter((one) => !tolerates(one));
  if (errors.length > 0) throw refusalOf(errorsFault(errors), call, 1, 0);
  return shaped(schema, bagOf(answer.data)?.['data'], call.name);
}

/**
 * What GitHub answered, if it is as documented.
 * @param call as messages name it: `GET /repos/acme/widgets`
 * @throws Refusal CS1606 that names the first place that is not
 */
export function shaped<S extends z.ZodType>(schema: S, data: unknown, call: string): z.infer<S> {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'its data' : issue.path.map(String).join('.');
  const why = reasonText(`${place}: ${issue?.message ?? 'not as documented'}`);
  throw refuse('CS1606', { name: call, writes: false, needs: [] }, 200, `was answered with something else: ${why}`);
}
