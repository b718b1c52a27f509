import { describe, expect, it } from '@jest/globals';
import { standingOnBase } from '../../../src/checks/secrets/allow.ts';
import { readBaseline } from '../../../src/checks/secrets/baseline.ts';
import { fileSource } from '../../../src/checks/secrets/file-source.ts';
import { secretFileFindings } from '../../../src/checks/secrets/files.ts';
import { secretFindings } from '../../../src/checks/secrets/findings.ts';
import type { TextSource } from '../../../src/checks/secrets/findings.ts';
import type { FindingDraft } from '../../../src/checks/finding.ts';
import { gitConfigFindings } from '../../../src/checks/secrets/git-config.ts';
import { ignoreChangeFindings } from '../../../src/checks/secrets/ignore-changes.ts';
import { ignoreMatcher } from '../../../src/checks/secrets/ignore-rules.ts';
import { fixturesOf } from '../../support/fixtures.ts';
import type { Fixture } from '../../support/fixtures.ts';

/**
 * A fixture holds what its rule needs: `text.txt` (with `base.txt` and `baseline.json`), `git-config`, `files.json`
 * with `gitignore`, `gitignore` with `gitignore.before`, or `size.json`.
 */
async function findingsOf({ text, json }: Fixture): Promise<readonly FindingDraft[]> {
  const content = text('text.txt');
  if (content !== undefined) {
    const base = text('base.txt');
    const baseline = text('baseline.json');
    const standing = base === undefined ? {} : { standing: standingOnBase(content, base) };
    const source: TextSource = { place: { at: 'file', path: 'text.txt' }, text: content, ...standing };
    return (await secretFindings([source], baseline === undefined ? undefined : readBaseline(baseline))).findings;
  }
  const config = text('git-config');
  if (config !== undefined) return gitConfigFindings('.git/config', config);
  const rules = (rows: string | undefined) => [{ path: '.gitignore', folder: '', text: rows ?? '' }];
  const files = json('files.json') as { path: string; tracked: boolean; text: string }[] | undefined;
  if (files !== undefined) {
    const ignored = ignoreMatcher(rules(text('gitignore')));
    return secretFileFindings(
      files.map((file) => ({
        path: file.path,
        kind: 'file',
        text: file.text,
        isTracked: file.tracked,
        isIgnored: ignored(file.path).isIgnored,
      })),
      'working-copy',
    );
  }
  const before = text('gitignore.before');
  if (before !== undefined) return ignoreChangeFindings(rules(before), rules(text('gitignore')));
  const { bytes } = json('size.json') as { bytes: number };
  const { finding } = fileSource({ path: 'large.txt', mode: '100644', bytes: Buffer.alloc(bytes, 'a') });
  return finding === undefined ? [] : [finding];
}

describe('fixtures', () => {
  it.each(fixturesOf('secrets').map((fixture) => [`${fixture.kind}.${fixture.rule}`, fixture] as const))(
    '%s',
    async (_, fixture) => {
      const drafts = await findingsOf(fixture);
      const expected = fixture.kind === 'ok' ? [] : (fixture.json('expected.json') ?? [fixture.rule]);
      expect(drafts.map(({ rule }) => rule)).toEqual(expected);
      if (fixture.kind === 'ng') expect(expected).toContain(fixture.rule);
      // What, where and how to mend it: never an empty word.
      for (const { message, remedy } of drafts) expect([message, remedy]).not.toContain('');
    },
  );
});
