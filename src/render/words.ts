import type { Place } from '../checks/finding.ts';
import type { Severity } from '../checks/rule.ts';
import type { AssertionStanding } from '../gate/assertions.ts';
import type { Need, Outcome } from '../gate/outcome.ts';
import type { GateReport } from '../gate/report.ts';

/** A sign that goes with a word, never in its place: as a picture for Markdown, as a plain sign for terminals. */
export interface Sign {
  readonly picture: string;
  readonly sign: string;
  readonly style: 'green' | 'yellow' | 'red' | 'dim';
}

const GOOD: Sign = { picture: '✅', sign: '✓', style: 'green' };
const WAITING: Sign = { picture: '⏳', sign: '…', style: 'yellow' };
const OPEN: Sign = { picture: '❔', sign: '?', style: 'yellow' };
const BAD: Sign = { picture: '❌', sign: '✗', style: 'red' };
const NEUTRAL: Sign = { picture: '➖', sign: '-', style: 'dim' };

export const OUTCOME_SIGNS = {
  verified: GOOD,
  'not-governed': NEUTRAL,
  pending: WAITING,
  unverified: OPEN,
  failed: BAD,
  incomplete: BAD,
} as const satisfies Record<Outcome, Sign>;

export const STANDING_SIGNS = {
  satisfied: GOOD,
  waived: { picture: '🟡', sign: '~', style: 'yellow' },
  pending: WAITING,
  unverified: OPEN,
  failed: BAD,
  'not-applicable': NEUTRAL,
} as const satisfies Record<AssertionStanding, Sign>;

export const COMPATIBILITY_SIGNS: Readonly<Record<string, Sign>> = {
  compatible: GOOD,
  unresolved: OPEN,
  incompatible: BAD,
};

export const SEVERITY_WORDS = {
  block: { title: 'Blocking', ...BAD },
  warn: { title: 'Warnings', ...OPEN },
  note: { title: 'Notes', ...NEUTRAL },
} as const satisfies Record<Severity, Sign & { title: string }>;

/** Who can act, in the order in which they are shown: the author's side first, what nobody here can do last. */
export const ACTORS = [
  'agent',
  'person',
  'maintainer',
  'platform',
  'operator',
] as const satisfies readonly Need['who'][];

export const ACTOR_WORDS = {
  agent: 'The agent, or whoever wrote the change',
  person: 'A person with permission',
  maintainer: 'A maintainer, on the base branch',
  platform: 'The platform: nothing to do but wait',
  operator: 'Whoever runs Countersign',
} as const satisfies Record<Need['who'], string>;

export const CATEGORY_WORDS = {
  lifecycle: 'Run',
  task: 'Task',
  gate: 'Gate',
  capability: 'Capability',
} as const satisfies Record<GateReport['runs'][number]['assertions'][number]['category'], string>;

/** A number with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Hex digits of a digest or commit that are shown where no one has to compare them by hand. */
const SHORT = 12;

/** A digest or commit, shortened for reading. */
export function short(hex: string): string {
  return hex.slice(0, SHORT);
}

/** A place in words, as editors and terminals know it; raw text, still to be escaped. */
export function placeText(place: Place | GateReport['findings'][number]['place']): string {
  switch (place.at) {
    case 'file':
      return [place.path, place.line, place.line === undefined ? undefined : place.column]
        .filter((part) => part !== undefined)
        .join(':');
    case 'commit':
      return `commit ${short(place.sha)}, ${place.part}${lineText(place.line)}`;
    case 'pull-request':
      return `pull request, ${place.part}${lineText(place.line)}`;
    case 'run':
      return `run ${place.runId}`;
    case 'repository':
      return 'repository';
  }
}

/** Where a finding stands, unless its message about a whole file says so itself; raw text, still to be escaped. */
export function findingPlace({ place, message }: GateReport['findings'][number]): string | undefined {
  const named = place.at === 'file' && place.line === undefined && message.startsWith(place.path);
  return named ? undefined : placeText(place);
}

function lineText(line: number | undefined): string {
  return line === undefined ? '' : ` line ${line}`;
}

/** How a pull request names a run, by the word that the report has for it. */
export const NAMED_BY_WORDS: Readonly<Record<string, string>> = {
  branch: 'the branch name',
  changed: 'the changed run folder',
  input: 'the caller',
  trailer: 'a trailer',
};

/** All ways in which a run is named, as a list of words. */
export function namedByText(ways: readonly string[]): string {
  return `named by ${ways.map((way) => (Object.hasOwn(NAMED_BY_WORDS, way) ? NAMED_BY_WORDS[way] : way)).join(', ')}`;
}
