import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { sha256 } from '../../../src/domain/json/canonical.ts';
import { isRefusal } from '../../../src/domain/errors.ts';
import { decide } from '../../../src/gate/decide.ts';
import { factsSchema } from '../../../src/gate/facts.ts';
import type { Facts } from '../../../src/gate/facts.ts';
import { collectLocal } from '../../../src/sources/pull-request/local.ts';
import type { LocalOptions } from '../../../src/sources/pull-request/local.ts';
import { repositoryAt, withRepository } from '../../support/repository.ts';
import type { TestRepository } from '../../support/repository.ts';
import { inTemp, RUN, writeSample } from '../../support/sample.ts';

jest.setTimeout(120_000); // many processes, on a machine that may be busy

const collect = async (
  { root }: Pick<TestRepository, 'root'>,
  base = 'main',
  head = 'feature',
  more: Partial<LocalOptions> = {},
): Promise<Facts> => {
  const facts = await collectLocal({ root, base, head, now: '2026-01-02T03:04:05Z', engine: '1.2.3', ...more });
  expect(factsSchema.parse(facts)).toEqual(facts); // what is collected is what the schema says, nothing left out
  return facts;
};
const codeOf = async (facts: Promise<unknown>): Promise<string> =>
  facts.then(
    () => 'collected',
    (thrown: unknown) => (isRefusal(thrown) ? thrown.code : String(thrown)),
  );

/** Main with some files, feature checked out on top of it. */
const branched = <T>(body: (repository: TestRepository) => T | Promise<T>): Promise<T> =>
  withRepository((repository) => {
    for (const name of ['a', 'b', 'c']) repository.write(`${name}.txt`, `${name}\n`.repeat(30));
    repository.commit('start');
    repository.git('checkout', '-q', '-b', 'feature');
    return body(repository);
  });

