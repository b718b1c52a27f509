import { OTHER_PROVIDERS } from './other-providers.ts';
import { byChecksum, LETTER_OR_DIGIT, unlessDummy, unlessWords, WORD_OR_DASH } from './provider-pattern.ts';
import type { ProviderPattern } from './provider-pattern.ts';

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
      'glwt-',
    ],
    pattern: /gl(?:pat|dt|rtr?|ptt|agent|soat|ft|imt|oas|cbt|ffct|wt)-[\w-]{20,300}(?:\.[a-z0-9]{2}\.[a-z0-9]{7,9})?/y,
    judge: unlessWords,
  },
  {
    // Runner registration tokens of before version 16.
    rule: 'secrets/gitlab-token',
    provider: 'GitLab runner token',
    keywords: ['gr1348941'],
    pattern: /GR1348941[\w-]{20,50}(?![\w-])/y,
    judge: unlessDummy,
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
    keywords: ['hooks.slack.com/', 'hooks.slack-gov.com/'],
    pattern:
      /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{5,20}\/[A-Za-z0-9]{5,24}\/[A-Za-z0-9/]{16,60}/y,
    judge: unlessDummy,
  },
  {
    rule: 'secrets/anthropic-key',
    provider: 'Anthropic key',
    keywords: ['sk-ant-'],
    // The kind of key stands behind the prefix; the first keys had none, and others may come.
    pattern: /sk-ant-[\w-]{40,300}/y,
    notAfter: WORD_OR_DASH,
    judge: unlessWords,
  },
  {
    rule: 'secrets/openai-key',
    provider: 'OpenAI key',
    keywords: ['sk-'],
    // 32 hexadecimal digits: what DeepSeek and others with OpenAI's interface give.
    pattern:
      /sk-(?:[0-9a-f]{32}(?![\w-])|(?:proj|svcacct|admin|service|None)-[\w-]{40,300}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}(?![\w-])|[A-Za-z0-9]{48}(?![\w-]))/y,
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
    rule: 'secrets/google-key',
    provider: 'Google OAuth refresh token',
    keywords: ['1//0'],
    pattern: /1\/\/0[\w-]{40,120}(?![\w-])/y,
    notAfter: WORD_OR_DASH,
    judge: (value) => unlessWords(value.slice(4)),
  },
  {
    // Of Bedrock: base64 of `BedrockAPIKey-…`.
    rule: 'secrets/aws-key',
    provider: 'AWS Bedrock key',
    keywords: ['absk'],
    pattern: /ABSKQmVkcm9ja0FQSUtleS[A-Za-z0-9+/]{60,300}={0,2}/y,
    judge: unlessDummy,
  },
  {
    // AKIA are keys of users; ABIA and ACCA are tokens and credentials of services (IAM User Guide, "Unique identifiers").
    rule: 'secrets/aws-key',
    provider: 'AWS access key id',
    keywords: ['akia', 'abia', 'acca'],
    pattern: /A(?:KI|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9_])/y,
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
  ...OTHER_PROVIDERS,
];
