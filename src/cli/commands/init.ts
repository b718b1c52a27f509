import { join } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_PATH } from '../../config/extends.ts';
import { isRefusal, Refusal } from '../../domain/errors.ts';
import { fileExists, readText } from '../../domain/project.ts';
import type { Project } from '../../domain/project.ts';
import { PROJECT_CONFIG, testCommandOf } from '../../process/test-command.ts';
import { visible } from '../../render/visible.ts';
import { applyChange } from '../../workspace/changes.ts';
import type { Step } from '../../workspace/changes.ts';
import { statOf } from '../../workspace/files.ts';
import { withLock } from '../../workspace/lock.ts';
import { scanProject } from '../../workspace/scan.ts';
import { openProject } from '../../workspace/workspace.ts';
import { answer, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { hasAttributes, OWN_WORKFLOW, planInit } from '../set-up/plan.ts';
import type { Plan } from '../set-up/plan.ts';
import { ATTRIBUTES } from '../set-up/templates.ts';
import { table } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';

interface InitOptions extends CommonOptions {
  readonly dryRun?: boolean;
}

/** `init` */
export function addInitCommand(program: Command, session: Session): void {
  leaf(program, 'init', 'set a repository up: configuration, capability lock and workflow', ['init', 'init --dry-run'])
    .option('--dry-run', 'say what would be written, and write nothing')
    .action((options: InitOptions) => {
      const root = rootOf(session, options);
      const dry = options.dryRun === true;
      const plan = dry ? planInit(root, openProject(root)) : withLock(root, () => writePlan(root));
      const next = nextSteps(root, openProject(root), plan);
      const files = plan.files.map(({ path, free }) => ({
        path,
        done: !free ? 'kept' : dry ? 'would write' : 'written',
      }));
      const { tests, unread } = plan;
      answer(session, options, { dry_run: dry, files, tests, unread, next }, () =>
        textOf(session.terminal, files, plan, next),
      );
    });
}

function writePlan(root: string): Plan {
  const plan = planInit(root, openProject(root));
  const steps = plan.files
    .filter(({ free }) => free)
    .map(({ path, text }): Step => ({
      step: 'create',
      path,
      text,
      taken: () => new Refusal('CS1204', `${path} exists; it was not overwritten.`, { where: path }),
    }));
  if (steps.length > 0) applyChange(root, steps);
  return plan;
}

function nextSteps(root: string, project: Project, { files, tests, unread }: Plan): string[] {
  const kept = (path: string): boolean => files.some((file) => file.path === path && !file.free);
  const steps: (string | false)[] = [
    statOf(join(root, '.git')) === undefined &&
      'This folder is no git repository of its own: GitHub reads these files at the top of one.',
    ...unread.map(({ path, why }) => `${path} was not looked at: ${why}.`),
    tests.length === 0 &&
      !kept(CONFIG_PATH) &&
      'No job that runs tests was found: name one in evidence.tests.workflows of .github/countersign.yml, and its workflow in .github/workflows/countersign.yml.',
    tests.some(({ sign }) => sign === 'name') && 'Jobs were chosen by their name only: check that they run the tests.',
    !kept(OWN_WORKFLOW) &&
      `In ${OWN_WORKFLOW} replace OWNER and the zeros by the full commit id of a release; delete the file if you use the App.`,
    kept('.gitattributes') && orTold(() => attributesStep(project)),
    orTold(() => testCommandStep(root, project)),
    'Commit the files and open a pull request. It says bootstrap, and a permitted person has to approve it.',
    'Once it is merged, require the status `countersign` in the rules of the default branch.',
    'Check the set-up at any time: countersign doctor',
  ];
  return steps.filter((step) => step !== false);
}

function attributesStep(project: Project): string | false {
  return !hasAttributes(project) && `Add this line to .gitattributes: ${ATTRIBUTES}`;
}

// The files are written by now: what cannot be read is told, and does not hide that.
function orTold(step: () => string | false): string | false {
  try {
    return step();
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    return `${thrown.code} ${thrown.message}`;
  }
}

function testCommandStep(root: string, project: Project): string | false {
  const there = fileExists(project, PROJECT_CONFIG, 'CS1305');
  if (there && testCommandOf(readText(project, PROJECT_CONFIG, 'CS1305')) !== undefined) return false;
  const command = scanProject(root).test_command || 'npm test';
  return `For countersign check, name the test command in ${PROJECT_CONFIG}: {"test_command": ${JSON.stringify(command)}}`;
}

function textOf(
  terminal: Terminal,
  files: readonly { readonly path: string; readonly done: string }[],
  { tests }: Plan,
  next: readonly string[],
): string {
  const rows = files.map(({ path, done }) => [
    { text: done, style: done === 'kept' ? ('dim' as const) : ('green' as const) },
    path,
  ]);
  const found = tests.map(({ path, jobs }) => `  ${path}: ${visible(jobs.join(', '))}\n`).join('');
  const steps = next.map((step, index) => `  ${index + 1}. ${visible(step)}\n`).join('');
  return `${table(terminal, ['what', 'file'], rows)}${found === '' ? '' : `\nJobs that run tests:\n${found}`}\nNext:\n${steps}`;
}
