import type { Answer } from '../http/answer.ts';
import { ApiError, ok } from '../http/answer.ts';
import type { Caller } from '../http/auth.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, objectOf, textOf } from '../json.ts';
import type { Sandbox } from '../sandbox.ts';
import { parseQuery, QueryError } from './parse.ts';
import type { Field, GraphqlValue, Query, Selection } from './parse.ts';
import type { FieldType, Node, Scalar } from './fields.ts';
import { TYPES } from './types.ts';

interface Problem extends JsonObject {
  readonly message: string;
}

/** A whole query's refusal: nothing of it is answered. */
class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.name = 'Refused';
    this.problem = problem;
  }
}

/**
 * Answers a GraphQL query: the types and fields of `types.ts`, and no others. As GitHub does, what is wrong with a
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
  try {
    const query = parseQuery(text);
    const problems: Problem[] = [];
    const variables = readVariables(query, objectOf(body, 'variables') ?? {});
    check(query, query.selections, 'Query', ['query']);
    const run: Run = { sandbox, caller, variables, problems };
    const data = await select(run, query.selections, { type: 'Query', value: null }, []);
    return ok({ data, ...(problems.length === 0 ? {} : { errors: problems }) });
  } catch (thrown) {
    if (thrown instanceof Refused) return ok({ errors: [thrown.problem] });
    if (!(thrown instanceof QueryError)) throw thrown;
    const { message, line, column } = thrown;
    return ok({ errors: [{ message, locations: [{ line, column }] }] });
  }
}

interface Run {
  readonly sandbox: Sandbox;
  readonly caller: Caller;
  readonly variables: ReadonlyMap<string, Scalar>;
  readonly problems: Problem[];
}

function readVariables(query: Query, given: JsonObject): ReadonlyMap<string, Scalar> {
  const values = new Map<string, Scalar>();
  for (const name of Object.keys(given)) {
    if (!query.variables.has(name)) throw refusal(`Variable $${name} is not declared`, 'variableNotDeclared');
  }
  for (const [name, { type, fallback }] of query.variables) {
    const value = given[name] ?? (fallback?.kind === 'constant' ? fallback.value : null);
    const scalar = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    const right = value === null ? !type.endsWith('!') : typeof value === jsType(type);
    if (!scalar || !right)
      throw refusal(`Variable $${name} of type ${type} was provided invalid value`, 'argumentLiteralsIncompatible');
    values.set(name, value as Scalar);
  }
  return values;
}

function jsType(type: string): string {
  const name = type.replace('!', '');
  if (name === 'Int') return 'number';
  return name === 'Boolean' ? 'boolean' : 'string';
}

function refusal(message: string, code: string, field?: Field, path: readonly string[] = []): Refused {
  const where = field === undefined ? {} : { locations: [{ line: field.line, column: field.column }] };
  return new Refused({ message, extensions: { code }, ...where, ...(path.length > 0 ? { path } : {}) });
}

/** Checks a selection against the types, before anything of it is looked up. */
function check(query: Query, selections: readonly Selection[], type: string, path: readonly string[]): void {
  for (const one of selections) {
    if (one.kind === 'fragment') {
      if (TYPES[one.on] === undefined)
        throw refusal(`No such type ${one.on}, so it can't be a fragment condition`, 'undefinedType');
      check(query, one.selections, one.on, path);
      continue;
    }
    const at = [...path, one.alias];
    if (one.name === '__typename') continue;
    const known = TYPES[type]?.[one.name];
    if (known === undefined)
      throw refusal(`Field '${one.name}' doesn't exist on type '${type}'`, 'undefinedField', one, at);
    checkArguments(query, one, known, at);
    if (known.of === undefined && one.selections.length > 0) {
      throw refusal(`Selections can't be made on scalars (field '${one.name}')`, 'selectionMismatch', one, at);
    }
    if (known.of !== undefined) {
      if (one.selections.length === 0)
        throw refusal(`Field must have selections (field '${one.name}')`, 'selectionMismatch', one, at);
      check(query, one.selections, known.of, at);
    }
  }
}

function checkArguments(query: Query, field: Field, { args = {} }: FieldType, path: readonly string[]): void {
  for (const [name, value] of field.args) {
    const type = args[name];
    if (type === undefined)
      throw refusal(`Field '${field.name}' doesn't accept argument '${name}'`, 'argumentNotAccepted', field, path);
    if (!fits(query, value, type))
      throw refusal(
        `Argument '${name}' on Field '${field.name}' has an invalid value. Expected type '${type}'.`,
        'argumentLiteralsIncompatible',
        field,
        path,
      );
  }
  for (const [name, type] of Object.entries(args)) {
    if (type.endsWith('!') && !field.args.has(name)) {
      throw refusal(
        `Field '${field.name}' is missing required arguments: ${name}`,
        'missingRequiredArguments',
        field,
        path,
      );
    }
  }
}

function fits(query: Query, value: GraphqlValue, type: string): boolean {
  if (value.kind === 'words') return type.startsWith('[');
  if (value.kind === 'constant')
    return value.value === null ? !type.endsWith('!') : typeof value.value === jsType(type);
  const declared = query.variables.get(value.name);
  if (declared === undefined) return false;
  const strict = declared.type.endsWith('!') || declared.fallback !== undefined || !type.endsWith('!');
  // `GitObjectID` and `ID` are written as strings, but are types of their own.
  return strict && declared.type.replace('!', '') === type.replace('!', '');
}

async function select(
  run: Run,
  selections: readonly Selection[],
  node: Node,
  path: readonly Json[],
): Promise<JsonObject> {
  const answer: Record<string, Json> = {};
  for (const one of selections) {
    if (one.kind === 'fragment') {
      if (one.on === node.type || (one.on === 'GitObject' && ['Blob', 'Tree', 'Commit'].includes(node.type))) {
        Object.assign(answer, await select(run, one.selections, node, path));
      }
    } else {
      answer[one.alias] = await resolve(run, one, node, [...path, one.alias]);
    }
  }
  return answer;
}

function argument(run: Run, value: GraphqlValue): Scalar {
  switch (value.kind) {
    case 'constant':
      return value.value;
    case 'words':
      return value.words.join(' ');
    case 'variable':
      return run.variables.get(value.name) ?? null;
  }
}

async function resolve(run: Run, field: Field, node: Node, path: readonly Json[]): Promise<Json> {
  if (field.name === '__typename') return node.type;
  const known = TYPES[node.type]?.[field.name];
  if (known === undefined) return null;
  const args = new Map<string, Scalar>();
  for (const [name, value] of field.args) {
    args.set(name, argument(run, value));
  }
  const found = await known.resolve(node.value, args, run);
  if (found.kind === 'problem') {
    const { line, column } = field;
    run.problems.push({ type: found.type, path, locations: [{ line, column }], message: found.message });
    return null;
  }
  if (found.kind === 'scalar') return found.value;
  if (found.kind === 'node') return found.node === null ? null : select(run, field.selections, found.node, path);
  return Promise.all(found.nodes.map((one, index) => select(run, field.selections, one, [...path, index])));
}