describe('the files of a branch', () => {
  const cases: readonly (readonly [string, (repository: TestRepository) => void, Facts['files']])[] = [
    ['nothing', () => undefined, []],
    [
      'an added file',
      ({ write }) => write('new', '12345'),
      [{ status: 'added', path: 'new', mode: '100644', old_mode: '000000', size: 5 }],
    ],
    [
      'a deleted file',
      ({ root }) => unlinkSync(join(root, 'a.txt')),
      [{ status: 'deleted', path: 'a.txt', mode: '000000', old_mode: '100644' }],
    ],
    [
      'a rename with a change, under both names',
      ({ git, write }) => {
        git('mv', 'a.txt', 'x b/y.txt'.replace('/', '-'));
        write('x b-y.txt', `${'a\n'.repeat(30)}more\n`);
      },
      [{ status: 'renamed', path: 'x b-y.txt', old_path: 'a.txt', mode: '100644', old_mode: '100644', size: 65 }],
    ],
    [
      'a change of mode',
      ({ root }) => chmodSync(join(root, 'a.txt'), 0o755),
      [{ status: 'modified', path: 'a.txt', mode: '100755', old_mode: '100644', size: 60 }],
    ],
    [
      'a link in the place of a file',
      ({ root }) => {
        unlinkSync(join(root, 'a.txt'));
        symlinkSync('/etc/passwd', join(root, 'a.txt'));
      },
      [{ status: 'type-changed', path: 'a.txt', mode: '120000', old_mode: '100644', size: 11 }],
    ],
    [
      'a submodule',
      ({ git, root }) => {
        mkdirSync(join(root, 'lib')); // so that `git add -A` leaves the entry alone
        git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`);
      },
      [{ status: 'added', path: 'lib', mode: '160000', old_mode: '000000' }],
    ],
    [
      'hostile names',
      ({ write }) => ['-rf', 'a\nb', 'tab\tquote"', "x b/y'.txt", ':(top)z'].forEach((name) => write(name, '1')),
      ['-rf', ':(top)z', 'a\nb', 'tab\tquote"', "x b/y'.txt"].map((path) => ({
        status: 'added' as const,
        path,
        mode: '100644',
        old_mode: '000000',
        size: 1,
      })),
    ],
  ];
  it.each(cases)('show %s', async (_what, change, files) => {
    await branched(async (repository) => {
      change(repository);
      repository.commit();
      const facts = await collect(repository);
      expect([facts.files, facts.subject.file_count, facts.unread]).toEqual([files, files.length, []]);
    });
  });

  it('name a path that is no UTF-8 as unread, and count it', async () => {
    await branched(async (repository) => {
      const tree = repository.tree([['100644', new Uint8Array([0x66, 0xff]), repository.blob('x')]]);
      repository.git(
        'update-ref',
        'refs/heads/feature',
        repository.commitTree(tree, [repository.git('rev-parse', 'main')]),
      );
      const facts = await collect(repository);
      expect(facts.unread).toEqual([{ what: 'changed file f\\xff', why: 'its path is not valid UTF-8' }]);
      expect([facts.files.length, facts.subject.file_count]).toEqual([3, 4]);
      expect(decide(facts).outcome).toBe('incomplete');
    });
  });

  it('name a path that no checkout can hold as unread', async () => {
    await branched(async (repository) => {
      const tree = repository.tree([['100644', 'src/../.github', repository.blob('x')]]);
      repository.git(
        'update-ref',
        'refs/heads/feature',
        repository.commitTree(tree, [repository.git('rev-parse', 'main')]),
      );
      expect((await collect(repository)).unread[0]).toEqual({
        what: 'changed file src/../.github',
        why: 'no checkout can hold this path',
      });
    });
  });

  it('are compared from the merge base, while the rules are those of the tip', async () => {
    await branched(async (repository) => {
      repository.write('own.txt', 'x');
      repository.commit();
      repository.git('checkout', '-q', 'main');
      repository.write('theirs.txt', 'x');
      repository.write('.github/countersign.yml', 'mode: warn\n');
      repository.commit();
      const facts = await collect(repository);
      expect(facts.files.map((file) => file.path)).toEqual(['own.txt']);
      expect(facts.base.entries).toEqual([{ path: '.github/countersign.yml', mode: '100644', text: 'mode: warn\n' }]);
      expect(facts.head.entries).toEqual([]);
      expect(facts.subject.merge_base).toBe(repository.git('merge-base', 'main', 'feature'));
    });
  });
});

describe('the commits of a branch', () => {
  it('carry parents, identities and whole messages, oldest first', async () => {
    await branched(async (repository) => {
      const first = repository.commit('Add it\n\n\tTabs, "quotes" and \u{1f600}\n\nRapid-Run: some-run');
      const second = repository.commit('second');
      const facts = await collect(repository);
      expect(facts.commits).toEqual([
        {
          sha: first,
          parents: [repository.git('rev-parse', 'main')],
          author: { name: 'Ada', email: 'ada@example.org', type: 'unknown' },
          committer: { name: 'Bob', email: 'bob@example.org', type: 'unknown' },
          message: 'Add it\n\n\tTabs, "quotes" and \u{1f600}\n\nRapid-Run: some-run\n',
          verified: false,
          ledger_changes: [],
        },
        expect.objectContaining({ sha: second, parents: [first], message: 'second\n' }),
      ]);
      expect(facts.subject).toMatchObject({ kind: 'branch', commit_count: 2 });
    });
  });

  it.each([
    ['beyond a NUL', Buffer.from('shown\0Rapid-Run: hidden\n'), '', 'shown\0Rapid-Run: hidden\n'],
    ['with CRLF', Buffer.from('one\r\ntwo\r\n'), '', 'one\r\ntwo\r\n'],
    ['in another encoding', Buffer.from('caf\xe9 \xa4', 'latin1'), 'encoding ISO-8859-15\n', 'café €'],
    ['in no encoding', Buffer.from('caf\xe9', 'latin1'), '', 'café'],
    ['that is empty', Buffer.from(''), '', ''],
    ['after a signature of many lines', Buffer.from('text'), 'gpgsig -----BEGIN\n parent fake\n \n -----END\n', 'text'],
  ])('have a message %s', async (_what, message, header, expected) => {
    await branched(async (repository) => {
      const parent = repository.git('rev-parse', 'main');
      const head = `tree ${repository.git('rev-parse', 'main^{tree}')}\nparent ${parent}\nauthor A <a@x> 1 +0000\ncommitter C <c@x> 1 +0000\n${header}\n`;
      const object = Buffer.concat([Buffer.from(head), message]);
      const sha = repository.gitWith(object, 'hash-object', '-t', 'commit', '-w', '--stdin', '--literally');
      const facts = await collect(repository, 'main', sha);
      expect(facts.commits.map((commit) => [commit.message, commit.parents, commit.author.email])).toEqual([
        [expected, [parent], 'a@x'],
      ]);
    });
  });

  it('are unread in an encoding whose bytes do not show the text', async () => {
    await branched(async (repository) => {
      const parent = repository.git('rev-parse', 'main');
      const tree = repository.git('rev-parse', 'main^{tree}');
      const object = `tree ${tree}\nparent ${parent}\nauthor A <a@x> 1 +0000\ncommitter C <c@x> 1 +0000\nencoding UTF-7\n\n+AEM-redit`;
      const sha = repository.gitWith(object, 'hash-object', '-t', 'commit', '-w', '--stdin', '--literally');
      const facts = await collect(repository, 'main', sha);
      expect(facts.commits.map(({ message }) => message)).toEqual(['']);
      const why = 'the commit is in the encoding UTF-7, which is not read';
      expect(facts.unread).toContainEqual({ what: `message of commit ${sha}`, why });
      expect(decide(facts).outcome).toBe('incomplete');
    });
  });

  it('are all there, also where there are many', async () => {
    await branched(async (repository) => {
      const stream = Array.from({ length: 600 }, (_, index) => {
        const message = `number ${index}`;
        const from = index === 0 ? 'from refs/heads/main\n' : '';
        return `commit refs/heads/many\ncommitter C <c@x> ${1700000000 + index} +0000\ndata ${message.length}\n${message}\n${from}`;
      }).join('');
      repository.gitWith(stream, 'fast-import', '--quiet');
      const facts = await collect(repository, 'main', 'many');
      expect(facts.commits.map((commit) => commit.message)).toEqual(
        Array.from({ length: 600 }, (_, index) => `number ${index}`),
      );
    });
  });
});

describe('the names of base and head', () => {
  it.each(['feature', 'refs/heads/feature', 'v1', 'refs/tags/v1', 'HEAD', '@', 'v2~1', 'HEAD^0'])(
    'may be %s',
    async (name) => {
      await branched(async (repository) => {
        const sha = repository.commit('one');
        repository.git('tag', 'v1');
        repository.git('commit', '-q', '--allow-empty', '-m', 'two');
        repository.git('tag', '-a', 'v2', '-m', 'annotated');
        repository.git('reset', '-q', '--hard', 'HEAD~1');
        expect((await collect(repository, 'main', name)).subject.head.sha).toBe(sha);
      });
    },
  );

  it.each([
    'none',
    '',
    '--output=x',
    '-h',
    'main..feature',
    ':/start',
    'HEAD:a.txt',
    'feature\nmain',
    'feature\0',
    'ma*',
    'x'.repeat(5000),
    '1'.repeat(40),
    'HEAD^{tree}',
  ])('are refused where %j names no commit', async (name) => {
    await branched(async (repository) => {
      expect(await codeOf(collect(repository, 'main', name))).toBe('CS1505');
      expect(await codeOf(collect(repository, name, 'feature'))).toBe('CS1505');
      expect(readdirSync(repository.root).sort()).toEqual(['.git', 'a.txt', 'b.txt', 'c.txt']);
    });
  });

  it('mean the branch where a tag has the same name', async () => {
    await branched(async (repository) => {
      repository.commit('on feature');
      repository.git('tag', 'main', 'feature');
      expect((await collect(repository)).subject.base.sha).toBe(repository.git('rev-parse', 'refs/heads/main'));
    });
  });

  it('give the branch that HEAD is on, and HEAD where it is detached', async () => {
    await branched(async (repository) => {
      expect((await collect(repository, 'main', 'HEAD')).subject.head.ref).toBe('refs/heads/feature');
      repository.git('checkout', '-q', '--detach');
      expect((await collect(repository, 'main', 'HEAD')).subject.head.ref).toBe('HEAD');
    });
  });
});

describe('histories of any form', () => {
  it('refuse an orphan', async () => {
    await branched(async (repository) => {
      repository.git('checkout', '-q', '--orphan', 'alone');
      repository.commit();
      expect(await codeOf(collect(repository, 'main', 'alone'))).toBe('CS1506');
    });
  });

  it('refuse a shallow clone without common history, and name a cut in one that has it', async () => {
    await branched(async (repository) => {
      const commits = ['one', 'two', 'three'].map((message) => repository.commit(message));
      await inTemp(async (root) => {
        const clone = repositoryAt(join(root, 'clone'));
        const from = `file://${repository.root}`;
        repositoryAt(root).git('clone', '-q', '--depth', '1', '--no-single-branch', '-b', 'feature', from, 'clone');
        expect(await codeOf(collect(clone, 'origin/main', 'feature'))).toBe('CS1507');
        clone.git('checkout', '-q', '-b', 'next');
        clone.git('commit', '-q', '--allow-empty', '-m', 'next');
        clone.git('checkout', '-q', '--detach', 'feature');
        const side = clone.commitTree(clone.git('rev-parse', 'HEAD^{tree}'), [commits[2] ?? ''], 'side');
        const merge = clone.commitTree(clone.git('rev-parse', 'HEAD^{tree}'), [
          side,
          clone.git('rev-parse', 'origin/main'),
        ]);
        const facts = await collect(clone, 'origin/main', merge);
        expect(facts.unread).toEqual([
          { what: `history below commit ${commits[2] ?? ''}`, why: 'the clone is shallow and ends there' },
        ]);
      });
    });
  });

  it('list what a base that was moved no longer holds', async () => {
    await branched(async (repository) => {
      const dropped = repository.commit('was on main');
      const kept = repository.commit('on feature');
      repository.git('branch', '-f', 'main', dropped);
      expect((await collect(repository)).commits.map((commit) => commit.sha)).toEqual([kept]);
      repository.git('branch', '-f', 'main', `${dropped}~1`);
      expect((await collect(repository)).commits.map((commit) => commit.sha)).toEqual([dropped, kept]);
    });
  });

  it('do not see grafts', async () => {
    await branched(async (repository) => {
      const hidden = repository.commit('hidden');
      const shown = repository.commit('shown');
      writeFileSync(join(repository.root, '.git/info/grafts'), `${shown} ${repository.git('rev-parse', 'main')}\n`);
      repository.git('config', 'advice.graftFileDeprecated', 'false');
      expect((await collect(repository)).commits.map((commit) => commit.sha)).toEqual([hidden, shown]);
    });
  });

  it.each([
    ['a folder inside', 'CS1504', (root: string) => mkdirSync(join(root, 'sub')), 'sub'],
    ['the folder of git itself', 'CS1504', () => undefined, '.git'],
    ['nothing', 'CS1504', () => undefined, 'none'],
  ])('refuse %s as the root', async (_what, code, make, folder) => {
    await branched(async ({ root }) => {
      make(root);
      expect(await codeOf(collect({ root: join(root, folder) }))).toBe(code);
    });
  });

  it('refuse a folder without a repository, and a machine without git', async () => {
    await inTemp(async (root) => {
      expect(await codeOf(collect({ root }))).toBe('CS1504');
      expect(await codeOf(collect({ root }, 'a', 'b', { environment: { PATH: `.:${root}` } }))).toBe('CS1503');
    });
  });
});

