import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { description } from './description.ts';
import type { Operation, Parameter, Schema } from './description.ts';
import { FORMATS } from './formats.ts';
import { unknownFields } from './unknown-fields.ts';
import type { OperationId, WebhookName } from './used.ts';

/** Where a value does not fit the description, one line each; empty where it fits. */
export type Misfits = readonly string[];

const ROOT = 'github';
let ajv: Ajv | undefined;
const compiled = new Map<string, ValidateFunction>();

/** The check of one schema of the description, compiled at its first use (5 to 50 ms) and kept. */
function validator(pointer: string): ValidateFunction {
  const known = compiled.get(pointer);
  if (known !== undefined) return known;
  if (ajv === undefined) {
    // Optimising the code of a check takes four times as long as making it, and gains nothing at so few uses.
    const code = { optimize: false } as const;
    ajv = new Ajv({ strict: false, validateSchema: false, logger: false, formats: FORMATS, inlineRefs: false, code });
    ajv.addSchema(description(), ROOT);
  }
  const found = ajv.getSchema(`${ROOT}#${pointer}`);
  if (found === undefined) throw new Error(`The description has no ${pointer}.`);
  compiled.set(pointer, found);
  return found;
}

const escaped = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));

function told(errors: readonly ErrorObject[] | null | undefined, where: string): Misfits {
  return (errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${where}${instancePath}: ${message ?? 'is wrong'} ${JSON.stringify(params)}`,
  );
}

function misfits(pointer: string, schema: Schema, value: unknown, where: string): Misfits {
  const validate = validator(pointer);
  const wrong = validate(value) === true ? [] : told(validate.errors, where);
  return [...wrong, ...unknownFields(schema, value, where)];
}

/** Parameters with their types: a number or truth value where the description asks for one. */
export interface Parameters {
  readonly values: Readonly<Record<string, string | number | boolean>>;
  readonly misfits: Misfits;
}

/** Reads and checks the parameters of one kind. Those of a query that the description does not know are misfits. */
export function checkParameters(
  id: OperationId,
  operation: Operation,
  place: 'path' | 'query',
  given: Readonly<Record<string, string>>,
): Parameters {
  const wrong: string[] = [];
  const values: Record<string, string | number | boolean> = {};
  const known = new Set<string>();
  operation.parameters.forEach((parameter, index) => {
    if (parameter.in !== place) return;
    known.add(parameter.name);
    const text = given[parameter.name];
    if (text === undefined) {
      if (parameter.required) wrong.push(`${place} parameter ${parameter.name} is missing`);
      return;
    }
    const value = typed(parameter, text);
    const validate = validator(`/operations/${escaped(id)}/parameters/${index}/schema`);
    if (validate(value) !== true) wrong.push(...told(validate.errors, `${place} parameter ${parameter.name}`));
    values[parameter.name] = value;
  });
  for (const name of Object.keys(given)) {
    if (!known.has(name)) wrong.push(`${place} parameter ${name} is not one of ${[...known].join(', ') || 'none'}`);
  }
  return { values, misfits: wrong };
}

function typed({ schema }: Parameter, text: string): string | number | boolean {
  const types = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((one) => followed(one).type ?? []);
  if (types.includes('integer') && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function followed(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (description().schemas[name] ?? schema);
}

/** Checks the body of a request; fields that the description does not know are misfits too. */
export function checkBody(id: OperationId, operation: Operation, body: unknown): Misfits {
  if (operation.body === undefined) {
    // Clients send an empty object where a method usually carries one.
    const empty = body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);
    return empty ? [] : ['body: this operation takes none'];
  }
  if (body === undefined) return operation.body.required ? ['body: is missing'] : [];
  return misfits(`/operations/${escaped(id)}/body/schema`, operation.body.schema, body, 'body');
}

/** Checks an answer. A status that the description does not list is right only where it is one of failure. */
export function checkAnswer(id: OperationId, operation: Operation, status: number, body: unknown): Misfits {
  const schema = operation.responses[String(status)];
  if (schema === undefined) return status >= 400 ? [] : [`status ${status} is not one of this operation`];
  if (schema === null) return body === undefined || status >= 400 ? [] : ['answer: has a body, and must have none'];
  if (body === undefined) return ['answer: has no body'];
  return misfits(`/operations/${escaped(id)}/responses/${status}`, schema, body, 'answer');
}

/** Checks the payload of a webhook, by its event and action, such as `pull_request.opened`. */
export function checkWebhook(name: WebhookName, payload: unknown): Misfits {
  return misfits(`/webhooks/${escaped(name)}`, description().webhooks[name], payload, 'payload');
}
