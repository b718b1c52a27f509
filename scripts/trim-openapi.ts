// Makes src/sandbox/openapi/github.json: the operations and webhooks that the sandbox has, out of GitHub's description of
// its REST API, as plain JSON Schema. Run it on an unpacked @octokit/openapi (see docs/sandbox.md):
//   node scripts/trim-openapi.ts <folder of @octokit/openapi>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS, WEBHOOKS } from '../src/sandbox/openapi/used.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** What says nothing about which values are allowed, or says it in a way that ajv does not know. */
const DROPPED = new Set([
  ...['title', 'description', 'example', 'examples', 'default', 'deprecated', 'readOnly', 'writeOnly'],
  ...['externalDocs', 'discriminator', 'xml', 'nullable'],
]);
const NUMBER_FORMATS = new Set(['int32', 'int64', 'float', 'double']);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const object = (value: Json | undefined, where: string): JsonObject => {
  if (!isObject(value)) throw new Error(`${where} is not an object.`);
  return value;
};
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const mapValues = (from: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]));

/** A schema of OpenAPI 3.0 as one of JSON Schema: `nullable` becomes a type, and what only explains is left out. */
export function jsonSchema(from: Json): Json {
  if (!isObject(from)) return from;
  const schema: JsonObject = {};
  for (const [key, value] of Object.entries(from)) {
    if (DROPPED.has(key) || key.startsWith('x-')) continue;
    if (key === 'format' && typeof value === 'string' && NUMBER_FORMATS.has(value)) continue;
    if (key === 'properties') schema[key] = mapValues(object(value, key), jsonSchema);
    else if (['items', 'additionalProperties', 'not'].includes(key)) schema[key] = jsonSchema(value);
    else if (['allOf', 'anyOf', 'oneOf'].includes(key)) schema[key] = list(value).map(jsonSchema);
    else schema[key] = value;
  }
  return from['nullable'] === true ? orNull(schema) : schema;
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, ...rest } = schema;
  const combined = ['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in schema);
  if (combined || type === undefined) {
    return Array.isArray(values) && !combined
      ? { ...rest, enum: [...new Set([...values, null])] }
      : { anyOf: [schema, { type: 'null' }] };
  }
  const withNull = { ...rest, type: [...(Array.isArray(type) ? type : [type]), 'null'] };
  return Array.isArray(values) ? { ...withNull, enum: [...new Set([...values, null])] } : withNull;
}

/**
 * Where GitHub's description says what GitHub does not do: the list of installations asks of an account to be a user and
 * an enterprise at once, the repository of a head is null once a fork is deleted, newer events are not among those of a
 * suite's app, and one payload lacks fields of its repositories.
 * @throws Error where a correction finds nothing to correct any more
 */
function correct(operations: JsonObject, schemas: JsonObject): void {
  const at = (from: JsonObject, path: string): JsonObject =>
    path.split(' ').reduce((value, step) => object(value[step], path), from);
  const account = at(operations, 'apps/list-installations responses 200 items properties account');
  const both = object(list(account['anyOf'])[0], 'account');
  if (!Array.isArray(both['allOf'])) throw new Error('The account of listed installations needs no correction.');
  account['anyOf'] = [...both['allOf'], { type: 'null' }];
  for (const name of ['pull-request', 'pull-request-simple']) {
    const head = at(schemas, `${name} properties head properties`);
    head['repo'] = { anyOf: [object(head['repo'], 'repo'), { type: 'null' }] };
  }
  for (const action of ['completed', 'requested', 'rerequested']) {
    const suite = at(schemas, `webhook-check-suite-${action} properties check_suite properties`);
    delete at(suite, 'app properties events items')['enum'];
  }
  for (const side of ['head', 'base']) {
    const pull = at(schemas, 'webhook-pull-request-review-edited properties pull_request properties');
    const repository = at(pull, `${side} properties repo properties`);
    for (const name of ['has_discussions', 'web_commit_signoff_required']) repository[name] ??= { type: 'boolean' };
  }
}

