import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { EVENTS } from '../../../src/action/events.ts';
import { ACTION } from '../../support/run-action.ts';
import { actionJob } from '../../support/workflow-file.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOLDER = join(ROOT, 'docs', 'examples');
const NAMES = readdirSync(FOLDER).filter((name) => name !== 'ci.yml');
const text = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

interface Example {
  readonly on: Readonly<Record<string, { readonly types?: readonly string[] } | null>>;
  readonly permissions: object;
}

/** What of a pull request can change its verdict. */
const CHANGING = ['opened', 'reopened', 'synchronize', 'edited', 'ready_for_review', 'converted_to_draft'] as const;

describe('the workflows of the documentation', () => {
  it.each(NAMES)('%s asks only for events that the Action knows, with inputs that it has', (name) => {
    const { on, permissions } = parse(text(name)) as Example;
    expect(Object.keys(on).filter((event) => !(EVENTS as readonly string[]).includes(event))).toEqual([]);
    // Nothing by default: the job says what it needs.
    expect(permissions).toEqual({});
    for (const [event, filter] of Object.entries(on)) {
      const job = actionJob(text(name), event, filter?.types?.[0] ?? null);
      expect(Object.keys(job?.with ?? {}).filter((input) => !Object.hasOwn(ACTION.inputs, input))).toEqual([]);
      if (event.startsWith('pull_request') && event !== 'pull_request_review') expect(filter?.types).toEqual(CHANGING);
    }
  });

  it('never have a job that is skipped where the tests fail', () => {
    const jobs = NAMES.flatMap((name) => {
      const { on } = parse(text(name)) as Example;
      return Object.keys(on).map((event) => actionJob(text(name), event, null));
    });
    for (const job of jobs) expect(job?.needs.length === 0 || job?.always === true).toBe(true);
  });

  it('write one verdict at a time on a head', () => {
    const writing = NAMES.filter((name) => text(name).includes('statuses: write'));
    expect(writing).toHaveLength(4);
    for (const name of writing) {
      const { concurrency } = parse(text(name)) as { readonly concurrency?: Readonly<Record<string, unknown>> };
      expect(concurrency).toEqual({
        group:
          'countersign-${{ github.event.pull_request.head.sha || github.event.workflow_run.head_sha || github.sha }}',
        'cancel-in-progress': false,
      });
    }
  });

  it('check nothing out beside a token that may write', () => {
    for (const name of ['forks.yml', 'pull-request-target.yml', 'status.yml', 'merge-queue.yml']) {
      expect(text(name)).not.toMatch(/^\s*(?:- )?(?:uses: .*checkout|run:)/m);
    }
  });

  it('are those that the README shows, to the letter', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const shown = [...readme.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = '']) => block);
    for (const name of ['status.yml', 'pull-request.yml']) expect(shown).toContain(text(name));
  });

  it('are all in the how-to, which the README leads to', () => {
    const page = readFileSync(join(ROOT, 'docs', 'how-to', 'action.md'), 'utf8');
    for (const name of readdirSync(FOLDER)) expect(page).toContain(`../examples/${name}`);
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain('docs/how-to/action.md');
    for (const event of EVENTS) expect(page).toContain(`\`${event}\``);
  });
});
