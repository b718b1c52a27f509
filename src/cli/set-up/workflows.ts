import { parseDocument } from 'yaml';

/** Folder of the workflows; GitHub runs none of another (see `evidence.tests.workflows`). */
export const WORKFLOWS = '.github/workflows';

/** Why a job is taken for one that runs tests: by a command of its steps, or only by its name. */
export type TestSign = 'command' | 'name';

export interface WorkflowJob {
  /** As GitHub shows it; `*` where a matrix, an expression or a called workflow decides. */
  readonly shown: string;
  readonly tests: TestSign | undefined;
}

/** What of a workflow file says which tests run, and when. */
export interface Workflow {
  /** As `workflow_run` knows it: its name, or its path where it has none. */
  readonly name: string;
  readonly events: readonly string[];
  readonly jobs: readonly WorkflowJob[];
}

/** Longest workflow that is read, in characters. */
const MAX_WORKFLOW = 512 * 1024;
/** Aliases that are followed: enough for steps that several jobs share. */
const MAX_ALIASES = 100;

/** Reads a workflow file. @returns a text that says why where it is none */
export function readWorkflow(path: string, text: string): Workflow | string {
  if (text.length > MAX_WORKFLOW) return 'it is too long';
  let root: unknown;
  try {
    const document = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, logLevel: 'silent' });
    const [error] = document.errors;
    if (error !== undefined) return 'it is no valid YAML';
    root = document.toJS({ mapAsMap: true, maxAliasCount: MAX_ALIASES });
  } catch {
    return 'it is nested too deeply, or has too many aliases';
  }
  const jobs = at(root, 'jobs');
  if (!(jobs instanceof Map)) return 'it has no jobs';
  return {
    name: textOf(at(root, 'name')) ?? path,
    events: eventsOf(at(root, 'on')),
    jobs: [...jobs].map(([id, job]: [unknown, unknown]) => jobOf(String(id), job)),
  };
}

function at(node: unknown, key: string): unknown {
  return node instanceof Map ? node.get(key) : undefined;
}

function textOf(node: unknown): string | undefined {
  return typeof node === 'string' && node.trim() !== '' ? node.trim() : undefined;
}

function eventsOf(on: unknown): string[] {
  if (typeof on === 'string') return [on];
  const names: unknown[] = on instanceof Map ? [...on.keys()] : Array.isArray(on) ? on : [];
  return names.filter((one) => typeof one === 'string');
}

// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax (jobs.<job_id>.name, strategy)
function jobOf(id: string, job: unknown): WorkflowJob {
  const named = textOf(at(job, 'name'));
  const own = named?.replace(/\$\{\{.{0,500}?\}\}/gs, '*').replace(/[\r\n]+/g, ' ');
  const matrix = at(at(job, 'strategy'), 'matrix') !== undefined;
  const shown = own ?? (matrix ? `${id} (*)` : id);
  const calls = textOf(at(job, 'uses')) !== undefined;
  const steps = at(job, 'steps');
  const commands = (Array.isArray(steps) ? steps : []).map((step) => at(step, 'run'));
  const tests = commands.some((command) => typeof command === 'string' && runsTests(command))
    ? 'command'
    : [id, named ?? ''].some(soundsLikeTests)
      ? 'name'
      : undefined;
  return { shown: calls ? `${shown} / *` : shown, tests };
}

const LONGEST_LINE = 1000;

const COMMANDS: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun) (?:run )?(?:test|t)(?![\w-])/,
  /^(?:npx|pnpm exec|yarn|bunx) (?:jest|vitest|mocha|ava|playwright test|cypress run)(?![\w-])/,
  /^(?:jest|vitest|mocha|ava|tox|nox|pytest|rspec|ctest|gotestsum)(?![\w-])/,
  /^(?:node --test|deno (?:task )?test|cargo (?:test|nextest)|go test|dotnet test|mix test|swift test)(?![\w-])/,
  /^(?:uv run |poetry run |pdm run )?(?:python3? -m )?(?:pytest|unittest)(?![\w-])/,
  /^(?:make|just|task) (?:-\S{1,20} )?(?:test|tests|check)(?![\w-])/,
  /^(?:\.\/)?(?:mvn|mvnw|gradle|gradlew|sbt|bazel) (?:\S{1,60} ){0,10}:?(?:test|verify|check)(?![\w-])/,
  /^(?:bundle exec |\.\/|vendor\/bin\/|bin\/){0,2}(?:rspec|rake test|rails test|phpunit)(?![\w-])/,
];

function runsTests(script: string): boolean {
  return script
    .split(/\n|;|&&|\|\|/)
    .map((line) => line.slice(0, LONGEST_LINE).trim().replace(/\s+/g, ' '))
    .some((line) => COMMANDS.some((pattern) => pattern.test(line)));
}

function soundsLikeTests(name: string): boolean {
  return /(?:^|[^a-z])(?:tests?|specs?|unit|e2e|integration)(?:[^a-z]|$)/i.test(name);
}

/** Events after which a workflow's jobs run at the head of a pull request. */
const FITTING: readonly string[] = ['pull_request', 'push'];

/** A workflow that can show that the tests ran, and the jobs of it that do. */
export interface TestWorkflow {
  readonly path: string;
  readonly name: string;
  readonly jobs: readonly string[];
  readonly sign: TestSign;
}

/** The jobs of a workflow that could be evidence: those that run tests, else those that are named like it. */
export function testWorkflowOf(path: string, workflow: Workflow): TestWorkflow | undefined {
  if (!workflow.events.some((event) => FITTING.includes(event))) return undefined;
  for (const sign of ['command', 'name'] as const) {
    const jobs = workflow.jobs.filter(({ tests }) => tests === sign).map(({ shown }) => shown);
    if (jobs.length > 0) return { path, name: workflow.name, jobs: [...new Set(jobs)], sign };
  }
  return undefined;
}