describe('the documents of a branch', () => {
  it('are those of the governing runs and the rules, by digest where only that matters', async () => {
    await branched(async (repository) => {
      repository.git('checkout', '-q', 'main');
      repository.write('.rapid-os/config.json', '{}');
      repository.write('.rapid-os/runs/other/run.json', '{}');
      repository.write('package.json', '{"scripts":{}}');
      repository.commit();
      repository.git('checkout', '-q', '-b', `rapid/${RUN}`);
      writeSample(repository.root);
      repository.write(`.rapid-os/evidence/${RUN}/artifacts/E001/log.txt`, 'artifact');
      repository.write(`.rapid-os/runs/${RUN}/huge.json`, Buffer.alloc(8 * 1024 * 1024 + 1, 0x20));
      repository.write(`.rapid-os/runs/${RUN}/bytes.json`, new Uint8Array([0xff]));
      symlinkSync('../../policy.json', join(repository.root, `.rapid-os/runs/${RUN}/link.json`));
      repository.write('package.json', '{"scripts":{"test":"true"}}');
      repository.commit();
      const facts = await collect(repository, 'main', 'HEAD');
      const atHead = new Map(facts.head.entries.map((entry) => [entry.path, entry]));
      expect(facts.base.entries.map((entry) => entry.path)).toEqual(['.rapid-os/config.json', 'package.json']);
      expect(facts.base.covers).toEqual(expect.arrayContaining([`.rapid-os/runs/${RUN}`, '.rapid-os/policy.json']));
      expect(atHead.get(`.rapid-os/evidence/${RUN}/artifacts/E001/log.txt`)).toEqual({
        path: `.rapid-os/evidence/${RUN}/artifacts/E001/log.txt`,
        mode: '100644',
        size: 8,
        sha256: sha256('artifact'),
      });
      expect(atHead.get(`.rapid-os/runs/${RUN}/huge.json`)).toMatchObject({ size: 8 * 1024 * 1024 + 1 });
      expect(atHead.get(`.rapid-os/runs/${RUN}/huge.json`)).not.toHaveProperty('text');
      expect(atHead.get(`.rapid-os/runs/${RUN}/bytes.json`)?.base64).toBe('/w==');
      expect(atHead.get(`.rapid-os/runs/${RUN}/link.json`)).toEqual({
        path: `.rapid-os/runs/${RUN}/link.json`,
        mode: '120000',
      });
      expect(atHead.get('package.json')?.text).toBe('{"scripts":{"test":"true"}}');
      expect([...atHead.keys()].filter((path) => path.startsWith('.rapid-os/specs/sample/')).length).toBeGreaterThan(1);
      expect([...atHead.keys()].some((path) => path.includes('/other/'))).toBe(false);
    });
  });

  it.each([
    [
      'a link',
      (root: string) => symlinkSync('../a.txt', join(root, '.github/countersign.yml')),
      '.github/countersign.yml is a symbolic link',
    ],
    [
      'no UTF-8',
      (root: string) => writeFileSync(join(root, '.github/countersign.yml'), Buffer.from([0xff])),
      'it is not valid UTF-8',
    ],
  ])('name a configuration at the base that is %s as unread', async (_what, make, why) => {
    await branched(async (repository) => {
      repository.git('checkout', '-q', 'main');
      mkdirSync(join(repository.root, '.github'));
      make(repository.root);
      repository.commit();
      const facts = await collect(repository);
      expect(facts.unread).toEqual([{ what: '.github/countersign.yml at the base', why }]);
    });
  });

  it('show a link that took the place of their folder', async () => {
    await branched(async (repository) => {
      symlinkSync('elsewhere', join(repository.root, '.rapid-os'));
      repository.commit('Rapid-Run: some-run');
      const facts = await collect(repository);
      expect(facts.head.entries).toEqual([{ path: '.rapid-os', mode: '120000' }]);
    });
  });

  it('leave out runs beyond the limit, and say so', async () => {
    await branched(async (repository) => {
      const names = Array.from({ length: 501 }, (_, index) => `Rapid-Run: run-${index}`);
      repository.commit(names.join('\n'));
      expect((await collect(repository)).unread).toEqual([
        { what: '1 governing runs', why: 'more than 500 runs are named' },
      ]);
    });
  });

  it("count an organisation's configuration that is named as unreadable, unless it is given", async () => {
    await branched(async (repository) => {
      repository.git('checkout', '-q', 'main');
      repository.write('.github/countersign.yml', 'extends: acme/.github\n');
      repository.commit();
      expect((await collect(repository)).organisation_config.state).toBe('unreadable');
      const given = { state: 'read', text: '', source: 'acme' } as const;
      expect((await collect(repository, 'main', 'feature', { organisationConfig: given })).organisation_config).toEqual(
        given,
      );
    });
  });
});

