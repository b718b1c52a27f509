import { renderArtifacts } from '../domain/contracts/spec-artifacts.ts';
import { revisionFolder } from '../domain/contracts/spec-store.ts';
import type { ArtifactName } from '../domain/contracts/spec-content.ts';
import type { SpecRevision } from '../domain/contracts/spec.ts';
import { Refusal } from '../domain/errors.ts';
import { sha256, writeJson } from '../domain/json/canonical.ts';
import { fileExists, folderExists, listFolder, RAPID_OS, readText } from '../domain/project.ts';
import type { Project } from '../domain/project.ts';
import type { ProjectModel } from './scan.ts';

export const STANDARDS = `${RAPID_OS}/standards`;

/** Characters of a compiled context, at the most; standards that do not fit are named as skipped. */
const MAX_CHARS = 24_000;

/** The snapshot that an agent is given: its text and what it was made of. */
export interface Context {
  readonly text: string;
  readonly manifest: string;
}

interface Source {
  readonly id: string;
  readonly kind: string;
  readonly heading: string;
  readonly path: string;
  readonly text: string;
  readonly priority: number;
  readonly precedence: number;
  readonly required: boolean;
}

/**
 * Compiles the context of a run from its spec, the project's standards and a scan.
 * @throws Refusal RAPID1004 for a spec in mode hardening without a security standard
 */
export function compileContext(project: Project, spec: SpecRevision, harness: string, model: ProjectModel): Context {
  const standards = standardSources(project, spec);
  const fixed = specSources(spec);
  const head = headOf(spec, harness, model);
  let length = head.length + fixed.reduce((sum, source) => sum + source.text.length, 0);
  const selected: Source[] = [];
  const skipped: Source[] = [];
  for (const standard of standards) {
    const fits = standard.required || length + standard.text.length <= MAX_CHARS;
    if (fits) length += standard.text.length;
    (fits ? selected : skipped).push(standard);
  }
  const parts = [...selected, ...fixed];
  const text = `${[head, ...parts.map(({ heading, text: body }) => `## ${heading}\n\n${body.trimEnd()}`)].join('\n\n')}\n`;
  const manifest = writeJson({
    schema_version: 1,
    mode: spec.mode,
    harness,
    objective: spec.business_objective,
    max_chars: MAX_CHARS,
    compiled_chars: text.length,
    content_digest: sha256(text),
    selected: parts.map((source) => entryOf(source, true, `relevant to ${spec.mode} mode`)),
    skipped: skipped.map((source) => entryOf(source, false, 'does not fit into the context')),
    conflicts: [],
  });
  return { text, manifest };
}

function headOf(spec: SpecRevision, harness: string, model: ProjectModel): string {
  const lines = [
    `Mode: ${spec.mode}`,
    `Harness: ${harness}`,
    ...labelled('Affected Paths', spec.affected_paths),
    ...labelled('Languages', model.languages),
    ...labelled('Frameworks', model.frameworks),
    ...labelled('Test Command', model.test_command === '' ? [] : [model.test_command]),
  ];
  return `# Rapid OS Compiled Context\n\n## Task\n\n${lines.join('\n')}`;
}

function labelled(label: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`${label}: ${values.join(', ')}`];
}

function specSources(spec: SpecRevision): Source[] {
  const artifacts = renderArtifacts(spec);
  const folder = revisionFolder(spec.spec_id, spec.revision);
  const source = (name: ArtifactName, kind: string, heading: string, priority: number, precedence: number): Source => ({
    id: `spec.${spec.spec_id}.${name.replace('.md', '')}`,
    kind,
    heading,
    path: `${folder}/${name}`,
    text: artifacts[name],
    priority,
    precedence,
    required: true,
  });
  return [
    source('requirements.md', 'spec', 'Task Specifications', 80, 7),
    source('tasks.md', 'tasks', 'Implementation Tasks', 50, 8),
    source('acceptance.md', 'acceptance', 'Acceptance Criteria', 50, 9),
  ];
}

function standardSources(project: Project, spec: SpecRevision): Source[] {
  const required = spec.mode === 'hardening' ? `${STANDARDS}/security.md` : undefined;
  const there = folderExists(project, STANDARDS, 'RAPID1004');
  if (required !== undefined && !(there && fileExists(project, required, 'RAPID1004'))) {
    throw new Refusal('RAPID1004', `A spec in mode hardening needs ${required}, which does not exist.`, {
      where: required,
      remedy: 'Write down the security standard that the work has to meet.',
    });
  }
  return listFolder(project, STANDARDS, 'RAPID1004').flatMap((entry, index): Source[] => {
    if (entry.kind !== 'file' || !entry.name.endsWith('.md')) return [];
    const path = `${STANDARDS}/${entry.name}`;
    return [
      {
        id: `standard.${entry.name.replace(/\.md$/, '')}`,
        kind: 'standard',
        heading: `Standard: ${entry.name.replace(/\.md$/, '')}`,
        path,
        text: readText(project, path, 'RAPID1004'),
        priority: 60,
        precedence: index + 1,
        required: path === required,
      },
    ];
  });
}

function entryOf(source: Source, selected: boolean, reason: string): object {
  return {
    source_id: source.id,
    kind: source.kind,
    selected,
    reason,
    priority: source.priority,
    required: source.required,
    chars: source.text.length,
    precedence: source.precedence,
    provenance: source.path,
    path: source.path,
  };
}
