import { ASSIGNMENT_KEYWORDS, assignmentAt } from './assignments.ts';
import { followsEscape, jwtAt } from './jwt.ts';
import { commandPasswordAt, PASSWORD_COMMANDS } from './command-passwords.ts';
import { hitOf, keywordSearch } from './keyword-search.ts';
import { MAINTAINED_RULES, TURN, type MaintainedName, type MaintainedRules } from './maintained-rules.ts';
import { withoutOverlaps, type SecretMatch } from './match.ts';
import { privateKeyAt } from './private-keys.ts';
import { mayStartAfter } from './provider-pattern.ts';
import type { ProviderPattern } from './provider-pattern.ts';
import { PROVIDER_PATTERNS } from './provider-patterns.ts';
import { urlPasswordAt } from './urls.ts';

type Detect = (text: string, start: number) => SecretMatch | undefined;

interface Detector {
  readonly keywords: readonly string[];
  readonly detect: Detect;
}

const DETECTORS: readonly Detector[] = [
  ...PROVIDER_PATTERNS.map((pattern) => ({ keywords: pattern.keywords, detect: providerDetector(pattern) })),
  { keywords: ['-----begin', 'putty-user-key-file-'], detect: privateKeyAt },
  { keywords: ['eyj'], detect: webTokenAt },
  { keywords: ['://'], detect: urlPasswordAt },
  { keywords: ASSIGNMENT_KEYWORDS, detect: assignmentAt },
  { keywords: PASSWORD_COMMANDS, detect: commandPasswordAt },
];

type Action = { readonly detect: Detect } | { readonly maintained: MaintainedName };

const KEYWORDS: readonly (readonly [keyword: string, action: Action])[] = [
  ...DETECTORS.flatMap(({ keywords, detect }) => keywords.map((keyword) => [keyword, { detect }] as const)),
  ...(Object.keys(MAINTAINED_RULES) as MaintainedName[]).flatMap((name) =>
    MAINTAINED_RULES[name].keywords.map((keyword) => [keyword, { maintained: name }] as const),
  ),
];
const IS_MAINTAINED = KEYWORDS.map(([, action]) => 'maintained' in action);
const search = keywordSearch(KEYWORDS.map(([keyword]) => keyword));

/** Places in a text at which a rule has to be tried. */
export interface Candidates {
  readonly text: string;
  /** In the order of the text, as the search gives them. */
  readonly hits: readonly number[];
  /** Whether one of secretlint's rules is among them. */
  readonly wantsMaintained: boolean;
}

/** The first step: one pass that looks for keywords. Where there are none, nothing else is done with the text. */
export function candidates(text: string): Candidates {
  const hits = search(text);
  const wantsMaintained = hits.some((hit) => IS_MAINTAINED[hitOf(hit).keyword]);
  return { text, hits, wantsMaintained };
}

/**
 * The second step: the credentials at those places, in the order of the text, without overlaps. Time is linear in the
 * text's length, whatever it holds.
 * @param maintained secretlint's rules; without them only this project's own are tried
 */
export function detectAt({ text, hits }: Candidates, maintained?: MaintainedRules): SecretMatch[] {
  const matches: SecretMatch[] = [];
  // Up to where each rule has looked: a run of keywords inside one value is looked at once.
  const looked = new Map<Detect | MaintainedName, number>();
  for (const hit of hits) {
    const { keyword, start } = hitOf(hit);
    const action = KEYWORDS[keyword]?.[1];
    if (action === undefined) continue;
    const key = 'detect' in action ? action.detect : action.maintained;
    if (start < (looked.get(key) ?? 0)) continue;
    if ('detect' in action) {
      const match = action.detect(text, start);
      if (match === undefined) continue;
      matches.push(match);
      looked.set(key, match.end);
    } else if (maintained !== undefined) {
      matches.push(...maintained(action.maintained, text, start));
      looked.set(key, start + TURN);
    }
  }
  return withoutOverlaps(matches);
}

function providerDetector(provider: ProviderPattern): Detect {
  const { pattern, rule } = provider;
  return (text, start) => {
    const before = text.charAt(start - 1);
    if (before !== '' && !mayStartAfter(provider, before) && !followsEscape(text, start)) return undefined;
    pattern.lastIndex = start;
    const value = pattern.exec(text)?.[0];
    if (value === undefined) return undefined;
    const confidence = provider.judge === undefined ? 'likely' : provider.judge(value);
    if (confidence === undefined) return undefined;
    return { rule, provider: provider.provider, confidence, start, end: start + value.length };
  };
}

function webTokenAt(text: string, start: number): SecretMatch | undefined {
  if (!text.startsWith('eyJ', start)) return undefined;
  const token = jwtAt(text, start);
  if (token === undefined) return undefined;
  const { confidence, end } = token;
  return { rule: 'secrets/jwt', provider: 'JSON Web Token', confidence, start, end };
}
