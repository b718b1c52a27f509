import { describe, expect, it } from '@jest/globals';
import { jsonSchema } from '../../scripts/trim-openapi.ts';
import { checkBody, checkParameters, checkWebhook } from '../../src/sandbox/openapi/check.ts';
import { description, matchOperation } from '../../src/sandbox/openapi/description.ts';
import { FORMATS } from '../../src/sandbox/openapi/formats.ts';
import { unknownFields } from '../../src/sandbox/openapi/unknown-fields.ts';
import { OPERATIONS, WEBHOOKS } from '../../src/sandbox/openapi/used.ts';
import { ROUTES } from '../../src/sandbox/routes/all.ts';

describe("GitHub's description, trimmed", () => {
  it('has exactly the operations and webhooks that are listed, and each operation has a handler', () => {
    const { operations, webhooks } = description();
    expect(Object.keys(operations).sort()).toEqual([...OPERATIONS].sort());
    expect(Object.keys(ROUTES).sort()).toEqual([...OPERATIONS].sort());
    expect(Object.keys(webhooks).sort()).toEqual(Object.keys(WEBHOOKS).sort());
  });

  it('has every schema that it refers to', () => {
    const { schemas, ...rest } = description();
    const referred = JSON.stringify([schemas, rest]).matchAll(/"\$ref":"#\/schemas\/([^"]+)"/g);
    const names = new Set([...referred].map(([, name]) => name ?? ''));
    expect([...names].filter((name) => !(name in schemas))).toEqual([]);
    expect(Object.keys(schemas).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each([
    ['GET', '/repos/o/r', 'repos/get', { owner: 'o', repo: 'r' }],
    ['GET', '/repos/o/r/git/ref/heads/a/b', 'git/get-ref', { owner: 'o', repo: 'r', ref: 'heads/a/b' }],
    ['GET', '/repos/o/r/branches/a/b', 'repos/get-branch', { owner: 'o', repo: 'r', branch: 'a/b' }],
    [
      'GET',
      '/repos/o/r/commits/a/b/status',
      'repos/get-combined-status-for-ref',
      { owner: 'o', repo: 'r', ref: 'a/b' },
    ],
    ['GET', '/repos/o/r/commits/x', 'repos/get-commit', { owner: 'o', repo: 'r', ref: 'x' }],
    ['GET', '/repos/o/r/contents/a/b%20c', 'repos/get-content', { owner: 'o', repo: 'r', path: 'a/b c' }],
    ['GET', '/repos/o/r/issues/comments', 'issues/list-comments-for-repo', { owner: 'o', repo: 'r' }],
    [
      'GET',
      '/repos/o/r/compare/a...b/c',
      'repos/compare-commits-with-basehead',
      { owner: 'o', repo: 'r', basehead: 'a...b/c' },
    ],
  ])('finds %s %s', (method, path, id, params) => {
    expect(matchOperation(method, path)).toMatchObject({ id, params });
  });

  it.each([
    ['POST', '/repos/o/r'],
    ['GET', '/repos/o'],
    ['GET', '/repos/o/r/'],
    ['GET', '/repos/o/%ff'],
    ['GET', '/nothing'],
  ])('does not find %s %s', (method, path) => {
    expect(matchOperation(method, path)).toBeUndefined();
  });
});

describe('the conversion to JSON Schema', () => {
  it.each([
    [{ type: 'string', nullable: true, description: 'x' }, { type: ['string', 'null'] }],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ nullable: true, enum: ['a', null] }, { enum: ['a', null] }],
    [{ nullable: true, $ref: '#/x' }, { anyOf: [{ $ref: '#/x' }, { type: 'null' }] }],
    [{ nullable: true, allOf: [{ $ref: '#/x' }] }, { anyOf: [{ allOf: [{ $ref: '#/x' }] }, { type: 'null' }] }],
    [{ type: 'integer', format: 'int64', example: 1 }, { type: 'integer' }],
    [
      {
        properties: {
          title: { type: 'string', title: 'T' },
          example: { nullable: true, type: 'array', items: { example: 1 } },
        },
      },
      { properties: { title: { type: 'string' }, example: { type: ['array', 'null'], items: {} } } },
    ],
  ])('%j', (from, to) => {
    expect(jsonSchema(from)).toEqual(to);
  });
});

