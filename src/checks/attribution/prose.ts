import { agentNames, isCapital } from './identity.ts';
import type { AgentName } from './identity.ts';
import { isAllowed } from './grammar.ts';
import type { Grammar } from './grammar.ts';

/** A sentence that credits an agent. */
export interface Credit {
  readonly tool: string;
  /** Where the name starts in the text. */
  readonly at: number;
  /** The words of the credit. */
  readonly words: string;
  /** Whether it speaks of the change itself, or perhaps of what the change is about. */
  readonly certain: boolean;
}

const VERBS =
  '(?:(?:co[- ]?|auto-?|ai-?|re-?|machine-?|self-?)?(?:generated|written|authored|created|made|built|developed|coded|' +
  'implemented|produced|composed|drafted|crafted|programmed|pair(?:ed)?[- ]?(?:programmed|coded)|paired|assisted|aided|' +
  'helped|committed|contributed|engineered|refactored|rewritten|vibe-?coded|translated|fixed|pair[- ]?programming)|' +
  // No prefix: "reported by" credits nobody with the change.
  'ported|' +
  // Spanish, French, German, Portuguese, Italian, Dutch and Swedish, as they read without their accents.
  '(?:co|auto)?(?:generad|cread|escrit|hech|desarrollad|implementad|redactad|elaborad|programad|asistid|realizad)[oa]s?|' +
  '(?:co-?)?(?:genere|ecrit|cree|developpe|redige|realise|fait|assiste)e?s?|' +
  '(?:generiert|geschrieben|erstellt|entwickelt|verfasst|programmiert|gemacht|unterstutzt)|' +
  '(?:gerad|criad|desenvolvid|feit|escrit)[oa]s?|(?:generat|scritt|creat|fatt|realizzat|sviluppat)[oaie]|' +
  '(?:gegenereerd|geschreven|gemaakt|skapad|skriven|genererad))';
const ADVERBS =
  '(?: (?:automatically|entirely|fully|partly|partially|mostly|together|jointly|in part|in collaboration))?';
const PREPOSITIONS = '(?: (?:by|with|using|via|through|con|por|usando|avec|par|mit|von|durch|com|da|door|met|med|av))';
const HELP =
  '(?:(?:the |some |a little )?(?:help|assistance|aid|support)(?: (?:of|from|by))?|(?:la )?ayuda de|(?:a )?ajuda (?:de|do)|' +
  "l'aide de|hilfe von|l'aiuto di|(?:de )?hulp van|hjalp av)";
const FILLERS =
  '(?: ?(?:the|an?|my|our|ai|llm|model|agent|tool|assistant|github|google|openai|anthropic|amazon|microsoft|charm)\\b){0,3}';
// Anchored at the end of a window of bounded length, where the name starts.
const CREDIT = new RegExp(
  `(?:^|[^a-z0-9])((?:${VERBS}${ADVERBS}${PREPOSITIONS}(?: ${HELP})?|` +
    `(?:with|in|con|com|avec|mit|met|med) (?:${HELP}|collaboration with)|co-?authors?|credits?(?: to| ?:))` +
    `[ :]?${FILLERS}[ :/]{0,2}["'(\\[@]{0,2})$`,
);
/** "Credit to Devin": people are thanked so, too. */
const IS_THANKS = /^credit/i;

/** "Claude Code wrote this commit": what may follow a name. What `this` is has to be the change. */
const WROTE =
  /^ (?:has )?(?:wrote|written|authored|generated|implemented|created|coded|built|made|did) (?:all (?:of )?|most of )?(?:this|these)(?: ([a-z]{1,20}))?(?=$|[ .,;!?)])/i;
const ROBOT_BEFORE = /(?:^|[^\p{L}\p{N}])🤖 ?$/u;

/** How much text before a name is looked at, in UTF-16 units. */
const WINDOW = 160;