/** The value that a `$ref` leads to, or the value itself. */
function followed(description: JsonObject, value: Json | undefined): JsonObject {
  const found = object(value, 'a part of the description');
  const ref = found['$ref'];
  if (typeof ref !== 'string') return found;
  const target = ref
    .slice(2)
    .split('/')
    .reduce<Json | undefined>((at, step) => object(at, ref)[step.replaceAll('~1', '/')], description);
  return followed(description, target);
}

function contentSchema(part: JsonObject): Json | undefined {
  const content = part['content'];
  if (!isObject(content)) return undefined;
  const media = content['application/json'] ?? Object.values(content)[0];
  return isObject(media) && media['schema'] !== undefined ? jsonSchema(media['schema']) : undefined;
}

function operation(description: JsonObject, method: string, path: string, from: JsonObject): JsonObject {
  const parameters = list(from['parameters']).map((one) => {
    const { name, in: place, required, schema } = followed(description, one);
    return {
      name: name ?? null,
      in: place ?? null,
      required: required ?? false,
      schema: jsonSchema(schema ?? {}),
    } satisfies JsonObject;
  });
  const responses: JsonObject = {};
  for (const [status, response] of Object.entries(object(from['responses'], path))) {
    responses[status] = contentSchema(followed(description, response)) ?? null;
  }
  const body = from['requestBody'] === undefined ? undefined : followed(description, from['requestBody']);
  const schema = body === undefined ? undefined : contentSchema(body);
  return {
    method: method.toUpperCase(),
    path,
    parameters,
    ...(body === undefined || schema === undefined ? {} : { body: { required: body['required'] === true, schema } }),
    responses,
  };
}

/** Every schema that something refers to, with those that they refer to. */
function referred(description: JsonObject, roots: Json): JsonObject {
  const all = object(object(description['components'], 'components')['schemas'], 'schemas');
  const kept = new Map<string, Json>();
  const walk = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (isObject(value)) {
      const ref = value['$ref'];
      if (typeof ref === 'string') {
        const name = ref.split('/').at(-1) ?? '';
        if (!kept.has(name)) {
          const schema = jsonSchema(object(all[name], ref));
          kept.set(name, schema);
          walk(schema);
        }
      }
      Object.values(value).forEach(walk);
    }
  };
  walk(roots);
  return Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The trimmed description.
 * @throws Error where an operation or a webhook that the sandbox has is not in it
 */
export function trim(description: JsonObject, source: string): JsonObject {
  const operations: JsonObject = {};
  for (const [path, item] of Object.entries(object(description['paths'], 'paths'))) {
    for (const [method, value] of Object.entries(object(item, path))) {
      const id = isObject(value) ? value['operationId'] : undefined;
      if (!METHODS.includes(method) || !isObject(value) || typeof id !== 'string') continue;
      if (OPERATIONS.some((one) => one === id)) {
        operations[id] = operation(description, method, path, value);
      }
    }
  }
  const webhooks: JsonObject = {};
  const described = object(description['x-webhooks'], 'x-webhooks');
  for (const [key, name] of Object.entries(WEBHOOKS)) {
    const post = object(object(described[name], name)['post'], name);
    const schema = contentSchema(followed(description, post['requestBody']));
    if (schema === undefined) throw new Error(`The webhook ${name} has no schema.`);
    webhooks[key] = schema;
  }
  const missing = OPERATIONS.filter((id) => !(id in operations));
  if (missing.length > 0) throw new Error(`Not in the description: ${missing.join(', ')}.`);
  const schemas = referred(description, [operations, webhooks]);
  correct(operations, schemas);
  return { source, operations, webhooks, schemas };
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('Give the folder of an unpacked @octokit/openapi.');
  const read = (name: string): JsonObject => object(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json, name);
  const { version } = read('package.json');
  if (typeof version !== 'string') throw new Error(`${folder} has no version.`);
  const source = `@octokit/openapi ${version}, generated/api.github.com.json`;
  const trimmed = JSON.stringify(trim(read('generated/api.github.com.json'), source));
  const target = join(import.meta.dirname, '..', 'src', 'sandbox', 'openapi', 'github.json');
  writeFileSync(target, `${trimmed.replaceAll('#/components/schemas/', '#/schemas/')}\n`);
  process.stdout.write(`${target}: ${trimmed.length} characters\n`);
}
