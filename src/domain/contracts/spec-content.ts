import type { RefusalCode } from '../codes.ts';
import { Refusal } from '../errors.ts';
import { SPEC_TEXTS } from '../format-texts.ts';
import { sortedUnique } from '../text/order.ts';
import { trim } from '../text/trim.ts';

export const SPEC_MODES = ['feature', 'bugfix', 'refactor', 'hardening', 'research'] as const;
export type SpecMode = (typeof SPEC_MODES)[number];

const MODE_ALIASES: Readonly<Record<string, SpecMode>> = {
  '1': 'feature',
  new: 'feature',
  'new feature': 'feature',
  '2': 'refactor',
  refactoring: 'refactor',
  '3': 'bugfix',
  bug: 'bugfix',
  'bug fix': 'bugfix',
  fix: 'bugfix',
  '4': 'hardening',
  legacy: 'hardening',
  'legacy hardening': 'hardening',
  '5': 'research',
};

/** The parts of a spec revision that are a text. */
export const SPEC_TEXT_KEYS = ['business_objective', 'problem_statement', 'data_impact'] as const;

/** The parts of a spec revision that are a list of texts. */
export const SPEC_LIST_KEYS = [
  'scope',
  'out_of_scope',
  'actors_users',
  'main_flow',
  'edge_cases',
  'business_rules',
  'technical_constraints',
  'acceptance_criteria',
  'testing_strategy',
  'implementation_tasks',
] as const;

export const ARTIFACT_NAMES = ['requirements.md', 'tasks.md', 'acceptance.md'] as const;
export type ArtifactName = (typeof ARTIFACT_NAMES)[number];

/** What a spec says, normalised; fields in the order in which they are written. */
export interface SpecContent {
  readonly title: string;
  readonly mode: SpecMode;
  readonly business_objective: string;
  readonly problem_statement: string;
  readonly scope: readonly string[];
  readonly out_of_scope: readonly string[];
  readonly actors_users: readonly string[];
  readonly main_flow: readonly string[];
  readonly edge_cases: readonly string[];
  readonly business_rules: readonly string[];
  readonly technical_constraints: readonly string[];
  readonly affected_paths: readonly string[];
  readonly data_impact: string;
  readonly acceptance_criteria: readonly string[];
  readonly testing_strategy: readonly string[];
  readonly implementation_tasks: readonly string[];
  readonly tags: readonly string[];
}

/** A mode by name, number or alias; case, `_` and `-` do not matter. */
export function specModeOf(text: string): SpecMode | undefined {
  const word = trim(text).toLowerCase().replace(/[_-]/g, ' ');
  return (
    SPEC_MODES.find((mode) => mode === word) ?? (Object.hasOwn(MODE_ALIASES, word) ? MODE_ALIASES[word] : undefined)
  );
}

/** What an author gives for a spec, before normalisation. */
export type SpecDraft = { readonly title: string; readonly mode: string } & Partial<
  Readonly<Record<(typeof SPEC_TEXT_KEYS)[number], string>> &
    Readonly<Record<(typeof SPEC_LIST_KEYS)[number] | 'affected_paths' | 'tags', readonly string[]>>
>;

/**
 * Normalises what an author wrote: trimmed, empty items dropped, tags lower-cased and sorted, paths cleaned.
 * @throws Refusal `code` for an empty title, an unknown mode, an absolute path or one with `..`
 */
export function normaliseSpec(draft: SpecDraft, code: RefusalCode): SpecContent {
  const title = text(draft.title);
  if (title === '') throw new Refusal(code, "A spec's 'title' must be a non-empty text.");
  const mode = specModeOf(draft.mode);
  if (mode === undefined)
    throw new Refusal(code, `Invalid spec mode '${draft.mode}': must be one of ${SPEC_MODES.join(', ')}.`);
  return {
    title,
    mode,
    business_objective: text(draft.business_objective),
    problem_statement: text(draft.problem_statement),
    scope: list(draft.scope),
    out_of_scope: list(draft.out_of_scope),
    actors_users: list(draft.actors_users),
    main_flow: list(draft.main_flow),
    edge_cases: list(draft.edge_cases),
    business_rules: list(draft.business_rules),
    technical_constraints: list(draft.technical_constraints),
    affected_paths: affectedPaths(draft.affected_paths, code),
    data_impact: text(draft.data_impact),
    acceptance_criteria: list(draft.acceptance_criteria),
    testing_strategy: list(draft.testing_strategy),
    implementation_tasks: list(draft.implementation_tasks),
    tags: sortedUnique(list(draft.tags).map((tag) => tag.toLowerCase())),
  };
}

function text(given: string | undefined): string {
  const trimmed = trim(given ?? '');
  return trimmed === SPEC_TEXTS.notSpecified ? '' : trimmed;
}

function list(given: readonly string[] | undefined): string[] {
  return (given ?? []).map(text).filter((item) => item !== '');
}

function affectedPaths(given: readonly string[] | undefined, code: RefusalCode): string[] {
  const paths = list(given).map((raw) => {
    const path = raw.replaceAll('\\', '/');
    const bad = path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.split('/').includes('..');
    if (bad) throw new Refusal(code, `Affected path '${raw}' must be relative to the project and without '..'.`);
    return path
      .split('/')
      .filter((segment) => segment !== '' && segment !== '.')
      .join('/');
  });
  return [...new Set(paths.filter((path) => path !== ''))];
}
