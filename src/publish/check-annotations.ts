import type { Annotation } from '../render/annotations.ts';
import { CHECK_ANNOTATIONS } from '../render/limits.ts';
import type { PublishContext } from './context.ts';

/** An annotation that stands at a file, which the API demands. */
export type FileAnnotation = Annotation & { readonly file: string };

/** An annotation as the API takes it. */
export interface ApiAnnotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: 'notice' | 'warning' | 'failure';
  readonly title: string;
  readonly message: string;
}

/** Annotations of a page (GitHub REST, "Using pagination"). */
const PER_PAGE = 100;

/** Pages of annotations that are read back; more than we ever write. */
const MAX_PAGES = 20;

const LEVELS = { error: 'failure', warning: 'warning', notice: 'notice' } as const;

/** A file without a line is annotated at its first, since the API demands one. */
function apiAnnotation({ file, line = 1, column, level, title, message }: FileAnnotation): ApiAnnotation {
  return {
    ...{ path: file, start_line: line, end_line: line },
    ...(column === undefined ? {} : { start_column: column, end_column: column }),
    ...{ annotation_level: LEVELS[level], title, message },
  };
}

/** Annotations as the API takes them, each once. */
export function apiAnnotations(annotations: readonly FileAnnotation[]): readonly ApiAnnotation[] {
  return [...new Map(annotations.map(apiAnnotation).map((one) => [identity(one), one] as const)).values()];
}

/** As many as one request takes, and at least one batch, which may be empty. */
export function batchesOf(annotations: readonly ApiAnnotation[]): readonly (readonly ApiAnnotation[])[] {
  const count = Math.max(1, Math.ceil(annotations.length / CHECK_ANNOTATIONS));
  return Array.from({ length: count }, (_, at) =>
    annotations.slice(at * CHECK_ANNOTATIONS, (at + 1) * CHECK_ANNOTATIONS),
  );
}

/**
 * Those that a check run does not have yet: annotations can only be added to, so that one sent twice stands twice.
 * @throws Refusal CS16xx
 */
export async function missingAnnotations(
  { api, repository }: PublishContext,
  run: { readonly id: number | bigint; readonly output: { readonly annotations_count: number } },
  wanted: readonly ApiAnnotation[],
): Promise<readonly ApiAnnotation[]> {
  if (run.output.annotations_count === 0 || wanted.length === 0) return wanted;
  const there = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data } = await api.request('GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations', {
      ...{ ...repository, check_run_id: Number(run.id), per_page: PER_PAGE, page },
    });
    data.forEach((one) => there.add(identity(one)));
    if (data.length < PER_PAGE) break;
  }
  return wanted.filter((one) => !there.has(identity(one)));
}

function identity(one: {
  readonly path: string;
  readonly start_line: number;
  readonly start_column?: number | null;
  readonly annotation_level: string | null;
  readonly title: string | null;
  readonly message: string | null;
}): string {
  const { path, start_line: line, start_column: column = null, annotation_level: level, title, message } = one;
  return JSON.stringify([path, line, column, level, (title ?? '').trim(), (message ?? '').trim()]);
}
