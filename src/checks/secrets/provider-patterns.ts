import type { Confidence } from './match.ts';
import type { SecretRuleId } from './rules.ts';
import { hasTokenChecksum } from './checksum.ts';
import { isDummyToken, isMadeOfWords } from './placeholders.ts';

/** The form of one provider's credential. */
export interface ProviderPattern {
  readonly rule: SecretRuleId;
  readonly provider: string;
  /** ASCII texts with which a credential of this form starts; compared without case, the pattern then with it. */
  readonly keywords: readonly string[];
  /** Sticky; tried where a keyword starts. Every repetition is bounded. */
  readonly pattern: RegExp;
  /** Characters that must not stand right before it; letters where nothing is said. */
  readonly notAfter?: RegExp;
  /** How sure a text of this form is; `likely` where nothing is said, undefined if it is none after all. */
  readonly judge?: (value: string) => Confidence | undefined;
}

const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT = /[\p{L}\d]/u;
const WORD_OR_DASH = /[\p{L}\d_-]/u;

const byChecksum = (value: string): Confidence => (hasTokenChecksum(value) ? 'certain' : unlessDummy(value));
const unlessDummy = (value: string): Confidence => (isDummyToken(value) ? 'possible' : 'likely');
const unlessWords = (value: string): Confidence | undefined => (isMadeOfWords(value) ? undefined : unlessDummy(value));

/** Sources: each provider's documentation of its token formats; those of GitHub in docs/how-to/secrets.md. */
export const PROVIDER_PATTERNS: readonly ProviderPattern[] = [
  {
    rule: 'secrets/github-token',
    provider: 'GitHub token',
    keywords: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /gh[pousr]_[A-Za-z0-9]{36,250}(?![A-Za-z0-9_])/y,
    judge: byChecksum,
  },
  {
    // Installation tokens since April 2026: the App's id and a JSON Web Token.
    rule: 'secrets/github-token',
    provider: 'GitHub installation token',
    keywords: ['ghs_'],
    pattern: /ghs_[0-9]{1,20}_[A-Za-z0-9_-]{8,1000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}/y,
  },
  {
    rule: 'secrets/github-token',
    provider: 'GitHub fine-grained token',
    keywords: ['github_pat_'],
    pattern: /github_pat_[A-Za-z0-9_]{82,244}(?![A-Za-z0-9_])/y,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/gitlab-token',
    provider: 'GitLab token',
    keywords: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glptt-',
      'glagent-',
      'glsoat-',
      'glft-',
      'glimt-',
      'gloas-',
      'glcbt-',
      'glffct-',
    ],
    pattern: /gl(?:pat|dt|rtr?|ptt|agent|soat|ft|imt|oas|cbt|ffct)-[\w-]{20,300}(?:\.[a-z0-9]{2}\.[a-z0-9]{7,9})?/y,
    judge: unlessWords,
  },
  {
    rule: 'secrets/npm-token',
    provider: 'npm token',
    keywords: ['npm_'],
    pattern: /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])/y,
    judge: byChecksum,
  },
  {
    rule: 'secrets/slack-token',
    provider: 'Slack token',
    keywords: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe.xox'],
    pattern: /xox(?:[abcdeoprs]|e\.xox[bp])-[A-Za-z0-9%-]{10,300}/y,
    judge: (value) => (/\d/.test(value.slice(4)) || /[A-Za-z]{21}/.test(value) ? unlessDummy(value) : undefined),
  },
  {
    rule: 'secrets/slack-token',
    provider: 'Slack app token',
    keywords: ['xapp-'],
    pattern: /xapp-\d-[A-Za-z0-9]{1,40}-\d{1,40}-[A-Za-z0-9]{16,200}/y,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/slack-token',
    provider: 'Slack webhook',
    keywords: ['hooks.slack.com/'],
    pattern:
      /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{5,20}\/[A-Za-z0-9]{5,24}\/[A-Za-z0-9/]{16,60}/y,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/anthropic-key',
    provider: 'Anthropic key',
    keywords: ['sk-ant-'],
    pattern: /sk-ant-(?:api|admin|sid|oat|ort)\d{2}-[\w-]{40,300}/y,
    notAfter: WORD_OR_DASH,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/openai-key',
    provider: 'OpenAI key',
    keywords: ['sk-'],
    pattern:
      /sk-(?:(?:proj|svcacct|admin|service|None)-[\w-]{40,300}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}(?![\w-])|[A-Za-z0-9]{48}(?![\w-]))/y,
    notAfter: WORD_OR_DASH,
    judge: (value) => unlessWords(value.replace(/^sk-(?:[A-Za-z]+-)?/, '')),
  },
  {
    rule: 'secrets/provider-token',
    provider: 'OpenRouter key',
    keywords: ['sk-or-v1-'],
    pattern: /sk-or-v1-[0-9a-f]{64}(?![\w-])/y,
    notAfter: WORD_OR_DASH,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/google-key',
    provider: 'Google API key',
    keywords: ['aiza'],
    pattern: /AIza[\w-]{35}(?![\w-])/y,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/google-key',
    provider: 'Google OAuth client secret',
    keywords: ['gocspx-'],
    pattern: /GOCSPX-[\w-]{28}(?![\w-])/y,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/google-key',
    provider: 'Google OAuth access token',
    keywords: ['ya29.'],
    pattern: /ya29\.[\w-]{30,1000}/y,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/aws-key',
    provider: 'AWS access key id',
    keywords: ['akia'],
    pattern: /AKIA[A-Z0-9]{16}(?![A-Za-z0-9_])/y,
    notAfter: LETTER_OR_DIGIT,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/aws-key',
    provider: 'AWS temporary access key id',
    keywords: ['asia'],
    pattern: /ASIA[A-Z0-9]{16}(?![A-Za-z0-9_])/y,
    notAfter: LETTER_OR_DIGIT,
    // Sixteen capitals after a word of four are a longer word; a key has digits 2 to 7 in almost every case.
    judge: (value) => (/\d/.test(value) || /(.)\1{7}/.test(value) ? unlessDummy(value) : 'possible'),
  },
  {
    rule: 'secrets/stripe-key',
    provider: 'Stripe key',
    keywords: ['sk_live_', 'rk_live_'],
    pattern: /[sr]k_live_[A-Za-z0-9]{16,250}/y,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/stripe-key',
    provider: 'Stripe test key',
    keywords: ['sk_test_', 'rk_test_'],
    pattern: /[sr]k_test_[A-Za-z0-9]{16,250}/y,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/stripe-key',
    provider: 'Stripe webhook secret',
    keywords: ['whsec_'],
    pattern: /whsec_[A-Za-z0-9+/]{24,100}/y,
    judge: unlessDummy,
  },
];

/** Whether what stands before a match leaves it a word of its own. */
export function mayStartAfter(pattern: ProviderPattern, before: string): boolean {
  return !(pattern.notAfter ?? LETTER).test(before);
}
