import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_PATH } from '../../config/extends.ts';
import { parseConfig } from '../../config/parse.ts';
import { activeProfiles, LOCK, makeLock } from '../../domain/capabilities/lock.ts';
import { isRefusal, Refusal } from '../../domain/errors.ts';
import { writeJson } from '../../domain/json/canonical.ts';
import { fileExists, listFolder, readText } from '../../domain/project.ts';
import type { Project } from '../../domain/project.ts';
import { ATTRIBUTES, configTemplate, GITATTRIBUTES, workflowTemplate } from './templates.ts';
import { readWorkflow, testWorkflowOf, WORKFLOWS } from './workflows.ts';
import type { TestWorkflow, Workflow } from './workflows.ts';

/** The workflow that runs the Action. */
export const OWN_WORKFLOW = `${WORKFLOWS}/countersign.yml`;

/** A file that `init` would write, and whether its place is free. */
export interface PlannedFile {
  readonly path: string;
  readonly text: string;
  readonly free: boolean;
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  readonly tests: readonly TestWorkflow[];
  /** Workflows that could not be read, and why. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
}

/** A workflow file of the project, read or not. */
export type FoundWorkflow = { readonly path: string } & ({ readonly workflow: Workflow } | { readonly why: string });

/** The workflows of a project but our own. @throws Refusal CS1201 where their folder cannot be read */
export function findWorkflows(project: Project): FoundWorkflow[] {
  return listFolder(project, WORKFLOWS, 'CS1201', 'report')
    .filter(({ name }) => /^[^/\\]{1,200}\.ya?ml$/.test(name))
    .map(({ name }) => `${WORKFLOWS}/${name}`)
    .filter((path) => path !== OWN_WORKFLOW)
    .map((path): FoundWorkflow => {
      try {
        if (!fileExists(project, path, 'CS1201')) return { path, why: 'it leads nowhere' };
        const workflow = readWorkflow(path, readText(project, path, 'CS1201'));
        return typeof workflow === 'string' ? { path, why: workflow } : { path, workflow };
      } catch (thrown) {
        if (!isRefusal(thrown)) throw thrown;
        return { path, why: thrown.message };
      }
    });
}

/** What `init` would do in a project. @throws Refusal CS1201 for a place outside the project, RAPID1102–1106 */
export function planInit(root: string, project: Project): Plan {
  const found = findWorkflows(project);
  const tests = found.flatMap((one) => ('workflow' in one ? (testWorkflowOf(one.path, one.workflow) ?? []) : []));
  const unread = found.flatMap((one) => ('why' in one ? [{ path: one.path, why: one.why }] : []));
  const planned = (path: string, text: () => string): PlannedFile => {
    const free = isFree(project, path);
    return { path, text: free ? text() : '', free };
  };
  const files = [
    planned(CONFIG_PATH, () => soundConfig(tests, setupOf(root))),
    planned(LOCK, () => writeJson(makeLock(activeProfiles(project)))),
    planned(OWN_WORKFLOW, () => workflowTemplate(tests)),
    planned('.gitattributes', () => GITATTRIBUTES),
  ];
  return { files, tests, unread };
}

// A job can have a name that the configuration does not take: what is written must be valid by all means.
function soundConfig(tests: readonly TestWorkflow[], setup: readonly (readonly string[])[]): string {
  const sound = (text: string): boolean => parseConfig(text, CONFIG_PATH).ok;
  const usable = tests
    .map((one) => ({ ...one, jobs: one.jobs.filter((job) => sound(configTemplate([{ ...one, jobs: [job] }], []))) }))
    .filter(({ jobs }) => jobs.length > 0);
  return configTemplate(usable, setup);
}

function isFree(project: Project, path: string): boolean {
  const entry = project.tree.look(path);
  switch (entry.kind) {
    case 'absent':
      return !entry.link;
    case 'file':
    case 'folder':
    case 'other':
      return false;
    case 'escapes':
    case 'not-a-folder':
      throw new Refusal('CS1201', `${path} cannot be written: ${entry.at} leads out of the project or is no folder.`, {
        where: path,
      });
    case 'unreadable':
      throw new Refusal('CS1201', `${path} cannot be read.`, { where: path, cause: entry.cause });
  }
}

const SETUPS: readonly (readonly [file: string, command: readonly string[]])[] = [
  ['package-lock.json', ['npm', 'ci']],
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', ['yarn', 'install', '--immutable']],
  ['go.mod', ['go', 'mod', 'download']],
  ['Cargo.lock', ['cargo', 'fetch', '--locked']],
];

function setupOf(root: string): (readonly string[])[] {
  return SETUPS.filter(([file]) => existsSync(join(root, file))).map(([, command]) => command);
}

/** Whether `.gitattributes` has the line that keeps line ends as they are; a look at the text, not git's answer. */
export function hasAttributes(project: Project): boolean {
  if (!fileExists(project, '.gitattributes', 'CS1201')) return false;
  const lines = readText(project, '.gitattributes', 'CS1201').split('\n');
  return lines.some((line) => line.trim().replace(/\s+/g, ' ').startsWith(ATTRIBUTES));
}
