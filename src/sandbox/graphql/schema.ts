import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';

let schema: GraphQLSchema | undefined;

/** The part of GitHub's own schema that the sandbox has (see scripts/trim-graphql.ts), built once in a process. */
export function githubSchema(): GraphQLSchema {
  // GitHub's schema is not valid in all points, and the rest of them is not this project's to say.
  schema ??= buildSchema(readFileSync(join(import.meta.dirname, 'github.graphql'), 'utf8'), { assumeValid: true });
  return schema;
}
