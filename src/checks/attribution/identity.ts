import type { NameClass } from './formats.ts';
import { isAllowed, squeeze } from './grammar.ts';
import type { Grammar } from './grammar.ts';
import type { AttributionRuleId } from './rules.ts';
import { fold } from './unicode.ts';

/** A tool that was recognised, and by what. */
export interface Recognised {
  /** Its id in the table. */
  readonly tool: string;
  /** Such as `the address noreply@…` or `the name “… Code”`. */
  readonly by: string;
}

/** What is known of the one who is named. */
export interface Named {
  readonly name: string;
  readonly email?: string;
  readonly login?: string;
  readonly id?: number;
}

/**
 * Whether an identity is an agent's: by the platform's account id, the login, the mail address, or a name that no
 * person has. A given name never decides, nor does the domain of an address. `rule` is the one that asks: some texts are
 * allowed under one rule only.
 */
export function recogniseIdentity(grammar: Grammar, named: Named, rule?: AttributionRuleId): Recognised | undefined {
  const name = fold(named.name).trim();
  const email = fold(named.email ?? '')
    .trim()
    .toLowerCase();
  const login = fold(named.login ?? '')
    .trim()
    .toLowerCase();
  if (isAllowed(grammar, rule, [name, email, login])) return undefined;
  const found =
    byId(grammar, name, named.id) ??
    byLogin(grammar, name, login, undefined, 'the account') ??
    byAddress(grammar, name, email) ??
    byLogin(grammar, name, name.toLowerCase().endsWith('[bot]') ? name.toLowerCase() : '', undefined, 'the name') ??
    byName(grammar, name);
  return found === undefined || grammar.allowTools.has(found.tool) ? undefined : found;
}

function byId(grammar: Grammar, name: string, id: number | undefined): Recognised | undefined {
  const entry = id === undefined ? undefined : grammar.ids.get(id);
  if (entry === undefined || (entry.needs === 'name' && byName(grammar, name) === undefined)) return undefined;
  return { tool: entry.tool, by: `the account id ${String(id)}` };
}

// The login decides as a whole; the digits before it are anyone's to write.
function byLogin(
  grammar: Grammar,
  name: string,
  login: string,
  digits: string | undefined,
  what: string,
): Recognised | undefined {
  const entry = grammar.logins.get(login)?.find(({ id, needs }) => {
    if (needs === 'id') return digits !== undefined && digits === String(id);
    return needs !== 'name' || byName(grammar, name) !== undefined;
  });
  return entry === undefined ? undefined : { tool: entry.tool, by: `${what} ${login}` };
}

/** No-reply addresses of GitHub: `ID+login@…`, older ones without the id. docs.github.com, "Email addresses reference". */
const NO_REPLY = /^(?:(\d{1,20})\+)?([^+@]{1,100})@users\.noreply\.github\.com$/;

function byAddress(grammar: Grammar, name: string, email: string): Recognised | undefined {
  // A tag behind a plus sign leads to the same mailbox (RFC 5233); GitHub's own addresses mean something else by it.
  const tool = grammar.addresses.get(email) ?? grammar.addresses.get(email.replace(/\+[^@]{1,100}@/, '@'));
  if (tool !== undefined) return { tool, by: `the address ${email}` };
  const match = NO_REPLY.exec(email);
  if (match === null) return undefined;
  const found = byLogin(grammar, name, match[2] ?? '', match[1], 'the account');
  return found === undefined ? undefined : { tool: found.tool, by: `the address ${email}` };
}

// The suffix that aider puts behind the name of the person it works for (Aider-AI/aider, repo.py).
const AIDER_SUFFIX = /\(aider\)$/i;

function byName(grammar: Grammar, name: string): Recognised | undefined {
  if (AIDER_SUFFIX.test(name)) return { tool: 'aider', by: 'the suffix (aider) of the name' };
  const agent = agentAt(grammar, name);
  if (agent?.class !== 'tool' || !/^(?:$|[ ]?[(\[,:;/+&|-])/.test(name.slice(agent.end))) {
    // "Claude Code Assistant": every word belongs to the product; "Claude Dubois": one does not.
    return undefined;
  }
  return { tool: agent.tool, by: `the name “${name.slice(0, agent.end)}”` };
}

/** An agent's name in a text. */
export interface AgentName {
  readonly tool: string;
  /** What the name says as it stands: with a product or version behind it, it is a tool's only. */
  readonly class: NameClass;
  readonly start: number;
  readonly end: number;
}

/** The agent's name that a folded text begins with, after an article or a vendor. */
export function agentAt(grammar: Grammar, text: string): AgentName | undefined {
  // A name and what follows it is short; and the whole text might be long.
  const [first] = agentNames(grammar, text.slice(0, 200));
  if (first === undefined) return undefined;
  return /^(?:(?:the|an?|by|with|github|google|openai|anthropic|amazon|microsoft|ai) ?|[(\[“"'@]){0,3}$/i.test(
    text.slice(0, first.start),
  )
    ? first
    : undefined;
}

/** All names of agents in a folded text that stand as words. */
export function* agentNames(grammar: Grammar, text: string): Generator<AgentName> {
  for (const match of text.matchAll(grammar.names)) {
    const start = match.index;
    const end = start + match[0].length;
    if (isLetter(text, end)) continue;
    const head = headOf(grammar, match[0]);
    if (head === undefined) continue;
    const { entry, length } = head;
    const suffix = match[0].slice(length);
    const suffixed = entry.class === 'word' ? /^-?\d/.test(suffix) || isCapital(text, start) : true;
    yield { tool: entry.tool, class: suffix !== '' && suffixed ? 'tool' : entry.class, start, end };
  }
}

// Names of the table and of configurations; what is longer is matched by its beginning.
const LONGEST_NAME = 40;

function headOf(grammar: Grammar, text: string) {
  for (let length = Math.min(text.length, LONGEST_NAME); length > 0; length -= 1) {
    const entry = grammar.nameEntries.get(squeeze(text.slice(0, length)));
    if (entry !== undefined) return { entry, length };
  }
  return undefined;
}

/** Whether a capital stands there: an everyday word is a name only with one. */
export function isCapital(text: string, at: number): boolean {
  const char = text.charAt(at);
  return char !== char.toLowerCase();
}

function isLetter(text: string, at: number): boolean {
  return /^[\p{L}\p{N}]/u.test(String.fromCodePoint(text.codePointAt(at) ?? 0x20));
}
