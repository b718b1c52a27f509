import type { Rule } from '../rule.ts';

const ROTATE =
  'Revoke it at its provider and make a new one, keep that in a secret store, and read it from there. Removing the ' +
  'line is not enough: what was pushed can be read from the history.';
const ALLOW =
  'If it is no credential, write `countersign:allow <rule> -- <reason>` in a comment on the line and have a ' +
  'permitted person confirm it.';

const token = (provider: string, example: string): Rule => ({
  title: `${/^(?:[AO]|npm)/.test(provider) ? 'An' : 'A'} ${provider} stands in the text.`,
  severity: 'block',
  why: `Whoever can read the repository, its forks or its history can use the ${provider}.`,
  remedy: `${ROTATE} ${ALLOW}`,
  example,
});

/** The rules about secrets: credentials in text, files that hold them, and exceptions to both. */
export const SECRET_RULES = {
  'secrets/github-token': token('GitHub token', 'TOKEN=ghp_<36 letters and digits>'),
  'secrets/gitlab-token': token('GitLab token', 'glpat-<20 or more characters>'),
  'secrets/npm-token': token('npm token', '//registry.example.com/:_authToken=npm_<36 letters and digits>'),
  'secrets/openai-key': token('OpenAI key', 'OPENAI_API_KEY=sk-proj-<characters>'),
  'secrets/anthropic-key': token('Anthropic key', 'sk-ant-api03-<characters>'),
  'secrets/google-key': token('Google key', 'AIza<35 characters>'),
  'secrets/aws-key': token('AWS access key', 'AKIA<16 capitals and digits>, or ASIA… for a temporary one'),
  'secrets/slack-token': token('Slack token', 'xoxb-<digits>-<digits>-<characters>'),
  'secrets/stripe-key': token('Stripe key', 'sk_live_<24 or more characters>'),
  'secrets/jwt': token('JSON Web Token', 'Bearer eyJ<header>.eyJ<claims>.<signature>'),
  'secrets/private-key': token('private key', '-----BEGIN <kind> PRIVATE KEY-----'),
  'secrets/provider-token': token("provider's token", 'a Hugging Face, SendGrid, Vault or Figma token'),
  'secrets/password': {
    title: 'A password is assigned in the text.',
    severity: 'block',
    why: 'A password in a file is known to everyone who can read the file, and it seldom protects one thing only.',
    remedy: `${ROTATE} ${ALLOW}`,
    example: '{"password": "<a real one>"}',
  },
  'secrets/url-password': {
    title: 'A URL carries a password or a token.',
    severity: 'block',
    why: 'Addresses are copied, logged and shown; the password in one goes along.',
    remedy: `Take the part before the @ out of the address and let a credential helper give it. ${ROTATE} ${ALLOW}`,
    example: 'postgres://app:<password>@db.example.org/app',
  },
  'secrets/generic': {
    title: 'A generated value is assigned to the name of a secret.',
    severity: 'block',
    why: 'The name says secret, token or key, and the value has the randomness of one.',
    remedy: `${ROTATE} ${ALLOW}`,
    example: 'apiKey = "<32 random characters>"',
  },
  'secrets/git-config': {
    title: 'A git configuration holds a credential.',
    severity: 'block',
    why: 'Every program that can read the working copy can read it, an agent among them.',
    remedy:
      'Take it out of the address or header (`git remote set-url`, `git config --unset-all`), use a credential ' +
      'helper, and revoke the old one.',
    example: '[remote "origin"] url = https://user:<token>@github.com/o/r.git',
  },
  'secrets/file-tracked': {
    title: 'A file that holds secrets by its name or content is tracked.',
    severity: 'block',
    why: 'Everyone who clones the repository gets it, and so does everyone who ever will.',
    remedy:
      'Stop tracking it (`git rm --cached`), ignore it, commit an example without values instead, and revoke what ' +
      'it held if it held anything.',
    example: '.env',
  },
  'secrets/file-tracked-ignored': {
    title: 'A file that holds secrets is tracked although an ignore rule names it.',
    severity: 'block',
    why: 'Ignore rules do not touch files that are tracked: it looks protected and is not.',
    remedy: 'Stop tracking it (`git rm --cached`); the rule takes effect then. Revoke what the file held.',
    example: '.env.prod, tracked, with `.env.prod` in .gitignore',
  },
  'secrets/file-not-ignored': {
    title: 'A file that holds secrets lies in the working copy and no rule ignores it.',
    severity: 'warn',
    why: 'The next `git add .` commits it.',
    remedy: 'Add it to .gitignore, or to .git/info/exclude if only this copy has it.',
    example: '.env.local with only `.env` in .gitignore',
  },
  'secrets/ignore-rule-removed': {
    title: 'A change takes away an ignore rule that covered files which hold secrets.',
    severity: 'block',
    why: 'The files themselves do not show in this change; the next one would bring them in unseen.',
    remedy: 'Keep the rule, or take back the negation that undoes it.',
    example: '-.env in .gitignore, or +!.env after it',
  },
  'secrets/allow-unconfirmed': {
    title: 'An exception is written in the same change as what it excepts.',
    severity: 'warn',
    why: 'Whoever can write the secret can write the comment too; it counts when it stood on the base or a person confirms it.',
    remedy: 'Have a permitted person confirm it on this pull request, or take both out.',
    example: 'key = "…" // countersign:allow <rule> -- test vector',
  },
  'secrets/allow-malformed': {
    title: 'An exception names no rule or gives no reason.',
    severity: 'warn',
    why: 'An exception without a reason cannot be reviewed, so it does not count.',
    remedy: 'Write `countersign:allow <rule> -- <reason>` with a rule of this page and a reason.',
    example: '// countersign:allow <rule>',
  },
  'secrets/allow-unused': {
    title: 'An exception excepts nothing.',
    severity: 'note',
    why: 'It would silently cover whatever is written there next.',
    remedy: 'Remove the comment.',
  },
  'secrets/baseline-unused': {
    title: 'An entry of the baseline fits nothing any more.',
    severity: 'note',
    why: 'What it listed was mended or moved; the entry only makes the list longer.',
    remedy: 'Remove the entry from the baseline.',
  },
  'secrets/not-scanned': {
    title: 'A text was not looked at for secrets.',
    severity: 'block',
    why: 'It is over the size limit or cannot be decoded; nothing is known about it.',
    remedy: 'Keep it out of the change or make it smaller; a large binary belongs into large file storage.',
  },
} as const satisfies Record<string, Rule>;

export type SecretRuleId = keyof typeof SECRET_RULES;

/** Whether a text names one of the rules about secrets. */
export function isSecretRule(id: string): id is SecretRuleId {
  return Object.hasOwn(SECRET_RULES, id);
}
