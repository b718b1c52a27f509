import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Run } from '../../domain/contracts/ledger.ts';
import { Refusal } from '../../domain/errors.ts';
import type { EvidenceRecord } from '../../domain/evidence/record.ts';
import type { JsonNode, JsonObject } from '../../domain/json/node.ts';
import { portableTextFault } from '../../domain/paths.ts';
import { fileExists, readText } from '../../domain/project.ts';
import type { Project } from '../../domain/project.ts';
import { runCommand, shellExitCode } from '../../process/run-command.ts';
import type { CommandResult } from '../../process/run-command.ts';
import { checkArgv, PROJECT_CONFIG, testCommandOf } from '../../process/test-command.ts';
import type { Argv } from '../../process/test-command.ts';
import { readTestCounts } from '../../process/test-counts.ts';
import type { TestCounts } from '../../process/test-counts.ts';
import { visible, visibleLines } from '../../render/visible.ts';
import { addEvidence } from '../../workspace/evidence.ts';
import { openProject } from '../../workspace/workspace.ts';
import { logOf } from '../check/log.ts';
import { checkLinks, defaultLinks, runOfCheck } from '../check/target.ts';
import type { Links } from '../check/target.ts';
import { EXIT } from '../exit.ts';
import { answer, collect, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { styled } from '../terminal.ts';

interface CheckOptions extends CommonOptions, Links {
  readonly run?: string;
  readonly timeout: number;
  readonly suite: string;
}

const PRODUCER = 'rapid:check';
const LOG = 'check.log';
/** Bytes of output that are kept as evidence: its first and its last half. */
const MAX_LOG = 1024 * 1024;
/** Lines of the log that are shown where the command failed. */
const SHOWN_LINES = 30;

/** `check [-- argv…]` */
export function addCheckCommand(program: Command, session: Session): void {
  leaf(program, 'check [argv...]', "run the project's tests and record what became of them", [
    'check',
    'check --run login-fix-r1-run-001 --task T002 --timeout 10m',
    'check -- npm run test:unit',
  ])
    .option('--run <run>', 'run to record evidence for (default: the only one that is active or prepared)')
    .option('--task <task>', 'task that it shows (repeatable)', collect)
    .option('--gate <gate>', 'gate that it shows (repeatable; default: gate.baseline or gate.tests)', collect)
    .option('--capability <capability>', 'capability that it shows (repeatable; default: tests.execute)', collect)
    .addOption(
      new Option('--timeout <time>', 'time limit, such as 90s, 10m or 1h')
        .argParser(durationOption)
        .default(30 * 60_000, '30m'),
    )
    .option('--suite <name>', 'name of the suite in the record', 'tests')
    .addHelpText(
      'after',
      `\nWithout arguments it runs \`test_command\` of ${PROJECT_CONFIG}; after -- it runs what is given.\nNeither gets a shell, standard input, or any token of the environment.`,
    )
    .action(async (words: readonly string[], options: CheckOptions) => {
      await check(session, words, options);
    });
}

async function check(session: Session, words: readonly string[], options: CheckOptions): Promise<void> {
  const root = rootOf(session, options);
  const why = portableTextFault(options.suite);
  if (why !== undefined) throw new Refusal('CS1301', `--suite ${why}.`);
  const argv = words.length > 0 ? checkArgv(words) : configuredCommand(openProject(root, 'strict'));
  const run = runOfCheck(openProject(root), options.run);
  checkLinks(run, options);
  if (session.terminal.progress) session.terminal.err(`Running ${visible(argv.join(' '))} ...\n`);
  const result = await runCommand({ argv, cwd: root, timeoutMs: options.timeout, maxOutputBytes: MAX_LOG });
  const { ending, output } = result;
  if (ending.by === 'timeout' || ending.by === 'interrupt') {
    const ended = ending.by === 'timeout' ? 'took longer than its time limit' : `was interrupted by ${ending.signal}`;
    showEnd(session, await logOf(argv, output, ended));
    throw new Refusal('CS1308', `'${argv[0]}' ${ended}.`);
  }
  const exitCode = shellExitCode(ending, constants.signals);
  const log = await logOf(argv, output, `exit code ${exitCode}`);
  const counts = readTestCounts(`${output.head}${output.tail}`, output.droppedBytes === 0);
  const node = authoringOf(run, options, exitCode, counts);
  const record = keep(root, run, node, log);
  const passed = exitCode === 0 && (counts === undefined || (counts.failed === 0 && ranAny(counts)));
  if (!passed) {
    session.exit = EXIT.refused.code;
    showEnd(session, log);
  }
  answer(session, options, dataOf({ passed, argv, exitCode, counts, record, result }), () =>
    textOf(session, { passed, exitCode, counts, record }),
  );
}

function configuredCommand(project: Project): Argv {
  const there = fileExists(project, PROJECT_CONFIG, 'CS1305');
  const argv = there ? testCommandOf(readText(project, PROJECT_CONFIG, 'CS1305')) : undefined;
  if (argv !== undefined) return argv;
  throw new Refusal('CS1305', `${PROJECT_CONFIG} names no test_command.`, {
    where: PROJECT_CONFIG,
    remedy: 'Add "test_command": "npm test" there, or give the command: countersign check -- npm test',
  });
}

function ranAny(counts: TestCounts): boolean {
  return counts.passed + counts.failed > 0;
}

function authoringOf(run: Run, options: CheckOptions, exitCode: number, counts: TestCounts | undefined): JsonObject {
  // Where no test ran, or none can be counted, all that was seen is a command that ended.
  const tested = counts !== undefined && ranAny(counts) ? counts : undefined;
  const kind = tested === undefined ? 'command_result' : 'test_result';
  const links = { ...defaultLinks(run, kind), ...options };
  const payload: JsonObject = new Map<string, JsonNode>(
    tested === undefined
      ? [
          ['label', options.suite],
          ['exit_code', exitCode],
        ]
      : [
          ['suite', options.suite],
          ['exit_code', exitCode],
          ['passed', tested.passed],
          ['failed', tested.failed],
          ['skipped', tested.skipped],
        ],
  );
  return new Map<string, JsonNode>([
    ['kind', kind],
    ['producer', PRODUCER],
    ['summary', summaryOf(exitCode, counts)],
    ['payload', payload],
    ['task_ids', [...(options.task ?? [])]],
    ['gate_ids', [...links.gate]],
    ['capability_ids', [...links.capability]],
    ['artifacts', [LOG]],
  ]);
}

function summaryOf(exitCode: number, counts: TestCounts | undefined): string {
  if (counts === undefined) return `Command ended with exit code ${exitCode}; no test counts could be read`;
  const { runner, passed, failed, skipped } = counts;
  return `Tests of ${runner}: ${passed} passed, ${failed} failed, ${skipped} skipped, exit code ${exitCode}`;
}

function keep(root: string, run: Run, node: JsonObject, log: string): EvidenceRecord {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-check-'));
  try {
    writeFileSync(join(folder, LOG), log);
    return addEvidence(root, run.contract.run_id, { from: 'object', node, baseDir: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Checked {
  readonly passed: boolean;
  readonly exitCode: number;
  readonly counts: TestCounts | undefined;
  readonly record: EvidenceRecord;
}

function dataOf({ passed, argv, exitCode, counts, record, result }: Checked & { argv: Argv; result: CommandResult }) {
  const { totalBytes, droppedBytes } = result.output;
  return {
    passed,
    program: argv[0],
    exit_code: exitCode,
    counts: counts ?? null,
    duration_ms: result.durationMs,
    output: { bytes: totalBytes, left_out: droppedBytes },
    record,
  };
}

function textOf({ terminal }: Session, { passed, exitCode, counts, record }: Checked): string {
  const word = passed ? styled(terminal, 'green', 'Passed') : styled(terminal, 'red', 'Failed');
  const nothing = counts !== undefined && !ranAny(counts) ? ' No test ran, so nothing is shown by it.' : '';
  const shows = [...record.task_ids, ...record.gate_ids, ...record.capability_ids].join(', ');
  const stays =
    shows !== '' && (exitCode !== 0 || (counts?.failed ?? 0) > 0)
      ? 'Records are never taken back: what this one shows fails in this run, whatever is added later.\n' +
        'Until the tests pass, run them without `countersign check`.\n'
      : '';
  return `${word}: ${summaryOf(exitCode, counts)}.${nothing}\nRecorded as ${record.id} of run '${record.run_id}' (${record.kind}; shows ${shows || 'nothing'}).\n${stays}`;
}

function showEnd({ terminal }: Session, log: string): void {
  const lines = log.trimEnd().split('\n');
  terminal.err(`${visibleLines(lines.slice(-SHOWN_LINES).join('\n'))}\n`);
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A time such as `90s`, `10m` or `1h`, in milliseconds; a bare number means seconds. */
function durationOption(text: string): number {
  const [, amount = '', unit = 's'] = /^([1-9][0-9]{0,5})([smh])?$/.exec(text) ?? [];
  const milliseconds = Number(amount) * UNITS[unit as keyof typeof UNITS];
  // 24 hours: beyond it a limit is none.
  if (milliseconds > 0 && milliseconds <= 24 * UNITS.h) return milliseconds;
  throw new Refusal('CS1301', `A time limit is written as 90s, 10m or 1h, at most 24h, not '${text}'.`);
}
