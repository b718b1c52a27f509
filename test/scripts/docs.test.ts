import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { configJsonSchema, configReference } from '../../scripts/docs-config.ts';
import { staleFiles } from '../../scripts/docs.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { settings } from '../config/settings.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('what is generated from the sources is fresh', async () => {
  expect(await staleFiles()).toEqual([]);
});

describe('the reference page of the configuration', () => {
  const page = configReference();
  test.each(settings().map(({ path }) => path.join('.')))('describes %s', (name) => {
    const [, section = ''] = page.split(`### \`${name}\`\n`);
    expect(section.split('###')[0]).toMatch(/^\s*\S.{10,}[\s\S]*- Value: \S[\s\S]*- Default: \S[\s\S]*- Layers: \S/);
  });
});

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

describe('the JSON Schema of the configuration', () => {
  const schema = JSON.parse(configJsonSchema()) as Described & { additionalProperties: boolean };

  test('refuses unknown keys', () => {
    expect(schema.additionalProperties).toBe(false);
  });

  test.each(settings().map(({ path }) => ({ name: path.join('.'), path })))('describes $name', ({ path }) => {
    const node = path.reduce<Described | undefined>((inner, key) => inner?.properties?.[key], schema);
    expect(node?.description).toMatch(/\S/);
  });
});

describe('the guide to the configuration', () => {
  const guide = readFileSync(join(ROOT, 'docs/how-to/configure.md'), 'utf8');
  const examples = [...guide.matchAll(/^```yaml\n([^`]*)^```$/gm)].map(([, text = '']) => text);

  test('has three examples', () => {
    expect(examples).toHaveLength(3);
  });

  test.each(examples)('example %# is valid and without remarks', (text) => {
    expect(parseConfig(text, 'f')).toMatchObject({ ok: true, notes: [] });
  });
});
