import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');
/** The bundle under test: made from the sources before any test. That the committed one is the same, CI shows. */
export const BUNDLE = join(ROOT, 'build', 'action.mjs');

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly required: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, object>>;
  readonly runs: { readonly using: string; readonly main: string };
}

export const ACTION = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as ActionFile;

export interface ActionRun {
  readonly token: string;
  /** `with:` of the step. */
  readonly with?: Readonly<Record<string, string>>;
  readonly eventName: string;
  readonly payload: unknown;
  /** `GITHUB_…` and other variables. */
  readonly env: Readonly<Record<string, string>>;
  /** What stands in place of the bundle. */
  readonly bundle?: string;
}

export interface RunnerAnnotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly message: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** What a runner has after a step. */
export interface ActionResult {
  readonly code: number;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly annotations: readonly RunnerAnnotation[];
  /** Workflow commands of other kinds, but for `debug`. */
  readonly commands: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  /** Files below RUNNER_TEMP that outputs name, read. */
  readonly report: string | undefined;
  readonly sarif: string | undefined;
  readonly facts: string | undefined;
}

/**
 * Runs the Action as a runner does: its own file says program and defaults, inputs come as `INPUT_…`, results are read
 * from the runner's files and the log.
 * @throws Error for inputs and outputs that `action.yml` does not have, and for variables or paths that it sets
 */
export async function runAction(given: ActionRun): Promise<ActionResult> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-runner-'));
  try {
    const files = Object.fromEntries(
      (['OUTPUT', 'ENV', 'STATE', 'PATH', 'STEP_SUMMARY'] as const).map((name) => {
        const path = join(folder, name.toLowerCase());
        writeFileSync(path, '');
        return [`GITHUB_${name}`, path];
      }),
    );
    const event = join(folder, 'event.json');
    writeFileSync(event, JSON.stringify(given.payload));
    const { code, stdout, stderr } = await started(given.bundle ?? BUNDLE, {
      ...{ PATH: process.env['PATH'] ?? '', HOME: folder, CI: 'true', GITHUB_ACTIONS: 'true', RUNNER_TEMP: folder },
      ...{ GITHUB_EVENT_NAME: given.eventName, GITHUB_EVENT_PATH: event, ...files, ...inputVariables(given) },
      ...given.env,
    });
    for (const name of ['GITHUB_ENV', 'GITHUB_STATE', 'GITHUB_PATH']) {
      const text = readFileSync(files[name] ?? '', 'utf8');
      if (text !== '') throw new Error(`The Action wrote to ${name}: ${text}`);
    }
    const outputs = readOutputs(readFileSync(files['GITHUB_OUTPUT'] ?? '', 'utf8'));
    const undeclared = Object.keys(outputs).filter((name) => !Object.hasOwn(ACTION.outputs, name));
    if (undeclared.length > 0) throw new Error(`Outputs that action.yml does not have: ${undeclared.join(', ')}`);
    const beside = (path: string | undefined): string | undefined =>
      path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    const report = outputs['report-path'] || undefined;
    return {
      ...{ code, outputs, stdout, stderr, ...readLog(stdout) },
      summary: readFileSync(files['GITHUB_STEP_SUMMARY'] ?? '', 'utf8'),
      report: beside(report),
      sarif: beside(outputs['sarif-path'] || undefined),
      facts: beside(report?.replace(/report\.json$/, 'facts.json')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inputVariables({ token, with: inputs = {} }: ActionRun): Record<string, string> {
  const unknown = Object.keys(inputs).filter((name) => !Object.hasOwn(ACTION.inputs, name));
  if (unknown.length > 0) throw new Error(`Inputs that action.yml does not have: ${unknown.join(', ')}`);
  return Object.fromEntries(
    Object.entries(ACTION.inputs).map(([name, { default: standard = '' }]) => {
      const value = (inputs[name] ?? standard).replace(/\$\{\{\s*github\.token\s*\}\}/, token);
      return [`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, value];
    }),
  );
}

function started(bundle: string, env: Record<string, string>) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [bundle], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

/** Reads `name=value` and `name<<delimiter` as the runner does. */
export function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const row = lines[at] ?? '';
    if (row === '') continue;
    const [equals, heredoc] = [row.indexOf('='), row.indexOf('<<')];
    if (heredoc === -1 || (equals !== -1 && equals < heredoc)) {
      if (equals === -1) throw new Error(`No output: ${row}`);
      outputs[row.slice(0, equals)] = row.slice(equals + 1);
      continue;
    }
    const delimiter = row.slice(heredoc + 2);
    const end = lines.indexOf(delimiter, at + 1);
    if (end === -1) throw new Error(`The output ${row} does not end`);
    outputs[row.slice(0, heredoc)] = lines.slice(at + 1, end).join('\n');
    at = end;
  }
  return outputs;
}

/** Reads workflow commands from a log, those of the older form too, which the runner finds anywhere in a line. */
export function readLog(stdout: string): Pick<ActionResult, 'annotations' | 'commands'> {
  const annotations: RunnerAnnotation[] = [];
  const commands: string[] = [];
  for (const row of stdout.split(/\r?\n/)) {
    const match = /^\s*::([a-z-]+)(?: ([^:]*))?::(.*)$/i.exec(row);
    if (match === null) {
      if (row.includes('##[')) commands.push(row);
      continue;
    }
    const [, name = '', properties = '', data = ''] = match;
    if (name === 'debug') continue;
    if (name !== 'error' && name !== 'warning' && name !== 'notice') {
      commands.push(row);
      continue;
    }
    const pairs = properties.split(',').filter((pair) => pair !== '');
    annotations.push({
      level: name,
      message: unescaped(data),
      properties: Object.fromEntries(
        pairs.map((pair) => {
          const at = pair.indexOf('=');
          return [
            pair.slice(0, at),
            unescaped(pair.slice(at + 1))
              .replaceAll('%3A', ':')
              .replaceAll('%2C', ','),
          ];
        }),
      ),
    });
  }
  return { annotations, commands };
}

function unescaped(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}
