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
  '(?:co-?|auto-?|ai-?|re-?|machine-?|self-?)?(?:generated|written|authored|created|made|built|developed|coded|implemented|' +
  'produced|composed|drafted|crafted|programmed|pair(?:ed)?[- ]?(?:programmed|coded)|paired|assisted|aided|helped|committed|' +
  'contributed|engineered|refactored|rewritten|vibe-?coded|translated|ported|fixed|pair[- ]?programming|generado|' +
  'creado|escrito|hecho|genere|ecrit|cree|generiert|geschrieben|erstellt|gerado|criado|generato|scritto)';
const ADVERBS =
  '(?: (?:automatically|entirely|fully|partly|partially|mostly|together|jointly|in part|in collaboration))?';
const PREPOSITIONS = '(?: (?:by|with|using|via|through|con|por|avec|par|mit|von|com|da))';
const HELP = '(?:(?:the |some |a little )?(?:help|assistance|aid|support)(?: (?:of|from|by))?)';
const FILLERS =
  '(?: ?(?:the|an?|my|our|ai|llm|model|agent|tool|assistant|github|google|openai|anthropic|amazon|microsoft|charm)\\b){0,3}';
// Anchored at the end of a window of bounded length, where the name starts.
const CREDIT = new RegExp(
  `(?:^|[^a-z0-9])((?:${VERBS}${ADVERBS}${PREPOSITIONS}(?: ${HELP})?|(?:with|in) (?:${HELP}|collaboration with)|co-?authors?)` +
    `[ :]?${FILLERS}[ :/]{0,2}["'(\\[@]{0,2})$`,
);

/** How much text before a name is looked at, in UTF-16 units. */
const WINDOW = 160;

// After the name the clause ends, or goes on with a word that cannot be a surname or the name's own noun.
const ENDS =
  /^(?:$| ?["')\]]{0,3}(?:$|[.,;!?)\]|—–](?![a-z0-9])|:(?: |$))| (?:$|[([|&+—–-])| (?:and|or|for|on|in|at|with|via|from|to|under|during|as|but|then|while|using|through|by|assistance|help|session|today|model|y|et|und|e)\b)/i;

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
    'refactor refactoring content summary module'
  ).split(' '),
);

/** The credits in a folded paragraph. Linear: what stands around each name is looked at within bounds. */
export function credits(grammar: Grammar, paragraph: string): Credit[] {
  const found: Credit[] = [];
  for (const agent of agentNames(grammar, paragraph)) {
    const name = paragraph.slice(agent.start, agent.end);
    if (grammar.allowTools.has(agent.tool) || isAllowed(grammar, 'attribution/prose', [name])) continue;
    const before = paragraph.slice(Math.max(0, agent.start - WINDOW), agent.start);
    const match = CREDIT.exec(before.toLowerCase());
    if (match === null || !isNameHere(paragraph, agent)) continue;
    const words = match[1] ?? '';
    const lead = before.slice(0, before.length - words.length);
    found.push({
      tool: agent.tool,
      at: agent.start,
      words: `${before.slice(before.length - words.length)}${name}`,
      certain: speaksOfTheChange(lead),
    });
  }
  return found;
}

function isNameHere(text: string, agent: AgentName): boolean {
  if (agent.class === 'word' && !isCapital(text, agent.start)) return false;
  return ENDS.test(text.slice(agent.end, agent.end + 24));
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
    .replace(/!?\[([^[\]]{0,200})\]\([^()]{0,500}\)/g, '$1')
    .replace(/`([^`]{1,200})`/g, cited)
    .replace(/"([^"]{1,300})"/g, cited)
    .replace(/(?<![a-z0-9])'([^']{1,200})'(?![a-z0-9])/gi, cited)
    .replace(/[*~]+|(?<![a-z0-9])_+|_+(?![a-z0-9])/gi, '');
}

// A name in quotation marks is still named; a phrase in them is cited.
function cited(_whole: string, content: string): string {
  return /[ :]/.test(content.trim()) && /\b(?:by|with|using|via|con|por)\b|:/i.test(content) ? '…' : content;
}
