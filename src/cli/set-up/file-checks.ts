import { CONFIG_PATH } from '../../config/extends.ts';
import { matchesWildcard } from '../../config/globs.ts';
import { parseConfig } from '../../config/parse.ts';
import { problemText } from '../../config/problem.ts';
import type { Config } from '../../config/schema.ts';
import { activeProfiles, LOCK, loadLockIfAny, lockDifferences } from '../../domain/capabilities/lock.ts';
import { loadPolicy } from '../../domain/contracts/policy.ts';
import { fileExists, RAPID_OS, readText } from '../../domain/project.ts';
import type { Project } from '../../domain/project.ts';
import { validateDocuments } from '../../domain/validation.ts';
import { PROJECT_CONFIG, testCommandOf } from '../../process/test-command.ts';
import { bad, diagnose, ok } from '../../doctor/diagnosis.ts';
import type { Diagnosis } from '../../doctor/diagnosis.ts';
import { findWorkflows, OWN_WORKFLOW } from './plan.ts';
import { UNPINNED } from './templates.ts';

/** The oldest Node.js of the command line, by `engines` of package.json. */
const OLDEST_NODE = 20;
/** Problems that are shown of one document or of all of them. */
const SHOWN = 3;

/** Whether this Node.js is new enough. @param version such as `v24.21.0` */
export function nodeCheck(version: string): Diagnosis {
  if (Number(/^v?(\d{1,4})\./.exec(version)?.[1] ?? 0) >= OLDEST_NODE) return ok('Node.js', version);
  return bad('Node.js', 'fail', `${version} is too old.`, `Install Node.js ${OLDEST_NODE} or newer.`);
}

/**
 * What the files of a working tree say about the set-up.
 * @param project read strictly, as a verdict would
 */
export function fileChecks(project: Project): Diagnosis[] {
  return [
    ...rulesChecks(project).checks,
    diagnose('action workflow', () => ownWorkflowCheck(project)),
    diagnose('test command', () => commandCheck(project)),
    diagnose('documents', () => documentsCheck(project)),
  ];
}

/** What the documents say that pull requests are judged by, wherever they are; and the configuration, if it can be used. */
export function rulesChecks(project: Project): {
  readonly checks: readonly Diagnosis[];
  readonly config: Config | undefined;
} {
  const { diagnosis, config } = readConfig(project);
  const checks = [
    diagnosis,
    diagnose('lock', () => lockCheck(project, config)),
    diagnose('policy', () => ok('policy', `sound (${loadPolicy(project).source})`)),
    diagnose('test workflows', () => testsCheck(project, config)),
  ];
  return { checks, config };
}

interface ReadConfig {
  readonly diagnosis: Diagnosis;
  /** Undefined where there is none that can be used. */
  readonly config: Config | undefined;
}

function readConfig(project: Project): ReadConfig {
  let config: Config | undefined;
  const diagnosis = diagnose('config', () => {
    if (!fileExists(project, CONFIG_PATH, 'CS1201'))
      return bad('config', 'warn', `There is no ${CONFIG_PATH}: the defaults hold.`, 'Write one: countersign init');
    const parsed = parseConfig(readText(project, CONFIG_PATH, 'CS1201'), CONFIG_PATH);
    if (!parsed.ok)
      return bad(
        'config',
        'fail',
        some(parsed.problems.map(problemText)),
        'See docs/reference/config.md for every key.',
      );
    config = parsed.config;
    if (parsed.notes.length === 0) return ok('config', `valid, mode ${parsed.config.mode}`);
    return bad('config', 'warn', some(parsed.notes.map(problemText)), 'Correct or remove what has no effect.');
  });
  return { diagnosis, config };
}

function some(texts: readonly string[]): string {
  const more = texts.length > SHOWN ? ` (and ${texts.length - SHOWN} more)` : '';
  return `${texts.slice(0, SHOWN).join('; ')}${more}`;
}

