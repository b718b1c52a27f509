import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isRefusal } from '../../src/domain/errors.ts';
import { factsSchema } from '../../src/gate/facts.ts';
import { MAX_FACTS_FILE, readFacts, writeFacts } from '../../src/sources/facts-file.ts';
import { codeOf, inTemp } from '../support/sample.ts';

const FACTS = factsSchema.parse({
  schema_version: 1,
  engine: '1',
  profile: 'local',
  now: '2026-01-02T03:04:05Z',
  subject: {
    kind: 'branch',
    body: 'text \u{1f600}\u0000',
    base: { ref: 'main', sha: '1'.repeat(40) },
    head: { ref: 'x', sha: null },
    merge_base: null,
  },
  commits: [],
  files: [],
  base: { covers: [], entries: [] },
  head: { covers: [], entries: [] },
});

describe('a file of facts', () => {
  it('gives back what was written', async () => {
    await inTemp((root) => {
      writeFacts(join(root, 'facts.json'), FACTS);
      expect(readFacts(join(root, 'facts.json'))).toEqual(FACTS);
      expect(readdirSync(root)).toEqual(['facts.json']);
    });
  });

  it('is never overwritten unless that is asked for', async () => {
    await inTemp((root) => {
      const path = join(root, 'facts.json');
      writeFileSync(path, 'kept');
      expect(codeOf(() => writeFacts(path, FACTS))).toBe('CS1204');
      expect([readFileSync(path, 'utf8'), readdirSync(root)]).toEqual(['kept', ['facts.json']]);
      writeFacts(path, FACTS, 'replace');
      expect([readFacts(path), readdirSync(root)]).toEqual([FACTS, ['facts.json']]);
    });
  });

  it('does not go through a link that stands in its place', async () => {
    await inTemp((root) => {
      symlinkSync(join(root, 'outside'), join(root, 'facts.json'));
      expect(codeOf(() => writeFacts(join(root, 'facts.json'), FACTS))).toBe('CS1204');
      expect(readdirSync(root)).toEqual(['facts.json']);
    });
  });

  it.each([
    ['no JSON', '{', 'CS1510'],
    ['another form', '[]', 'CS1510'],
    ['an unknown field', JSON.stringify({ ...FACTS, trusted: true }), 'CS1510'],
    ['another version', JSON.stringify({ ...FACTS, schema_version: 2 }), 'CS1510'],
    ['a field of another type', JSON.stringify({ ...FACTS, commits: {} }), 'CS1510'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'CS1510'],
    ['nothing', '', 'CS1510'],
  ])('is refused where it holds %s', async (_what, content, code) => {
    await inTemp((root) => {
      writeFileSync(join(root, 'facts.json'), content);
      expect(codeOf(() => readFacts(join(root, 'facts.json')))).toBe(code);
    });
  });

  it('names the places of the first problems, and how many more there are', async () => {
    await inTemp((root) => {
      const files = Array.from({ length: 9 }, () => ({ status: 'added', path: 'x', mode: 'bad', old_mode: '100644' }));
      writeFileSync(join(root, 'facts.json'), JSON.stringify({ ...FACTS, files }));
      let message = '';
      try {
        readFacts(join(root, 'facts.json'));
      } catch (thrown) {
        if (isRefusal(thrown)) message = thrown.message;
      }
      expect(message).toContain('files.0.mode: ');
      expect(message).toContain('files.4.mode: ');
      expect(message).not.toContain('files.5.mode: ');
      expect(message).toContain('and 4 more');
    });
  });

  it('is refused where it is none, or too large, whatever its content', async () => {
    await inTemp((root) => {
      const path = join(root, 'facts.json');
      expect(codeOf(() => readFacts(path))).toBe('CS1510');
      writeFileSync(path, '');
      truncateSync(path, MAX_FACTS_FILE + 1);
      expect(codeOf(() => readFacts(path))).toBe('CS1510');
      mkdirSync(join(root, 'folder'));
      expect(codeOf(() => readFacts(join(root, 'folder')))).toBe('CS1510');
    });
  });
});
