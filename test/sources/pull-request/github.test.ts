import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { factsSchema } from '../../../src/gate/facts.ts';
import type { Facts } from '../../../src/gate/facts.ts';
import { collectPullRequest, collectRange } from '../../../src/sources/pull-request/github.ts';
import { collectLocal } from '../../../src/sources/pull-request/local.ts';
import { GITHUB, HEADER, join } from '../../checks/secrets/support/shapes.ts';
import { withRepository } from '../../support/repository.ts';
import type { TestRepository } from '../../support/repository.ts';
import { withHosted } from '../github/hosted.ts';
import type { Hosted } from '../github/hosted.ts';

jest.setTimeout(300_000); // many processes, on a machine that may be busy

const NOW = '2026-01-02T03:04:05Z';
const RUN = '.rapid-os/runs/run';
const RECORD = '.rapid-os/evidence/run/records/E001.json';

const branched = <T>(
  body: (repository: TestRepository) => T | Promise<T>,
  base: Readonly<Record<string, string>> = {},
): Promise<T> =>
  withRepository((repository) => {
    for (const name of ['a', 'b', 'c']) repository.write(`src/${name}.txt`, lines(name, 30));
    for (const [path, text] of Object.entries(base)) repository.write(path, text);
    repository.git('add', '-A', '-f');
    repository.commit('start');
    repository.git('checkout', '-q', '-b', 'feature');
    return body(repository);
  });

