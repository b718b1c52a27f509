import { jest } from '@jest/globals';
import { openBlobs } from '../../../src/sources/github/content/blob-store.ts';
import { openTrees } from '../../../src/sources/github/content/tree-store.ts';
import { githubSnapshot } from '../../../src/sources/snapshot/github.ts';
import { withRepository } from '../../support/repository.ts';
import { withHosted } from '../github/hosted.ts';
import { snapshotContract } from './contract.ts';
import type { SnapshotFactory } from './contract.ts';
import { placeAll } from './place.ts';

jest.setTimeout(120_000); // many processes, on a machine that may be busy

const factory =
  (isLoaded: boolean): SnapshotFactory =>
  (state, body) =>
    withRepository(async (repository) => {
      const commit = placeAll(repository, state, 'sha1');
      await withHosted(repository, async ({ api, repository: name }) => {
        const trees = openTrees(api, name);
        if (isLoaded) await trees.load([commit]);
        await body(
          githubSnapshot(
            trees,
            openBlobs(api, name, (oid) => trees.sizeOf(oid)),
            commit,
          ),
        );
      });
    });

snapshotContract('a commit at GitHub, its trees loaded at once', factory(true));
snapshotContract('a commit at GitHub, folder by folder', factory(false));
