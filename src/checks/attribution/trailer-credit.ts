import { isAllowed } from './grammar.ts';
import type { Grammar } from './grammar.ts';
import { agentAt, isCapital, recogniseIdentity } from './identity.ts';
import type { Recognised } from './identity.ts';

/** What a trailer says of an agent; `allowed` if the options permit its key. */
export type TrailerVerdict = { readonly kind: 'allowed' } | ({ readonly kind: 'credit' | 'agent-only' } & Recognised);

const WORKER = 'author|creator|developer|coder|programmer|pair-?programmer|contributor|assistant';
const WORK =
  'authored?|developed|written|created|committed|made|built|generated|produced|assisted|implemented|coded|programmed|' +
  'composed|drafted|pair|paired|pair-?programmed|pair-?programming|pair-?coded|helped|aided|vibe-?coded|contributed|' +
  'engineered|prepared|refactored|fixed|ported|translated';
/** Keys that credit with a share in the work; hyphens are often forgotten or added. */
const CREATION_KEY = new RegExp(
  `^(?:(?:ai|llm)-)?(?:co-?)?(?:(?:${WORKER})s?|(?:${WORK})-?(?:by|with|using|via|from))$`,
);
/** Keys under which an agent may be named as what made the change. */
const TOOL_KEY =
  /^(?:coding-|code-)?(?:agent|model|tool|assistant|bot|llm|ai|generator)(?:-(?:name|model|used|version))?$/;
const PERSON_KEY = /-(?:by|with|to|of|from)$|^(?:credits?|thanks)$/;
/** `<tool>-session`, `<tool>-task-url`: invented by each tool anew. */
const SESSION_KEY =
  /^(.{2,40})-(?:session|thread|task|conversation|chat|run|logs?|trace|job|prompt|transcript)s?(?:-(?:id|url|uri|link))?$/;
const NEGATIVE = /^(?:no|none|false|n\/a|nil|0|-)?[.]?$/i;

/** Judges one trailer, or undefined where it credits no agent. `value` is folded and unfolded. */
export function judgeTrailer(grammar: Grammar, key: string, value: string): TrailerVerdict | undefined {
  const verdict = agentOnly(grammar, key, value) ?? credit(grammar, key, value);
  if (verdict?.kind !== 'agent-only' && verdict?.kind !== 'credit') return verdict;
  const rule = verdict.kind === 'agent-only' ? 'attribution/agent-trailer' : 'attribution/co-author';
  return grammar.allowKeys.has(key) || isAllowed(grammar, rule, [value]) ? { kind: 'allowed' } : verdict;
}

function agentOnly(grammar: Grammar, key: string, value: string): TrailerVerdict | undefined {
  const entry = grammar.trailers.get(key);
  const named = agentAt(grammar, value);
  const kind = 'agent-only';
  if (entry !== undefined && !grammar.allowTools.has(entry.tool)) {
    const by = `the key ${key}`;
    switch (entry.value) {
      case 'any':
        if (!NEGATIVE.test(value)) return { kind, tool: named?.tool ?? entry.tool, by };
        break;
      case 'link':
        if (/^https?:\/\//i.test(value)) return { kind, tool: entry.tool, by };
        break;
      case 'agent':
        if (named !== undefined && isWholeName(value, named.end))
          return allowedTool(grammar, { kind, tool: named.tool, by });
        // Replit's own value is just "Agent".
        if (key.startsWith(`${entry.tool}-`) && /^agent\b/i.test(value)) return { kind, tool: entry.tool, by };
        break;
      case 'not-a-person':
        // "Assisted-by: Name <address>" thanks a person, unless the name or the address is a tool's.
        if (NEGATIVE.test(value)) break;
        if (named !== undefined && isWholeName(value, named.end))
          return allowedTool(grammar, { kind, tool: named.tool, by });
        if (addressesIn(value).length === 0) return { kind, tool: entry.tool, by };
        break;
    }
  }
  const session = SESSION_KEY.exec(key)?.[1];
  const agent = session === undefined ? undefined : agentAt(grammar, session.replaceAll('-', ' '));
  if (agent !== undefined && agent.end === session?.length && !NEGATIVE.test(value)) {
    return allowedTool(grammar, { kind, tool: agent.tool, by: `the key ${key}` });
  }
  return undefined;
}

function credit(grammar: Grammar, key: string, value: string): TrailerVerdict | undefined {
  const creation = CREATION_KEY.test(key);
  if (!creation && !PERSON_KEY.test(key) && !TOOL_KEY.test(key)) return undefined;
  const kind = 'credit';
  const addresses = addressesIn(value);
  let from = 0;
  for (const { address, start, end } of addresses) {
    // Several people on one line: each name stands before its address.
    const name = value.slice(from, start).replace(/^[ ,;&]+|[ <(]+$/g, '');
    from = end;
    const found = recogniseIdentity(grammar, { name, email: address }, 'attribution/co-author');
    if (found !== undefined) return { kind, ...found };
  }
  if (addresses.length > 0) return undefined;
  const named = agentAt(grammar, value);
  if (named === undefined || !isWholeName(value, named.end)) {
    const found = recogniseIdentity(grammar, { name: value.slice(0, 200) }, 'attribution/co-author');
    return found === undefined ? undefined : { kind, ...found };
  }
  // Without an address a given name or a word counts only where the key speaks of making the change.
  if (named.class !== 'tool' && !creation && !TOOL_KEY.test(key)) return undefined;
  if (named.class === 'word' && !isCapital(value, named.start)) return undefined;
  return allowedTool(grammar, { kind, tool: named.tool, by: `the name “${value.slice(0, named.end)}”` });
}

function allowedTool<T extends TrailerVerdict & Recognised>(grammar: Grammar, verdict: T): T | undefined {
  return grammar.allowTools.has(verdict.tool) ? undefined : verdict;
}

// Behind the name: nothing, or what is no surname.
function isWholeName(value: string, end: number): boolean {
  const rest = value.slice(end, end + 120);
  return (
    /^ ?(?:$|[(\[<,;:/+&|.@)\]-])/.test(rest) || /^ (?:and|or|with|via|for|using|in|on|cascade|https?:)/i.test(rest)
  );
}

interface FoundAddress {
  readonly address: string;
  readonly start: number;
  readonly end: number;
}

const ADDRESS_STOP = /[\s<>(),;"']/;

/** The mail addresses of a value, in angle brackets or bare. Linear: no search crosses another `@`. */
export function addressesIn(value: string): FoundAddress[] {
  const found: FoundAddress[] = [];
  let from = 0;
  for (let at = value.indexOf('@'); at !== -1; at = value.indexOf('@', at + 1)) {
    let start = at;
    while (start > from && !ADDRESS_STOP.test(value.charAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end < value.length && value.charAt(end) !== '@' && !ADDRESS_STOP.test(value.charAt(end))) end += 1;
    if (start < at && end > at + 1) found.push({ address: value.slice(start, end).toLowerCase(), start, end });
    from = end;
  }
  return found;
}
