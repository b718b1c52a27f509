import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decide } from '../../src/gate/decide.ts';
import type { Facts } from '../../src/gate/facts.ts';
import { CONFIG_TEXT, decision, factsOf } from '../support/facts.ts';
import { governedProject } from '../support/governed.ts';
import type { Governed } from '../support/governed.ts';

let governed: Governed;
beforeAll(() => void (governed = governedProject()));
afterAll(() => governed.remove());

// Put together here so that this file passes the rule that it tests.
const CREDIT = `${['Co', 'Authored', 'By'].join('-')}: ${['Cla', 'ude'].join('')} <noreply@${['anthro', 'pic.com'].join('')}>`;

function withMessage(message: string, more: (facts: Facts) => Partial<Facts> = () => ({})): Facts {
  return factsOf(governed, {
    edit: (facts) => ({ ...facts, commits: facts.commits.map((commit) => ({ ...commit, message })), ...more(facts) }),
  });
}

describe('attribution in the gate', () => {
  it('fails a commit that credits an agent', () => {
    const report = decide(withMessage(`Add the demo\n\n${CREDIT}\n`));
    expect(report.outcome).toBe('failed');
    expect(report.findings).toMatchObject([
      { rule: 'attribution/co-author', severity: 'block', place: { at: 'commit' } },
    ]);
    expect(report.needs).toMatchObject([{ outcome: 'failed', who: 'agent' }]);
  });

  it('leaves people alone', () => {
    expect(decide(withMessage('Add the demo\n\nCo-authored-by: Ana Lima <ana@example.com>\n')).outcome).toBe(
      'verified',
    );
  });

  it('is shown and blocks no more once a permitted person allows the finding at this head', () => {
    const facts = withMessage(`Add the demo\n\n${CREDIT}\n`);
    const [finding] = decide(facts).findings;
    const allow = decision('allow', { subject: finding?.id ?? '' });
    const report = decide({ ...facts, decisions: [allow] });
    expect(report).toMatchObject({ outcome: 'verified', findings: [{ severity: 'note' }] });
    for (const changed of [
      { edited: true },
      { head_sha: 'c'.repeat(40) },
      { user_id: 1, login: 'coder' },
      { subject: '' },
    ]) {
      expect(decide({ ...facts, decisions: [{ ...allow, ...changed }] }).outcome).toBe('failed');
    }
  });

  it('is looked for as the config at the base says', () => {
    const off = (text: string): Facts =>
      factsOf(governed, {
        config: text,
        edit: (facts) => ({
          ...facts,
          commits: facts.commits.map((commit) => ({ ...commit, message: `x\n\n${CREDIT}\n` })),
        }),
      });
    expect(decide(off(`${CONFIG_TEXT}attribution:\n  mode: off\n`)).outcome).toBe('verified');
    expect(decide(off(CONFIG_TEXT)).outcome).toBe('failed');
  });

  it('reads the body of the pull request, which blocks only where the squash takes it over', () => {
    const footer = `Add the demo\n\n${CREDIT}\n`;
    const body = (squash: Facts['subject']['squash']): Facts =>
      factsOf(governed, {
        edit: (facts) => ({
          ...facts,
          subject: { ...facts.subject, body: footer, ...(squash === undefined ? {} : { squash }) },
        }),
      });
    expect(decide(body({ title: 'PR_TITLE', message: 'PR_BODY' })).outcome).toBe('failed');
    const quiet = decide(body({ title: 'PR_TITLE', message: 'BLANK' }));
    expect(quiet.outcome).toBe('verified');
    expect(quiet.findings).toMatchObject([{ severity: 'warn', place: { at: 'pull-request' } }]);
  });
});
