import { describe, expect, it } from '@jest/globals';
import { blobMemory } from '../../../../src/sources/github/content/blob-memory.ts';
import { openBlobs } from '../../../../src/sources/github/content/blob-store.ts';
import type { GitObject } from '../../../../src/sources/git-objects.ts';

const blob = (oid: string, size: number): GitObject => ({
  ...{ oid, type: 'blob', size, sha256: '0'.repeat(64), bytes: Buffer.alloc(size) },
});

describe('the memory of blobs', () => {
  it('keeps what was used last, within its bytes', () => {
    const memory = blobMemory(10_000);
    for (const oid of ['a', 'b', 'c']) memory.set(oid, blob(oid, 2_500));
    expect(memory.get('a')?.oid).toBe('a');
    memory.set('d', blob('d', 2_500));
    expect(['a', 'b', 'c', 'd'].map((oid) => memory.get(oid)?.oid)).toEqual(['a', undefined, 'c', 'd']);
  });

  it('counts what is set twice once', () => {
    const memory = blobMemory(10_000);
    for (let at = 0; at < 20; at += 1) memory.set('a', blob('a', 2_500));
    memory.set('b', blob('b', 2_500));
    expect(['a', 'b'].map((oid) => memory.get(oid)?.oid)).toEqual(['a', 'b']);
  });

  it('keeps no large ones, and none that were only measured', () => {
    const memory = blobMemory(100_000_000);
    memory.set('large', blob('large', 300_000));
    memory.set('measured', { ...blob('measured', 10), bytes: undefined });
    expect([memory.get('large'), memory.get('measured')]).toEqual([undefined, undefined]);
  });

  it('stays within its bytes however many empty ones there are', () => {
    const memory = blobMemory(10_000);
    for (let at = 0; at < 100; at += 1) memory.set(`e${at}`, blob(`e${at}`, 0));
    const left = Array.from({ length: 100 }, (_, at) => memory.get(`e${at}`)).filter((one) => one !== undefined);
    expect(left.length).toBeLessThanOrEqual(20);
  });

  it('spares the call for what it has', async () => {
    const memory = blobMemory(10_000);
    const oid = '0123456789abcdef0123456789abcdef01234567';
    memory.set(oid, blob(oid, 3));
    const never = { request: () => Promise.reject(new Error('asked')) } as unknown as Parameters<typeof openBlobs>[0];
    const blobs = openBlobs(never, { owner: 'acme', repo: 'widgets' }, () => undefined, memory);
    expect(await blobs.read(oid, 100)).toMatchObject({ oid, size: 3 });
    expect(await blobs.read(oid, 2)).toMatchObject({ oid, size: 3, bytes: undefined });
    await expect(blobs.read(oid.replace('0', '1'), 100)).rejects.toThrow('asked');
  });
});