describe('the checks', () => {
  const { operations } = description();

  it('refuse fields and parameters that GitHub does not know', () => {
    const id = 'checks/create';
    const good = { name: 'x', head_sha: 'y', output: { title: 't', summary: 's' } };
    expect(checkBody(id, operations[id], good)).toEqual([]);
    expect(checkBody(id, operations[id], { ...good, sumary: 's' })).toEqual(['body/sumary: is not in the description']);
    expect(checkBody(id, operations[id], { ...good, output: { title: 't', summary: 's', sumary: 's' } })).toEqual([
      'body/output/sumary: is not in the description',
    ]);
    const list = 'pulls/list';
    const asked = checkParameters(list, operations[list], 'query', { state: 'open', per_page: '5', pages: '1' });
    expect(asked.values).toEqual({ state: 'open', per_page: 5 });
    expect(asked.misfits).toHaveLength(1);
    expect(asked.misfits[0]).toContain('pages');
    expect(checkParameters(list, operations[list], 'query', { state: 'merged' }).misfits).toHaveLength(1);
    expect(checkParameters(list, operations[list], 'query', { page: 'two' }).misfits).toHaveLength(1);
  });

  it('refuse bodies that are missing, of the wrong type or not wanted', () => {
    const id = 'issues/create-comment';
    expect(checkBody(id, operations[id], undefined)).toEqual(['body: is missing']);
    expect(checkBody(id, operations[id], { body: 1 })).toHaveLength(1);
    expect(checkBody('pulls/list', operations['pulls/list'], { body: 'x' })).toHaveLength(1);
    expect(checkBody('pulls/list', operations['pulls/list'], {})).toEqual([]);
  });

  it('refuse payloads of webhooks that lack something', () => {
    expect(checkWebhook('merge_group.checks_requested', { action: 'checks_requested' })).not.toEqual([]);
  });

  it('look through what a schema is combined of', () => {
    const schema = {
      allOf: [{ properties: { a: { properties: { x: {} } } } }],
      anyOf: [{ properties: { a: { properties: { y: {} } }, b: { items: { properties: { c: {} } } } } }],
    };
    const value = { a: { x: 1, y: 2, z: 3 }, b: [{ c: 1 }, { d: 2 }], e: {}, toString: 1 };
    expect(unknownFields(schema, value, 'v')).toEqual([
      'v/a/z: is not in the description',
      'v/b/1/d: is not in the description',
      'v/e: is not in the description',
      'v/toString: is not in the description',
    ]);
    expect(unknownFields({ type: 'object' } as const, { anything: 1 }, 'v')).toEqual([]);
    expect(unknownFields({ additionalProperties: { properties: { a: {} } } }, { k: { b: 1 } }, 'v')).toEqual([
      'v/k/b: is not in the description',
    ]);
  });
});

describe('the formats', () => {
  it.each([
    ['date-time', '2026-01-02T03:04:05Z', true],
    ['date-time', '2026-01-02T03:04:05.5+01:00', true],
    ['date-time', '2026-13-02T03:04:05Z', false],
    ['date-time', '2026-01-02', false],
    ['uri', 'http://127.0.0.1:1/users/a%5Bbot%5D', true],
    ['uri', 'http://127.0.0.1:1/a b', false],
    ['uri', '/relative', false],
    ['uri-template', 'http://x/users/a{/b}', true],
    ['email', 'a@b', true],
    ['email', 'a b@c', false],
    ['repo.nwo', 'a/b', true],
    ['repo.nwo', 'a/b/c', false],
  ] as const)('%s: %s is %s', (format, text, right) => {
    expect(FORMATS[format](text)).toBe(right);
  });

  it.each(Object.keys(FORMATS) as (keyof typeof FORMATS)[])('%s is quick on megabytes of hostile text', (format) => {
    for (const part of ['@', '/', '0', '{', ' ', '0000-00-00T']) {
      expect(FORMATS[format](`${part.repeat(1_000_000)}\n`)).toBe(false);
    }
  });
});