describe('a hostile repository', () => {
  it('starts nothing, whatever its configuration and attributes say, and gives the same facts', async () => {
    await branched(async (repository) => {
      const { root, git } = repository;
      repository.write('a.txt', 'changed\n');
      repository.write('.gitattributes', '* diff=evil filter=evil merge=evil\n');
      repository.write('sub/HEAD', 'ref: refs/heads/main\n');
      repository.commit('Rapid-Run: some-run');
      const plain = await collect(repository);
      const script = join(root, '.git/evil');
      writeFileSync(script, `#!/bin/sh\ntouch "${root}/pwned"\ncat\n`, { mode: 0o755 });
      const hooks = join(root, '.git/hooks');
      rmSync(hooks, { recursive: true, force: true });
      mkdirSync(hooks);
      for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman', 'post-checkout'])
        writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch "${root}/pwned"\n`, { mode: 0o755 });
      for (const [key, value] of [
        ['core.fsmonitor', script],
        ['core.pager', script],
        ['core.sshCommand', script],
        ['core.hooksPath', hooks],
        ['core.editor', script],
        ['core.alternateRefsCommand', script],
        ['pager.log', script],
        ['diff.external', script],
        ['diff.evil.command', script],
        ['diff.evil.textconv', script],
        ['diff.evil.process', script],
        ['filter.evil.smudge', script],
        ['filter.evil.clean', script],
        ['filter.evil.process', script],
        ['merge.evil.driver', script],
        ['gpg.program', script],
        ['log.showSignature', 'true'],
        ['diff.renames', 'false'],
        ['diff.orderFile', 'a.txt'],
        ['diff.noprefix', 'true'],
        ['diff.ignoreSubmodules', 'all'],
        ['core.quotepath', 'true'],
        ['i18n.logOutputEncoding', 'UTF-16'],
        ['alias.diff-tree', `!${script}`],
        ['alias.rev-list', `!${script}`],
        ['alias.cat-file', `!${script}`],
        ['credential.helper', `!${script}`],
        ['extensions.partialClone', 'origin'],
        ['remote.origin.promisor', 'true'],
        ['remote.origin.url', `ext::sh -c touch% ${root}/pwned`],
        ['remote.origin.uploadpack', script],
        ['protocol.ext.allow', 'always'],
        ['protocol.allow', 'always'],
        ['core.repositoryformatversion', '1'],
      ] as const)
        git('config', key, value);
      expect(await collect(repository)).toEqual(plain);
      expect(readdirSync(root)).not.toContain('pwned');

      // A missing object of a partial clone would be fetched, by whatever the configuration names.
      const tree = git('rev-parse', 'HEAD^{tree}');
      const lost = repository.blob('lost');
      const runs = repository.tree([['40000', 'some-run', repository.tree([['100644', 'run.json', lost]])]]);
      const top = repository.tree([['40000', '.rapid-os', repository.tree([['40000', 'runs', runs]])]]);
      const head = repository.commitTree(top, [git('rev-parse', 'main')], 'lost');
      expect(tree).not.toBe(top);
      unlinkSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
      const answer = await collect(repository, 'main', head).then(
        (facts) => facts.unread.length > 0,
        (thrown: unknown) => isRefusal(thrown) && ['CS1502', 'CS1508'].includes(thrown.code),
      );
      expect([answer, readdirSync(root).includes('pwned')]).toEqual([true, false]);
    });
  });

  it('is not another one that the environment names', async () => {
    await branched(async (repository) => {
      await inTemp(async (other) => {
        repository.commit('on feature');
        const elsewhere = { GIT_DIR: other, GIT_WORK_TREE: other, GIT_INDEX_FILE: other, GIT_OBJECT_DIRECTORY: other };
        const environment = { ...process.env, ...elsewhere, GIT_EXTERNAL_DIFF: '/bin/false', GIT_CONFIG_COUNT: 'x' };
        expect((await collect(repository, 'main', 'feature', { environment })).commits.length).toBe(1);
      });
    });
  });
});
