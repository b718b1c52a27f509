import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { secretFindings } from '../../../src/checks/secrets/findings.ts';
import { SECRET_RULES } from '../../../src/checks/secrets/rules.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/secrets');
/** Rules about more than one text: their cases are in the tests of files, ignore rules, git's configuration, findings. */
const ELSEWHERE = [
  'secrets/git-config',
  'secrets/file-tracked',
  'secrets/file-tracked-ignored',
  'secrets/file-not-ignored',
  'secrets/ignore-rule-removed',
  'secrets/allow-unconfirmed',
  'secrets/baseline-unused',
  'secrets/not-scanned',
];
const folders = readdirSync(FOLDER);

// `{{a|b}}` stands for `ab`: no fixture holds the shape of a secret as a whole.
const textOf = (folder: string) =>
  readFileSync(join(FOLDER, folder, 'text.txt'), 'utf8').replaceAll(/\{\{([^{}\n]*)\}\}/g, (_, pieces: string) =>
    pieces.replaceAll('|', ''),
  );

describe('fixtures', () => {
  it.each(folders)('%s', async (folder) => {
    const [, kind = '', name = ''] = /^(ok|ng)\.(.+)$/.exec(folder) ?? [];
    const source = { place: { at: 'file', path: 'text.txt' } as const, text: textOf(folder) };
    const rules = (await secretFindings([source])).findings.map(({ rule }) => rule);
    expect(rules).toEqual(kind === 'ng' ? [`secrets/${name}`] : []);
  });

  it.each(Object.keys(SECRET_RULES).filter((rule) => !ELSEWHERE.includes(rule)))('%s has both', (rule) => {
    expect(folders).toEqual(expect.arrayContaining([`ok.${rule.slice(8)}`, `ng.${rule.slice(8)}`]));
  });
});
