import { execute, GraphQLError, parse, validate } from 'graphql';
import type { GraphQLFieldResolver, GraphQLTypeResolver } from 'graphql';
import type { Answer } from '../http/answer.ts';
import { ApiError, ok } from '../http/answer.ts';
import type { Caller } from '../http/auth.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, objectOf, textOf } from '../json.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Context, Node, Resolved } from './fields.ts';
import { githubSchema } from './schema.ts';
import { TYPES } from './types.ts';

/**
 * Answers a GraphQL query on GitHub's own schema, as far as the sandbox has it. As GitHub does, what is wrong with a
 * query is an answer with status 200 and `errors`.
 * @throws ApiError 401 without a token, 400 for a body that is no query
 */
export async function answerGraphql(sandbox: Sandbox, caller: Caller, method: string, body: unknown): Promise<Answer> {
  if (caller.kind === 'anonymous' || caller.kind === 'app') {
    throw new ApiError(401, 'This endpoint requires you to be authenticated.');
  }
  const text = isObject(body) ? textOf(body, 'query') : undefined;
  if (method !== 'POST' || !isObject(body) || text === undefined)
    throw new ApiError(400, 'A query attribute must be specified and must be a string.');
  const unknown = Object.keys(body).filter((key) => !['query', 'variables', 'operationName'].includes(key));
  if (unknown.length > 0) throw new ApiError(400, `Unknown attributes: ${unknown.join(', ')}`);
  const schema = githubSchema();
  try {
    const document = parse(text);
    const wrong = validate(schema, document);
    if (wrong.length > 0) return ok({ errors: wrong.map(problem) });
    const { data, errors = [] } = await execute({
      ...{ schema, document, fieldResolver, typeResolver },
      variableValues: objectOf(body, 'variables') ?? {},
      rootValue: { type: 'Query', value: null } satisfies Node,
      contextValue: { sandbox, caller } satisfies Context,
    });
    // Without data it was never begun: a variable is missing, or of another type.
    const told = errors.map(problem);
    if (data === undefined || data === null) return ok({ errors: told });
    return ok({ data: data as Json, ...(told.length === 0 ? {} : { errors: told }) });
  } catch (thrown) {
    if (!(thrown instanceof GraphQLError)) throw thrown;
    return ok({ errors: [problem(thrown)] });
  }
}

/** An error as GitHub writes it. One that is none of a query's is a defect of the sandbox. */
function problem({ message, locations, path, extensions, originalError }: GraphQLError): JsonObject {
  if (originalError !== undefined && !(originalError instanceof GraphQLError)) throw originalError;
  return {
    ...(typeof extensions['type'] === 'string' ? { type: extensions['type'] } : {}),
    ...(path === undefined ? {} : { path: [...path] }),
    ...(locations === undefined ? {} : { locations: locations.map(({ line, column }) => ({ line, column })) }),
    message,
  };
}

const typeResolver: GraphQLTypeResolver<Node, Context> = ({ type }) => type;

const fieldResolver: GraphQLFieldResolver<Node, Context> = async (
  { value },
  args: Readonly<Record<string, unknown>>,
  context,
  { parentType, fieldName },
) => {
  const known = TYPES[parentType.name]?.[fieldName];
  if (known === undefined) throw new TypeError(`The sandbox has no ${parentType.name}.${fieldName}`);
  return plain(await known.resolve(value, args, context));
};

function plain(found: Resolved): Json | Node | null | readonly Node[] {
  switch (found.kind) {
    case 'scalar':
      return found.value;
    case 'node':
      return found.node;
    case 'nodes':
      return found.nodes;
    case 'problem':
      throw new GraphQLError(found.message, { extensions: { type: found.type } });
  }
}