function lines(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${name} line ${index}\n`).join('');
}

/** What both ways of collecting can know, in an order of its own. */
function common(facts: Facts): unknown {
  const { subject, files, base, head, secrets, unread, organisation_config } = facts;
  return {
    ...{ files, base, head, secrets, unread, organisation_config },
    merge_base: subject.merge_base,
    points: [subject.base.sha, subject.head.sha, subject.file_count, subject.commit_count],
    commits: [...facts.commits]
      .sort((a, b) => a.sha.localeCompare(b.sha))
      .map(({ sha, parents, message, author, committer, ledger_changes }) => ({
        ...{ sha, parents, ledger_changes },
        message: message.replace(/\n+$/, ''), // GitHub leaves out line feeds at the end
        people: [author.name, author.email, committer.name, committer.email],
      })),
  };
}

async function pullRequest({ api, repository }: Hosted, number: number): Promise<Facts> {
  const facts = await collectPullRequest({ api, repository, number, now: NOW, engine: '1' });
  expect(factsSchema.parse(facts)).toEqual(facts);
  return facts;
}

/** Collects a branch both ways, and as a range too, and expects the same. */
async function expectSame(repository: TestRepository): Promise<Facts> {
  const local = await collectLocal({
    ...{ root: repository.root, base: 'main', head: 'feature', now: NOW, engine: '1', title: 'title' },
  });
  let seen: Facts = local;
  await withHosted(repository, async (hosted) => {
    seen = await pullRequest(hosted, await hosted.open('feature'));
    expect(common(seen)).toEqual(common(local));
    const { api, repository: name } = hosted;
    const head = repository.git('rev-parse', 'feature');
    const range = { base: 'main', head, ref: 'refs/heads/feature' };
    const pushed = await collectRange({ api, repository: name, ...range, now: NOW, engine: '1' });
    expect(factsSchema.parse(pushed)).toEqual(pushed);
    expect(common(pushed)).toEqual(common(local));
  });
  return seen;
}

type Make = (repository: TestRepository) => void;

const SAME: readonly (readonly [string, Make, Readonly<Record<string, string>>?])[] = [
  [
    'files of all kinds',
    ({ root, git, write, commit }) => {
      write('new/deep/file', '12345');
      chmodSync(pathOf(root, 'src/a.txt'), 0o755);
      rmSync(pathOf(root, 'src/b.txt'));
      symlinkSync('/etc/passwd', pathOf(root, 'src/b.txt'));
      write('bytes', new Uint8Array([0, 255, 1]));
      for (const name of ['-rf', 'a\nb', 'tab\tquote"', ':(top)z', 'über \u{1f600}', "x b/y'.txt"]) write(name, name);
      commit('one');
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`);
      git('commit', '-q', '-m', 'submodule');
    },
  ],
  [
    'renames, with a change and without',
    ({ git, write, commit }) => {
      git('mv', 'src/a.txt', 'moved.txt');
      git('mv', 'src/b.txt', 'other.txt');
      write('other.txt', `${lines('b', 30)}more\n`);
      commit('rename');
      write('moved.txt', `${lines('a', 30)}after\n`);
      commit('change');
    },
  ],
  [
    'a folder in the place of a file, and back',
    ({ root, write, commit }) => {
      rmSync(pathOf(root, 'src/a.txt'));
      write('src/a.txt/inside', 'x');
      commit('folder');
      rmSync(pathOf(root, 'src/a.txt'), { recursive: true });
      write('src/a.txt', 'file');
      commit('file');
    },
  ],
  [
    'secrets in lines, messages, binary files, merges and history',
    ({ root, git, write, commit }) => {
      write('src/a.txt', `${lines('a', 10)}token = "${GITHUB}"\n${lines('x', 3)}`);
      commit(`message ${GITHUB}`);
      write('src/a.txt', lines('a', 10));
      write('.env', `KEY=${GITHUB.replace('q7Rk', 'q7Rj')}\n`);
      write('data.bin', Buffer.concat([Buffer.from([0, 1]), Buffer.from(` ${GITHUB.replace('q7Rk', 'q7Ri')} `)]));
      git('add', '-f', '.env');
      commit('more');
      rmSync(pathOf(root, '.env'));
      commit('gone');
      git('mv', 'src/b.txt', 'renamed.txt');
      write('renamed.txt', `${lines('b', 30)}${join('pass', 'word')} = "${join('k8Jw', '2mQz', '7RtX4vNp')}"\n`);
      commit('rename');
      write('key', `${HEADER}\n${'A'.repeat(64)}\n`);
      commit('key');
    },
  ],
  [
    'old secrets in files that change elsewhere, move, or are renamed',
    ({ git, write, commit }) => {
      write('old.txt', `before\n${lines('o', 20)}token = "${GITHUB}"\n`);
      commit('change');
      git('mv', 'old.txt', 'elsewhere.txt');
      write('elsewhere.txt', `before\n${lines('o', 20)}token = "${GITHUB}"\nafter\n`);
      commit('rename');
    },
    { 'old.txt': `${lines('o', 20)}token = "${GITHUB}"\n` },
  ],
  [
    'ignore rules that are taken away',
    ({ write, commit }) => {
      write('.gitignore', 'dist/\n');
      commit('rules');
    },
    { '.gitignore': 'dist/\n.env\n', 'sub/.gitignore': '*.pem\n' },
  ],
  [
    'a ledger that is extended, rewritten and moved forward',
    ({ write, commit }) => {
      write(`${RUN}/run.json`, '{"id":"run","current_state_revision":2}');
      write(RECORD, '1');
      write('.rapid-os/evidence/run/artifacts/E001/log.bin', new Uint8Array([1, 0, 2]));
      commit('add');
      write(RECORD, '2');
      write(`${RUN}/run.json`, '{"id":"run","current_state_revision":3}');
      commit('rewrite');
    },
    { [`${RUN}/run.json`]: '{"id":"run","current_state_revision":1}', '.rapid-os/policies/default.json': '{}' },
  ],
  [
    'merges of the base, of a side branch, and one that changes what both have',
    ({ git, write, commit }) => {
      write('own.txt', 'own\n');
      write(RECORD, 'own');
      commit('own');
      git('checkout', '-q', 'main');
      write('theirs/deep.txt', 'theirs\n');
      write('src/c.txt', lines('other', 30));
      commit('on main');
      git('checkout', '-q', 'feature');
      git('merge', '-q', '--no-edit', 'main');
      git('checkout', '-q', '-b', 'side', 'feature~1');
      write('side.txt', 'side\n');
      write('src/a.txt', `${lines('a', 30)}side\n`);
      commit('side');
      git('checkout', '-q', 'feature');
      git('merge', '-q', '--no-commit', '--no-ff', 'side');
      write('src/a.txt', `${lines('a', 30)}merge ${GITHUB}\n`);
      write('.rapid-os/evidence/run/records/E002.json', 'smuggled');
      commit('merge');
      git('checkout', '-q', 'main');
      write('later.txt', 'later\n');
      commit('main goes on');
    },
  ],
  [
    'a configuration that names what is compared, and a baseline',
    ({ write, commit }) => {
      write('package.json', '{"scripts":{"test":"true"}}');
      write('.github/countersign.yml', 'version: 1\nmode: observe\n');
      commit('config');
    },
    {
      'package.json': '{"scripts":{"test":"jest"}}',
      '.github/countersign.yml': 'version: 1\n',
      '.rapid-os/config.json': '{"test_command":"npm test"}',
    },
  ],
  ['nothing', ({ commit }) => void commit('empty')],
];

describe('a pull request, as GitHub and a local repository show it', () => {
  it.each(SAME.map(([what, make, base = {}]) => [what, make, base] as const))(
    'is the same for %s',
    async (_what, make, base) => {
      await branched(async (repository) => {
        make(repository);
        await expectSame(repository);
      }, base);
    },
  );
});