function lockCheck(project: Project, config: Config | undefined): Diagnosis {
  const lock = loadLockIfAny(project);
  const live = activeProfiles(project);
  const remedy = 'Write it and commit it: countersign harness lock';
  if (lock === undefined) {
    const demanded = config !== undefined && config.runs.required !== 'never';
    const detail = `There is no ${LOCK}`;
    return demanded
      ? bad('lock', 'fail', `${detail}, so no run can be verified.`, remedy)
      : bad('lock', 'warn', `${detail}, so no run is demanded.`, remedy);
  }
  const changed = lockDifferences(lock, live).map(({ harness, change }) => `the profile of '${harness}' was ${change}`);
  if (changed.length === 0) return ok('lock', `fresh, ${live.length} profile(s)`);
  return bad('lock', 'fail', `It is stale: ${some(changed)}.`, remedy);
}

function testsCheck(project: Project, config: Config | undefined): Diagnosis {
  const check = 'test workflows';
  const configured = config?.evidence.tests.workflows ?? [];
  const found = findWorkflows(project);
  if (configured.length === 0) {
    const detail = 'None is configured, so gate.tests stays unverified on pull requests.';
    return bad(check, 'warn', detail, `Name them in evidence.tests.workflows of ${CONFIG_PATH}.`);
  }
  const faults = configured.flatMap(({ path, jobs }): string[] => {
    const one = found.find((workflow) => workflow.path === path);
    if (one === undefined) return [`${path} does not exist`];
    if ('why' in one) return [`${path} cannot be read: ${one.why}`];
    const shown = one.workflow.jobs.map((job) => job.shown);
    const missing = jobs.filter((job) => !shown.some((name) => mayBe(name, job)));
    return missing.map((job) => `${path} has no job '${job}', only ${shown.map((name) => `'${name}'`).join(', ')}`);
  });
  if (faults.length === 0) return ok(check, configured.map(({ path }) => path).join(', '));
  return bad(check, 'fail', `${some(faults)}.`, 'Name jobs as GitHub shows them; those of a matrix as `test (*)`.');
}

// Both may hold `*`: what a matrix, an expression or a called workflow gives is known only once it runs.
function mayBe(shown: string, configured: string): boolean {
  return matchesWildcard(shown, configured) || matchesWildcard(configured, shown);
}

function ownWorkflowCheck(project: Project): Diagnosis {
  const check = 'action workflow';
  if (!fileExists(project, OWN_WORKFLOW, 'CS1201')) return ok(check, `There is no ${OWN_WORKFLOW}: fine with the App.`);
  const text = readText(project, OWN_WORKFLOW, 'CS1201');
  if (text.includes(`@${UNPINNED}`))
    return bad(
      check,
      'fail',
      `${OWN_WORKFLOW} is not finished.`,
      'Replace OWNER and the zeros by the full commit id of a release.',
    );
  const uses = text
    .split('\n')
    .flatMap((line) => /^\s{0,40}(?:- )?uses: *\S{1,200}\/countersign@(\S{1,100})/.exec(line)?.[1] ?? []);
  const loose = uses.filter((ref) => !/^[0-9a-f]{40}$/.test(ref));
  if (loose.length === 0) return ok(check, `${OWN_WORKFLOW}, pinned to a commit`);
  const remedy = 'Pin it to the full commit id of a release: a tag or branch can be moved.';
  return bad(check, 'warn', `${OWN_WORKFLOW} uses '${loose.join("', '")}'.`, remedy);
}

function commandCheck(project: Project): Diagnosis {
  const check = 'test command';
  const there = fileExists(project, PROJECT_CONFIG, 'CS1305');
  const argv = there ? testCommandOf(readText(project, PROJECT_CONFIG, 'CS1305')) : undefined;
  if (argv !== undefined) return ok(check, argv.join(' '));
  const detail = `${PROJECT_CONFIG} names none: check and evaluate --rerun have nothing to run.`;
  return bad(check, 'warn', detail, 'Add "test_command", such as "npm test".');
}

function documentsCheck(project: Project): Diagnosis {
  const check = 'documents';
  if (project.tree.look(RAPID_OS).kind === 'absent') return ok(check, `There is no ${RAPID_OS} yet.`);
  const { checked, faults } = validateDocuments(project);
  const texts = faults.map(({ code, where, message }) => `${code} ${where}: ${message}`);
  const remedy = 'See all of them: countersign validate --strict';
  if (faults.some(({ severity }) => severity === 'error')) return bad(check, 'fail', some(texts), remedy);
  if (faults.length > 0) return bad(check, 'warn', some(texts), remedy);
  return ok(check, `sound: ${checked.profiles} profile(s), ${checked.specs} spec(s), ${checked.runs} run(s)`);
}
