import type { SecretMatch } from './match.ts';
import { isDummyToken, isMadeOfWords } from './placeholders.ts';
import type { SecretRuleId } from './rules.ts';

/** Which of secretlint's rules are run, what makes them run, and how their findings are called here. */
interface MaintainedRule {
  readonly keywords: readonly string[];
  readonly rule: SecretRuleId;
  readonly provider: string;
  /** Shorter findings are dropped: the rule's own pattern takes ordinary words too. */
  readonly shortest?: number;
}

const other = (provider: string, keywords: readonly string[], shortest = 0): MaintainedRule => ({
  keywords,
  rule: 'secrets/provider-token',
  provider,
  shortest,
});

/** By the last part of the rule's id, `@secretlint/secretlint-rule-<name>`. */
export const MAINTAINED_RULES = {
  aws: { keywords: ['secretaccess', 'secret_access'], rule: 'secrets/aws-key', provider: 'AWS secret access key' },
  npm: {
    keywords: ['npm_', '.com:x-oauth-basic', ':x-oauth-basic@'],
    rule: 'secrets/npm-token',
    provider: 'npm token',
  },
  slack: {
    keywords: ['xoxb-', 'xoxp-', 'xapp-', 'xoxa-', 'xoxo-', 'xoxr-', 'https://hooks.slack.com/'],
    rule: 'secrets/slack-token',
    provider: 'Slack token',
    shortest: 20,
  },
  stripe: {
    keywords: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    rule: 'secrets/stripe-key',
    provider: 'Stripe key',
  },
  github: {
    keywords: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    rule: 'secrets/github-token',
    provider: 'GitHub token',
  },
  gitlab: { keywords: ['glpat-'], rule: 'secrets/gitlab-token', provider: 'GitLab token' },
  openai: { keywords: ['sk-'], rule: 'secrets/openai-key', provider: 'OpenAI key' },
  anthropic: { keywords: ['sk-ant-'], rule: 'secrets/anthropic-key', provider: 'Anthropic key' },
  sendgrid: other('SendGrid key', ['sg.'], 40),
  shopify: other('Shopify token', ['shppa_', 'shpca_', 'shpat_', 'shpss_']),
  grafana: other('Grafana token', ['glc_', 'glsa_']),
  groq: other('Groq key', ['gsk_']),
  huggingface: other('Hugging Face token', ['hf_']),
  linear: other('Linear key', ['lin_api_']),
  notion: other('Notion token', ['ntn_']),
  '1password': other('1Password service account token', ['ops_ey']),
  'hashicorp-vault': other('Vault token', ['hvs.', 'hvb.', 'hvr.']),
  vercel: other('Vercel token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_']),
  databricks: other('Databricks token', ['dapi']),
  docker: other('Docker access token', ['dckr_pat_']),
  figma: other('Figma token', ['figd_']),
  cloudflare: other('Cloudflare token', ['cfk_', 'cfut_', 'cfat_']),
  tailscale: other('Tailscale key', ['tskey-']),
} as const satisfies Record<string, MaintainedRule>;

/** Rules of secretlint that are not run, and why. */
export const REPLACED_RULES = {
  gcp: 'reads a file from disk by its name; service accounts are found by their key and by file',
  privatekey: 'wants a whole block; the rule here takes a header of its own line and keys inside strings',
  basicauth: 'knows http and ftp only, and letters and digits in passwords; the rule here takes any URL',
  'database-connection-string': 'the rule here takes any URL',
  'filter-comments': 'lets a comment in the scanned text switch rules off',
} as const satisfies Record<string, string>;

export type MaintainedName = keyof typeof MAINTAINED_RULES;

/** Rules that were loaded. One of them, run where its keyword stands, gives what starts there or up to `TURN` after. */
export type MaintainedRules = (name: MaintainedName, text: string, start: number) => SecretMatch[];

// What the rules ask of the program that runs them; a part of the interface in @secretlint/types.
interface Source {
  readonly content: string;
  readonly ext: string;
  readonly filePath: undefined;
}
interface Context {
  readonly sharedOptions: object;
  createTranslator(messages: unknown): (id: string) => object;
  report(descriptor: { readonly range: readonly [number, number] }): void;
  ignore(): void;
}
interface Creator {
  readonly meta: { readonly id: string };
  create(context: Context, options: object): { file?(source: Source): void | Promise<void> };
}

const ID_PREFIX = '@secretlint/secretlint-rule-';
/** What a rule sees of a text: from a little before its keyword, for boundaries and the name of a variable. */
const LOOK_BEHIND = 16;
const LOOK_AHEAD = 4096;
/**
 * How far one turn of a rule reaches: every finding that starts within this many characters after the place is part
 * of it, so that the next turn can be as far away. Whatever the text holds, a rule sees it twice at most.
 */
export const TURN = 2048;

let loaded: Promise<MaintainedRules> | undefined;

/** Loads secretlint's rules, once. They take some 15 ms to load, so that nothing does before a keyword is found. */
export function loadMaintainedRules(): Promise<MaintainedRules> {
  loaded ??= import('./secretlint-preset.ts').then(({ rules }) => prepare(rules as unknown as readonly Creator[]));
  return loaded;
}

/** The last parts of the ids of all rules that the installed preset has. */
export async function presetRuleNames(): Promise<string[]> {
  const { rules } = await import('./secretlint-preset.ts');
  return (rules as unknown as readonly Creator[]).map(({ meta }) => meta.id.slice(ID_PREFIX.length));
}

function prepare(creators: readonly Creator[]): MaintainedRules {
  const ranges: (readonly [number, number])[] = [];
  const context: Context = {
    sharedOptions: {},
    // Messages carry the value, so none is ever made.
    createTranslator: () => () => ({}),
    report: ({ range }) => void ranges.push(range),
    ignore: () => undefined,
  };
  const handlers = new Map(
    creators.map((creator) => [creator.meta.id.slice(ID_PREFIX.length), creator.create(context, {})]),
  );
  return (name, text, start) => {
    const handler = handlers.get(name);
    if (handler?.file === undefined) throw new Error(`secretlint has no rule ${name}`);
    const { rule, provider, shortest = 0 }: MaintainedRule = MAINTAINED_RULES[name];
    const from = Math.max(0, start - LOOK_BEHIND);
    ranges.length = 0;
    const pending = handler.file({ content: text.slice(from, start + LOOK_AHEAD), ext: '.txt', filePath: undefined });
    if (pending instanceof Promise) throw new Error(`secretlint's rule ${name} is no longer synchronous`);
    return ranges.flatMap(([first, last]) => {
      const [begin, end] = [from + first, from + last];
      // What the ends of the window cut is no finding; the next turn sees it whole.
      if (end <= start || begin >= start + TURN || (from > 0 && first === 0)) return [];
      if (last === LOOK_AHEAD + (start - from) && end < text.length) return [];
      const value = text.slice(begin, end);
      if (value.length < shortest || isMadeOfWords(value)) return [];
      return [{ rule, provider, confidence: isDummyToken(value) ? 'possible' : 'likely', start: begin, end }];
    });
  };
}