describe('calls', () => {
  it('are few for a typical pull request', async () => {
    const documents = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${RECORD.replace('001', String(101 + index))}`, `{"id":"${index}"}`]),
    );
    await branched(async (repository) => {
      for (let commit = 0; commit < 10; commit += 1) {
        for (let file = 0; file < 4; file += 1)
          repository.write(`src/part${file % 3}/f${commit}-${file}.ts`, lines('new', 40));
        repository.write('src/a.txt', lines(`a${commit}`, 30));
        if (commit === 9) for (const [path, text] of Object.entries(documents)) repository.write(path, text);
        repository.commit(`commit ${commit}`);
      }
      repository.git('checkout', '-q', 'main');
      repository.write('later.txt', 'later\n');
      repository.commit('main goes on');
      await withHosted(repository, async (hosted) => {
        const number = await hosted.open('feature');
        hosted.calls();
        const facts = await pullRequest(hosted, number);
        expect([facts.files.length, facts.commits.length, facts.unread]).toEqual([61, 10, []]);
        const calls = hosted.calls();
        expect(calls).toEqual({
          graphql: expect.any(Number),
          'git/get-tree': 3,
          'pulls/list': 1,
          'repos/compare-commits-with-basehead': 1,
          'repos/list-activities': 1,
        });
        // The pull request, trees in between, and contents.
        expect(calls['graphql']).toBeLessThanOrEqual(4);
      });
    });
  });

  it('stay bounded for many commits', async () => {
    await branched(async (repository) => {
      const tip = repository.git('rev-parse', 'main');
      const rows: string[] = [];
      for (let commit = 0; commit < 300; commit += 1) {
        rows.push(
          'commit refs/heads/feature',
          'committer Bob <bob@example.org> 1700000000 +0000',
          `data ${`c${commit}`.length}\nc${commit}`,
          ...(commit === 0 ? [`from ${tip}`] : []),
          `M 100644 inline src/f${commit % 50}.txt`,
          `data ${`v${commit}\n`.length}\nv${commit}\n`,
        );
      }
      repository.gitWith(`${rows.join('\n')}\n`, 'fast-import', '--quiet', '--force');
      await withHosted(repository, async (hosted) => {
        const number = await hosted.open('feature');
        hosted.calls();
        const facts = await pullRequest(hosted, number);
        expect([facts.commits.length, facts.files.length, facts.unread]).toEqual([300, 50, []]);
        // Three pages of commits, two times two levels of trees, contents by the hundred.
        expect(hosted.calls()['graphql']).toBeLessThanOrEqual(14);
      });
    });
  });
});

describe('what cannot be had', () => {
  const broken = (route: string, of: (hosted: Hosted, number: number) => Promise<Facts> = pullRequest) =>
    new Promise<Facts>((resolve, reject) => {
      branched(async (repository) => {
        repository.write('new.txt', 'new\n');
        repository.commit('one');
        await withHosted(repository, async (hosted) => {
          const number = await hosted.open('feature');
          hosted.sandbox.faults.add({ route, effect: { kind: 'status', status: 502 } });
          resolve(await of(hosted, number));
        });
      }).catch(reject);
    });

  it('of who pushed, the comparison or contents is a row, and the rest is there', async () => {
    for (const [route, what] of [
      ['repos/list-activities', 'who pushed the head branch'],
      ['repos/compare-commits-with-basehead', 'the merge base'],
    ] as const) {
      const facts = await broken(route);
      expect(facts.unread.map((row) => row.what)).toContain(what);
      expect(facts.commits.length).toBe(1);
    }
  });

  it('of trees at once is read folder by folder', async () => {
    const facts = await broken('git/get-tree');
    expect([facts.unread, facts.files.map(({ path }) => path)]).toEqual([[], ['new.txt']]);
  });

  it('of the pull request itself is refused', async () => {
    await expect(broken('graphql')).rejects.toMatchObject({ code: 'CS1601' });
  });
});

describe('where the rules are read', () => {
  it("is the default branch where the base is anybody's, and the base where it is protected", async () => {
    await branched(
      async (repository) => {
        repository.git('checkout', '-q', '-b', 'open', 'main');
        repository.write('.github/countersign.yml', 'version: 1\nmode: observe\n');
        repository.commit('laxer');
        repository.git('checkout', '-q', '-b', 'topic');
        repository.write('x', 'x');
        repository.commit('topic');
        await withHosted(repository, async (hosted) => {
          const text = ({ base }: Facts): unknown =>
            base.entries.find(({ path }) => path === '.github/countersign.yml')?.text;
          expect(text(await pullRequest(hosted, await hosted.open('topic', 'open')))).toBe('version: 1\n');
          const { api, repository: name } = hosted;
          const head = repository.git('rev-parse', 'topic');
          const range = { base: 'open', head, ref: 'refs/heads/topic', now: NOW, engine: '1' };
          expect(text(await collectRange({ api, repository: name, ...range }))).toBe('version: 1\n');
        });
      },
      { '.github/countersign.yml': 'version: 1\n' },
    );
  });
});
