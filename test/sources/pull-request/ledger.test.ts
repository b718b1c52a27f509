import { describe, expect, it, jest } from '@jest/globals';
import { ledgerFindings } from '../../../src/gate/append-only.ts';
import type { Facts } from '../../../src/gate/facts.ts';
import { collectLocal } from '../../../src/sources/pull-request/local.ts';
import { withRepository } from '../../support/repository.ts';
import type { TestRepository } from '../../support/repository.ts';

jest.setTimeout(120_000); // many processes, on a machine that may be busy

const RECORD = '.rapid-os/evidence/run/records/E001.json';
const RUN = '.rapid-os/runs/run/run.json';
const runJson = (revision: number): string => `{"id": "run", "current_state_revision": ${revision}}\n`;

const collect = ({ root }: TestRepository): Promise<Facts> =>
  collectLocal({ root, base: 'main', head: 'feature', now: '2026-01-02T03:04:05Z', engine: '1' });
const changesOf = (facts: Facts): string[] =>
  facts.commits.flatMap(({ message, ledger_changes }) =>
    ledger_changes.map(({ status, path }) => `${message.trim()}: ${status} ${path.replace('.rapid-os/', '')}`),
  );
const rewritten = (facts: Facts): unknown[] => ledgerFindings(facts).map((finding) => finding.subject);

const branched = (body: (repository: TestRepository) => Promise<void>): Promise<void> =>
  withRepository((repository) => {
    repository.write('a.txt', 'a');
    repository.write(RUN, runJson(1));
    repository.commit('start');
    repository.git('checkout', '-q', '-b', 'feature');
    return body(repository);
  });

describe('what commits change of the ledger', () => {
  it('is told commit by commit, with the texts of run records only', async () => {
    await branched(async (repository) => {
      repository.write(RECORD, '1');
      repository.write('other.txt', 'x');
      repository.commit('add');
      repository.write(RUN, runJson(2));
      repository.commit('forward');
      repository.write(RECORD, '2');
      repository.commit('rewrite');
      repository.git('rm', '-q', RECORD);
      repository.commit('delete');
      repository.write(RECORD, '1');
      repository.commit('again');
      const facts = await collect(repository);
      expect(changesOf(facts)).toEqual([
        'add: added evidence/run/records/E001.json',
        'forward: modified runs/run/run.json',
        'rewrite: modified evidence/run/records/E001.json',
        'delete: deleted evidence/run/records/E001.json',
        'again: added evidence/run/records/E001.json',
      ]);
      expect(facts.commits[1]?.ledger_changes).toEqual([
        { status: 'modified', path: RUN, before: runJson(1), after: runJson(2) },
      ]);
      expect(facts.commits[2]?.ledger_changes).toEqual([{ status: 'modified', path: RECORD }]);
      expect(rewritten(facts)).toEqual([RECORD, RECORD]);
    });
  });

  it('shows a record that moves as deleted and added', async () => {
    await branched(async (repository) => {
      repository.write(RECORD, 'a record\n'.repeat(20));
      repository.commit('add');
      repository.git('mv', RECORD, 'elsewhere.json');
      repository.commit('away');
      expect(changesOf(await collect(repository)).slice(1)).toEqual(['away: deleted evidence/run/records/E001.json']);
    });
  });

  it('gives no texts of a run record that is too large to be one', async () => {
    await branched(async (repository) => {
      repository.write(RUN, ' '.repeat(65 * 1024));
      repository.commit('large');
      expect((await collect(repository)).commits[0]?.ledger_changes).toEqual([
        { status: 'modified', path: RUN, before: runJson(1) },
      ]);
    });
  });
});

describe('what a merge changes of the ledger', () => {
  // One side adds a record; the other does not.
  const sides = (body: (repository: TestRepository) => Promise<void>): Promise<void> =>
    branched(async (repository) => {
      repository.write('f.txt', 'f');
      repository.commit('own');
      repository.git('checkout', '-q', '-b', 'side', 'feature~1');
      repository.write(RECORD, 'failing');
      repository.commit('record');
      repository.git('checkout', '-q', 'feature');
      await body(repository);
    });

  it('is nothing where it only brings both sides together', async () => {
    await sides(async (repository) => {
      repository.git('merge', '-q', '--no-edit', '-m', 'merge', 'side');
      const facts = await collect(repository);
      expect(changesOf(facts)).toEqual(['record: added evidence/run/records/E001.json']);
      expect(rewritten(facts)).toEqual([]);
    });
  });

  it('is what differs from every side: a change that is hidden in the merge', async () => {
    await sides(async (repository) => {
      repository.git('merge', '-q', '--no-commit', '--no-ff', 'side');
      repository.write(RECORD, 'passing');
      repository.write('.rapid-os/evidence/run/records/E002.json', 'smuggled');
      repository.commit('merge');
      const facts = await collect(repository);
      expect(changesOf(facts).filter((change) => change.startsWith('merge'))).toEqual([
        'merge: added evidence/run/records/E001.json',
        'merge: added evidence/run/records/E002.json',
        'merge: modified evidence/run/records/E001.json',
      ]);
      expect(rewritten(facts)).toEqual([RECORD]);
    });
  });

  it('is a record of one side that it leaves out, to be written anew', async () => {
    await sides(async (repository) => {
      repository.git('merge', '-q', '-s', 'ours', '--no-edit', '-m', 'merge', 'side');
      repository.write(RECORD, 'passing');
      repository.commit('anew');
      const facts = await collect(repository);
      expect(changesOf(facts)).toContain('merge: deleted evidence/run/records/E001.json');
      expect(rewritten(facts)).toEqual([RECORD]);
    });
  });

  it("is a record of the branch that is dropped in favour of the base's tree", async () => {
    await branched(async (repository) => {
      repository.write(RECORD, 'failing');
      repository.commit('record');
      repository.git('checkout', '-q', 'main');
      repository.write('m.txt', 'm');
      repository.commit('on main');
      const tree = repository.git('rev-parse', 'main^{tree}');
      const parents = [repository.git('rev-parse', 'feature'), repository.git('rev-parse', 'main')];
      repository.git('update-ref', 'refs/heads/feature', repository.commitTree(tree, parents, 'merge'));
      expect(rewritten(await collect(repository))).toEqual([RECORD]);
    });
  });

  it('is nothing where the base itself removed what the branch never touched', async () => {
    await branched(async (repository) => {
      repository.write('f.txt', 'f');
      repository.commit('own');
      repository.git('checkout', '-q', 'main');
      repository.git('rm', '-q', RUN);
      repository.commit('cleared up');
      repository.git('checkout', '-q', 'feature');
      repository.git('merge', '-q', '--no-edit', '-m', 'merge', 'main');
      const facts = await collect(repository);
      expect([changesOf(facts), rewritten(facts)]).toEqual([[], []]);
    });
  });

  it('is seen in an octopus too', async () => {
    await sides(async (repository) => {
      repository.git('checkout', '-q', '-b', 'third', 'feature~1');
      repository.write('t.txt', 't');
      repository.commit('third');
      repository.git('checkout', '-q', 'feature');
      const parents = ['feature', 'side', 'third'].map((name) => repository.git('rev-parse', name));
      const tree = repository.git('rev-parse', 'feature^{tree}');
      repository.git('update-ref', 'refs/heads/feature', repository.commitTree(tree, parents, 'octopus'));
      const facts = await collect(repository);
      expect(facts.commits.find((commit) => commit.message === 'octopus')?.parents).toEqual(parents);
      expect(changesOf(facts)).toContain('octopus: deleted evidence/run/records/E001.json');
    });
  });
});
