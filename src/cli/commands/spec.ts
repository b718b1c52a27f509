import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadRevision, loadSpecRecord, specIds } from '../../domain/contracts/spec-store.ts';
import { SPEC_LIST_KEYS, SPEC_TEXT_KEYS } from '../../domain/contracts/spec-content.ts';
import type { SpecDraft } from '../../domain/contracts/spec-content.ts';
import { renderArtifacts } from '../../domain/contracts/spec-artifacts.ts';
import { Refusal } from '../../domain/errors.ts';
import { isObject } from '../../domain/json/node.ts';
import { readJson } from '../../domain/json/read.ts';
import { visibleLines } from '../../render/visible.ts';
import { createSpec, reviseSpec, setSpecStatus } from '../../workspace/specs.ts';
import type { WrittenSpec } from '../../workspace/specs.ts';
import { openProject } from '../../workspace/workspace.ts';
import { answer, collect, group, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { table } from '../terminal.ts';

interface DraftOptions extends CommonOptions {
  readonly file?: string;
  readonly title?: string;
  readonly mode?: string;
  readonly objective?: string;
  readonly problem?: string;
  readonly dataImpact?: string;
  readonly scope?: readonly string[];
  readonly task?: readonly string[];
  readonly path?: readonly string[];
  readonly accept?: readonly string[];
  readonly testing?: readonly string[];
  readonly tag?: readonly string[];
}

const MODES = 'feature, bugfix, refactor, hardening or research';

/** `spec create|list|show|revise|status` */
export function addSpecCommands(program: Command, session: Session): void {
  const spec = group(program, 'spec', 'specs: what is to be done, in immutable revisions');
  draftOptions(
    leaf(spec, 'create <spec>', 'write a new spec, as a draft', [
      'spec create login-fix --title "Fix the login" --mode bugfix --task "Reject empty passwords" --path src/login.py',
      'spec create login-fix --file spec.json',
    ]),
  ).action((id: string, options: DraftOptions) => {
    const draft = draftOf(session, options);
    const written = createSpec(rootOf(session, options), id, {
      ...draft,
      title: draft.title ?? '',
      mode: draft.mode ?? 'feature',
    });
    answer(session, options, written, () => writtenText(written, `countersign spec status ${id} ready`));
  });

  draftOptions(
    leaf(
      spec,
      'revise <spec>',
      'write the next revision of a spec; what is not given stays; the spec is a draft again',
      ['spec revise login-fix --task "Reject empty passwords" --task "Add a test"'],
    ),
  ).action((id: string, options: DraftOptions) => {
    const written = reviseSpec(rootOf(session, options), id, draftOf(session, options));
    answer(session, options, written, () => writtenText(written, `countersign spec status ${id} ready`));
  });

  leaf(spec, 'list', 'list the specs', ['spec list']).action((options: CommonOptions) => {
    const project = openProject(rootOf(session, options));
    const records = specIds(project).map((id) => loadSpecRecord(project, id));
    const rows = records.map(({ id, status, current_revision }) => [id, status, String(current_revision)]);
    answer(
      session,
      options,
      records,
      () => table(session.terminal, ['spec', 'status', 'revision'], rows) || 'No specs yet.\n',
    );
  });

  leaf(spec, 'show <spec>', 'print a spec', ['spec show login-fix', 'spec show login-fix --revision 1'])
    .option('--revision <number>', 'another revision than the current one', revisionOption)
    .action((id: string, options: CommonOptions & { readonly revision?: number }) => {
      const project = openProject(rootOf(session, options));
      const record = loadSpecRecord(project, id);
      const revision = loadRevision(project, id, options.revision);
      answer(session, options, { record, revision }, () => {
        const {
          'requirements.md': requirements,
          'tasks.md': tasks,
          'acceptance.md': acceptance,
        } = renderArtifacts(revision);
        return `${id}: ${record.status}, revision ${revision.revision}, digest ${revision.content_digest}\n\n${visibleLines([requirements, tasks, acceptance].join('\n'))}`;
      });
    });

  leaf(spec, 'status <spec> <status>', 'set the status of a spec: draft, ready or archived', [
    'spec status login-fix ready',
  ]).action((id: string, status: string, options: CommonOptions) => {
    const record = setSpecStatus(rootOf(session, options), id, status);
    answer(
      session,
      options,
      record,
      () =>
        `Spec '${id}' is ${record.status}.\n${record.status === 'ready' ? `Next: countersign run create --spec ${id} --harness <harness>\n` : ''}`,
    );
  });
}

function draftOptions(command: Command): Command {
  return command
    .option('--file <file>', 'JSON object with any fields of a spec; options given beside it win')
    .option('--title <text>', 'title')
    .option('--mode <mode>', `${MODES} (default: feature)`)
    .option('--objective <text>', 'business objective')
    .option('--problem <text>', 'problem statement')
    .option('--data-impact <text>', 'impact on data')
    .option('--scope <text>', 'item of the scope (repeatable)', collect)
    .option('--task <text>', 'implementation task (repeatable)', collect)
    .option('--path <path>', 'affected path (repeatable)', collect)
    .option('--accept <text>', 'acceptance criterion (repeatable)', collect)
    .option('--testing <text>', 'item of the testing strategy (repeatable)', collect)
    .option('--tag <tag>', 'tag (repeatable)', collect);
}

function draftOf(session: Session, options: DraftOptions): Partial<SpecDraft> {
  const given = {
    title: options.title,
    mode: options.mode,
    business_objective: options.objective,
    problem_statement: options.problem,
    data_impact: options.dataImpact,
    scope: options.scope,
    implementation_tasks: options.task,
    affected_paths: options.path,
    acceptance_criteria: options.accept,
    testing_strategy: options.testing,
    tags: options.tag,
  };
  const fromOptions = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const fromFile = options.file === undefined ? {} : readDraft(resolve(session.cwd, options.file), options.file);
  return { ...fromFile, ...fromOptions };
}

function readDraft(path: string, name: string): Partial<SpecDraft> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Refusal('CS1201', `${name} cannot be read.`, { where: name, cause });
  }
  const node = readJson(text, { code: 'RAPID803', file: name, reading: 'strict' });
  if (!isObject(node)) throw new Refusal('RAPID803', `${name} must hold a JSON object.`, { where: name });
  const textKeys: readonly string[] = ['title', 'mode', ...SPEC_TEXT_KEYS];
  const listKeys: readonly string[] = [...SPEC_LIST_KEYS, 'affected_paths', 'tags'];
  for (const [key, value] of node) {
    const fits = textKeys.includes(key)
      ? typeof value === 'string'
      : listKeys.includes(key) && Array.isArray(value) && value.every((item) => typeof item === 'string');
    if (fits) continue;
    const known = textKeys.includes(key)
      ? 'must be a text'
      : listKeys.includes(key)
        ? 'must be a list of texts'
        : 'is no field of a spec';
    throw new Refusal('RAPID803', `${name}: '${key}' ${known}.`, { where: name });
  }
  return Object.fromEntries(node);
}

function writtenText({ record, revision }: WrittenSpec, next: string): string {
  return `Spec '${record.id}': revision ${revision.revision}, ${record.status}, ${revision.implementation_tasks.length} task(s).\nNext: ${next}\n`;
}

/** A revision number as an option gives it. @throws Refusal CS1301 */
export function revisionOption(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new Refusal('CS1301', `A revision is a number from 1, not '${text}'.`);
}