// After the name the clause ends, or goes on with a word that cannot be a surname or the name's own noun.
const ENDS =
  /^(?:$| ?["')\]]{0,3}(?:$|—|[.,;!?)\]|–](?![a-z0-9])|:(?: |$))| (?:$|[([|&+—–-])| (?:and|or|for|on|in|at|with|via|from|to|under|during|as|but|then|while|using|through|by|assistance|help|session|today|model|y|et|und|e)\b)/i;

const CLAUSE_START = /[.;:!?()[\]{}|,—–•>]|^[-*+#]+ | - /g;
const PLAIN_WORDS = new Set(
  (
    'was were is are be been being has have had it they got mostly partially partly entirely fully largely automatically ' +
    'initially originally purely completely also proudly lovingly heavily all this that these those the a an my our your most ' +
    'some part parts of and in with help whole entire first new initial more add adds added adding update updates updated ' +
    'include includes included commit commits committed merge apply applied feat fix docs test chore refactor 100%'
  ).split(' '),
);
const OWN_WORK = new Set(
  (
    'code test tests commit commits pr pull request change changes changeset patch patches work implementation message ' +
    'description documentation docs doc text function functions script scripts file files feature fix version draft ' +
    'refactor refactoring content summary module ' +
    'el la este esta codigo cambio cambios documentacion pruebas mensaje le ce cette modification changement der die das ' +
    'dieser diese dokumentation anderung o os esse mudanca documentacao il questo questa codice modifica documentazione'
  ).split(' '),
);

/**
 * The credits in a folded paragraph. Linear: what stands around each name is looked at within bounds.
 * @param lineStarts where its lines start, in their order
 */
export function credits(grammar: Grammar, paragraph: string, lineStarts: readonly number[] = [0]): Credit[] {
  const found: Credit[] = [];
  let line = 0;
  for (const agent of agentNames(grammar, paragraph)) {
    while ((lineStarts[line + 1] ?? Infinity) <= agent.start) line += 1;
    const name = paragraph.slice(agent.start, agent.end);
    if (grammar.allowTools.has(agent.tool) || isAllowed(grammar, 'attribution/prose', [name])) continue;
    const from = lineStarts[line] ?? 0;
    const credit = passiveCredit(paragraph, agent, from, lineStarts[line + 1]) ?? activeCredit(paragraph, agent, from);
    if (credit !== undefined) found.push({ tool: agent.tool, at: agent.start, ...credit });
  }
  return found;
}

type Found = Omit<Credit, 'tool' | 'at'>;

// "Written by X".
function passiveCredit(text: string, agent: AgentName, line: number, nextLine: number | undefined): Found | undefined {
  const before = text.slice(Math.max(0, agent.start - WINDOW), agent.start);
  const words = CREDIT.exec(before.toLowerCase())?.[1];
  if (words === undefined || (IS_THANKS.test(words) && agent.class !== 'tool')) return undefined;
  const start = agent.start - words.length;
  // A line that begins with the credit, in a capital, is a footer: what stands on the line before is another matter.
  const isFirst = start >= line && start - line < WINDOW && !/[\p{L}\p{N}]/u.test(text.slice(line, start));
  const isFooter = isFirst && isCapital(text, start);
  const endsLine = nextLine !== undefined && agent.end === nextLine - 1 && (isFooter || agent.class === 'tool');
  if (!isNameHere(text, agent, endsLine)) return undefined;
  return {
    words: text.slice(start, agent.end),
    certain: isFooter || speaksOfTheChange(before.slice(0, before.length - words.length)),
  };
}

function isNameHere(text: string, agent: AgentName, endsLine: boolean): boolean {
  if (agent.class === 'word' && !isCapital(text, agent.start)) return false;
  return endsLine || ENDS.test(text.slice(agent.end, agent.end + 24));
}

// "X wrote this", unless people bear the name, too; "🤖 X" on a line of its own, whoever does.
function activeCredit(text: string, agent: AgentName, line: number): Found | undefined {
  const before = text.slice(Math.max(line, agent.start - WINDOW), agent.start);
  const match = agent.class === 'tool' ? WROTE.exec(text.slice(agent.end, agent.end + 80)) : null;
  if (match !== null && (match[1] === undefined || OWN_WORK.has(match[1].toLowerCase())) && speaksOfTheChange(before)) {
    return { words: text.slice(agent.start, agent.end + match[0].length), certain: true };
  }
  const isSigned =
    ROBOT_BEFORE.test(before) && !/[\p{L}\p{N}]/u.test(before) && /^[ (.!]{0,2}$/.test(text.slice(agent.end));
  return isSigned ? { words: text.slice(agent.start, agent.end), certain: true } : undefined;
}

// "Written by X", "This commit was written by X", "Add tests written by X"; but not "Show the summary written by X".
function speaksOfTheChange(lead: string): boolean {
  let start = 0;
  for (const match of lead.matchAll(CLAUSE_START)) start = match.index + match[0].length;
  const words = lead
    .slice(start)
    .toLowerCase()
    .split(' ')
    .map((word) => word.replace(/[^a-z0-9%-]/g, ''))
    .filter((word) => /[a-z0-9]/.test(word));
  return words.every((word) => PLAIN_WORDS.has(word) || OWN_WORK.has(word));
}

/**
 * A folded line as prose: links as their text, without tags and emphasis, and without what it only cites (in code
 * spans and quotation marks).
 */
export function proseOf(folded: string): string {
  if (!/[<[`"'*~_]/.test(folded)) return folded;
  return folded
    .replace(/<\/?[a-z][^<>@]{0,400}>/gi, '')
    .replace(/!?\[([^[\]]{0,200})\]\(([^()]{0,500})\)/g, linkText)
    .replace(/`([^`]{1,200})`/g, cited)
    .replace(/"([^"]{1,300})"/g, cited)
    .replace(/(?<![a-z0-9])'([^']{1,200})'(?![a-z0-9])/gi, cited)
    .replace(/[*~]+|(?<![a-z0-9])_+|_+(?![a-z0-9])/gi, '');
}

// A name in quotation marks is still named; a phrase in them is cited.
function cited(_whole: string, content: string): string {
  return /[ :]/.test(content.trim()) && /\b(?:by|with|using|via|con|por)\b|:/i.test(content) ? '…' : content;
}

// "Made with [cursor](https://cursor.com)": where the link leads says that the word is a name.
function linkText(_whole: string, text: string, url: string): string {
  const host = /^https?:\/\/(?:www\.)?([a-z0-9-]{1,60})\./i.exec(url)?.[1]?.toLowerCase();
  return host !== undefined && host === text.toLowerCase() ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
