import { describe, expect, it } from '@jest/globals';
import type { GitHubApi } from '../../../../src/github/api.ts';
import { askBlobs } from '../../../../src/sources/github/content/blob-query.ts';
import { askTrees } from '../../../../src/sources/github/content/tree-query.ts';

const REPOSITORY = { owner: 'acme', repo: 'widgets' };
const OID = 'a'.repeat(40);

/** A GitHub that answers every query with one object. */
const answering = (field: string, object: unknown): GitHubApi => {
  const request = () =>
    Promise.resolve({ data: { data: { repository: { [field]: object } } }, headers: {}, status: 200 });
  return { request } as unknown as GitHubApi;
};

describe('a tree that is asked for', () => {
  const ask = (object: unknown) => askTrees(answering('t0', object), REPOSITORY, [{ by: 'id', oid: OID }]);

  it.each([
    ['null', null],
    ['another kind of object', {}],
  ])('is not there where GitHub answers with %s', async (_, object) => {
    expect(await ask(object)).toEqual([undefined]);
  });

  it.each([
    ['entries that could not be read', { oid: OID, entries: null }],
    ['no entries at all', { oid: OID }],
    ['a commit whose tree could not be read', { tree: { oid: OID, entries: null } }],
    ['an entry without a mode', { oid: OID, entries: [{ nameRaw: 'YQ==', oid: OID, size: 1, type: 'blob' }] }],
  ])('is refused, and not taken for absent, with %s', async (_, object) => {
    await expect(ask(object)).rejects.toMatchObject({ code: 'CS1606' });
  });
});

describe('a blob that is asked for', () => {
  const ask = (object: unknown) => askBlobs(answering('b0', object), REPOSITORY, [OID]);

  it.each([
    ['null', null],
    ['another kind of object', {}],
  ])('is not there where GitHub answers with %s', async (_, object) => {
    expect(await ask(object)).toEqual([undefined]);
  });

  it.each([
    ['no size', { isBinary: false, isTruncated: false, text: 'x' }],
    ['no word on whether it is cut', { byteSize: 1, isBinary: false, text: 'x' }],
  ])('is refused, and not taken for absent, with %s', async (_, object) => {
    await expect(ask(object)).rejects.toMatchObject({ code: 'CS1606' });
  });

  it('is not read where it has no text, or is cut', async () => {
    const told = { byteSize: 5, isBinary: null, isTruncated: false, text: null };
    expect(await ask(told)).toEqual([{ size: 5, text: undefined }]);
    expect(await ask({ ...told, isTruncated: true, text: 'cut' })).toEqual([{ size: 5, text: undefined }]);
  });
});
