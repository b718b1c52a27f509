import type { Account, AttributionOptions, CommitInput, ExemptBot, Person } from './input.ts';
import { DEFAULT_EXEMPT_BOTS } from './input.ts';

/** Whether a commit is an exempt bot's own: proven, only claimed, or neither. */
export type Exemption = { readonly kind: 'none' } | { readonly kind: 'claimed' | 'proven'; readonly bot: ExemptBot };

/**
 * A commit is a bot's own if the platform saw the bot push it, or a good signature covers it that is the bot's: the
 * committer is the bot too, or GitHub itself, which signs what its API commits for the account that called it. The author
 * field, and the account that the platform derives from its address, are only a claim.
 */
export function exemptionOf(commit: CommitInput, options: AttributionOptions): Exemption {
  const bots = options.exemptBots ?? DEFAULT_EXEMPT_BOTS;
  const bot = bots.find((each) => claims(commit.author, each));
  if (bot === undefined) return { kind: 'none' };
  const signed =
    commit.verified === true &&
    (claims(commit.committer, bot) || commit.committer.email.toLowerCase() === WEB_FLOW_ADDRESS) &&
    (bot.id === undefined || commit.author.id === undefined || commit.author.id === bot.id);
  return { kind: signed || isAccount(commit.pusher, bot) ? 'proven' : 'claimed', bot };
}

/** Whether an authenticated account is an exempt bot's. */
export function isExemptAccount(account: Account | undefined, options: AttributionOptions): boolean {
  return (options.exemptBots ?? DEFAULT_EXEMPT_BOTS).some((bot) => isAccount(account, bot));
}

/** The committer of what GitHub commits itself (account web-flow), with its signature. */
const WEB_FLOW_ADDRESS = 'noreply@github.com';

// The id tells where it is known: a login can be given up and taken by another.
function isAccount(account: Account | undefined, bot: ExemptBot): boolean {
  if (account === undefined) return false;
  return bot.id === undefined ? account.login.toLowerCase() === bot.login.toLowerCase() : account.id === bot.id;
}

function claims(person: Person, bot: ExemptBot): boolean {
  const login = bot.login.toLowerCase();
  const names = [
    person.login,
    person.name,
    /^(?:\d{1,20}\+)?([^+@]{1,100})@users\.noreply\.github\.com$/i.exec(person.email)?.[1],
  ];
  return (bot.id !== undefined && person.id === bot.id) || names.some((name) => name?.toLowerCase() === login);
}
