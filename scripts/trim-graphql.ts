// Makes src/sandbox/graphql/github.graphql: the types and fields that the sandbox has, out of the schema that GitHub
// publishes. Run it on an unpacked @octokit/graphql-schema (see docs/sandbox.md):
//   node scripts/trim-graphql.ts <folder of @octokit/graphql-schema>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, parse, print, specifiedScalarTypes, visit } from 'graphql';
import type { DocumentNode, FieldDefinitionNode, NamedTypeNode, TypeDefinitionNode } from 'graphql';
import { TYPES } from '../src/sandbox/graphql/types.ts';

/** Interfaces of which only fields are asked for that their types have too. */
const INTERFACES: Readonly<Record<string, readonly string[]>> = {
  Actor: ['login'],
  GitObject: ['id', 'oid'],
  GitSignature: ['isValid'],
  RepositoryOwner: ['login'],
};
/** Arguments that the sandbox understands, or that GitHub demands. */
const ARGUMENTS: ReadonlySet<string> = new Set([
  ...['first', 'after', 'last', 'itemTypes', 'owner', 'name', 'number', 'oid', 'expression'],
]);

const fieldsOf = (type: string): readonly string[] | undefined =>
  INTERFACES[type] ?? (TYPES[type] === undefined ? undefined : Object.keys(TYPES[type]));

/** The part of GitHub's schema that the sandbox has. @throws Error for a type or field that GitHub does not have */
export function trim(schema: DocumentNode): DocumentNode {
  const all = new Map(
    schema.definitions.flatMap((one) => ('name' in one && one.name !== undefined ? [[one.name.value, one]] : [])),
  );
  const kept = new Map<string, TypeDefinitionNode>();
  const wanted = [...Object.keys(TYPES), ...Object.keys(INTERFACES)];
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    if (kept.has(name) || specifiedScalarTypes.some((one) => one.name === name)) continue;
    const found = all.get(name);
    if (found === undefined) throw new Error(`GitHub has no type ${name}.`);
    const trimmed = trimType(found as TypeDefinitionNode);
    kept.set(name, trimmed);
    visit(trimmed, {
      NamedType: (type) => {
        wanted.push(type.name.value);
      },
    });
  }
  const definitions = [...kept.values()].sort((a, b) => (a.name.value < b.name.value ? -1 : 1));
  return visit({ ...schema, definitions }, { Directive: () => null, StringValue: () => null });
}

function trimType(type: TypeDefinitionNode): TypeDefinitionNode {
  const isKept = ({ name: { value } }: NamedTypeNode): boolean => fieldsOf(value) !== undefined;
  switch (type.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const names = fieldsOf(type.name.value);
      if (names === undefined) throw new Error(`${type.name.value} is reached, and the sandbox does not have it.`);
      const fields = names.map((name) => trimField(type, name));
      return { ...type, fields, interfaces: (type.interfaces ?? []).filter(isKept) };
    }
    case Kind.UNION_TYPE_DEFINITION:
      return { ...type, types: (type.types ?? []).filter(isKept) };
    case Kind.SCALAR_TYPE_DEFINITION:
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return type;
  }
}

function trimField(
  type: TypeDefinitionNode & { readonly fields?: readonly FieldDefinitionNode[] },
  name: string,
): FieldDefinitionNode {
  const field = type.fields?.find((one) => one.name.value === name);
  if (field === undefined) throw new Error(`GitHub has no field ${type.name.value}.${name}.`);
  const isNeeded = (arg: { readonly name: { readonly value: string }; readonly type: { readonly kind: Kind } }) =>
    ARGUMENTS.has(arg.name.value) || arg.type.kind === Kind.NON_NULL_TYPE;
  return { ...field, arguments: (field.arguments ?? []).filter(isNeeded) };
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('Give the folder of an unpacked @octokit/graphql-schema.');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const text = print(trim(parse(readFileSync(join(folder, 'schema.graphql'), 'utf8'))));
  const target = join(import.meta.dirname, '..', 'src', 'sandbox', 'graphql', 'github.graphql');
  writeFileSync(
    target,
    `# Made by scripts/trim-graphql.ts from @octokit/graphql-schema ${version}. See docs/sandbox.md.\n\n${text}\n`,
  );
  process.stdout.write(`${target}: ${text.length} characters\n`);
}
