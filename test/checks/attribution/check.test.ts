import { describe, expect, it } from '@jest/globals';
import { checkAttribution, checkIdentity } from '../../../src/checks/attribution/check.ts';
import type {
  AttributionInput,
  AttributionOptions,
  CommitInput,
  PullRequestInput,
} from '../../../src/checks/attribution/input.ts';
import { squashMessage } from '../../../src/checks/attribution/squash.ts';
import { identify } from '../../../src/checks/finding.ts';

const FORBID: AttributionOptions = { mode: 'forbid' };
const ANA = { name: 'Ana Ruiz', email: 'ana@example.test' };
const GITHUB = { name: 'GitHub', email: 'noreply@github.com' };
const CLAUDE = 'Co-authored-by: Claude <noreply@anthropic.com>';
const FOOTER = '🤖 Generated with [Claude Code](https://agent.example)';

const sha = (letter: string): string => letter.repeat(40);

function commit(letter: string, message: string, more: Partial<CommitInput> = {}): CommitInput {
  return { sha: sha(letter), author: ANA, committer: ANA, message, parents: [sha('0')], ...more };
}

function blocked(input: AttributionInput, options = FORBID): string[] {
  return checkAttribution(input, options)
    .filter(({ severity }) => severity === 'block')
    .map(({ place }) => {
      if (place.at === 'commit') return `${place.sha.slice(0, 1)} ${place.part}`;
      return place.at === 'pull-request' ? place.part : place.at;
    });
}

const PULL: PullRequestInput = { number: 12, title: 'Add x', body: 'Adds x.', author: { login: 'ana', id: 7 } };

describe('commits', () => {
  it('are judged each, whatever the tool', () => {
    const commits = [
      commit('a', 'feat: cache\n\nCo-authored-by: Codex <noreply@openai.com>\n'),
      commit('b', 'feat: cache\n\nCo-authored-by: Cursor <cursoragent@cursor.com>\n'),
      commit('c', 'feat: cache\n\nCo-authored-by: aider (some-model-4) <noreply@aider.chat>\n'),
      commit('d', 'feat: cache\n'),
    ];
    expect(blocked({ commits })).toEqual(['a message', 'b message', 'c message']);
    expect(blocked({ commits: commits.toReversed() })).toEqual(['c message', 'b message', 'a message']);
  });

  it.each<[string, Partial<CommitInput>, string[]]>([
    ['an agent as the author', { author: { name: 'Codex', email: 'codex@openai.com' } }, ['a author']],
    ['an agent as the committer', { committer: { name: 'Claude', email: 'noreply@anthropic.com' } }, ['a committer']],
    ['an agent by its account id', { author: { ...ANA, id: 198982749 } }, ['a author']],
    ['an agent by its login', { author: { ...ANA, login: 'devin-ai-integration[bot]' } }, ['a author']],
    ['a disguised name', { author: { name: 'Cla\u200bude Code', email: 'x@example.test' } }, ['a author']],
    ['GitHub as the committer', { committer: GITHUB }, []],
    [
      'a person named Claude',
      { author: { name: 'Claude Monet', email: 'claude@example.test', login: 'claude-monet', id: 9 } },
      [],
    ],
    ['a person named as a tool', { author: { name: 'Gemini', email: 'gemini@example.test' } }, []],
    ['vendor staff', { author: { name: 'Sam Doe', email: 'sam.doe@anthropic.com' } }, []],
    ['someone called Codex Smith', { author: { name: 'Codex Smith', email: 's@example.test' } }, []],
  ])('%s', (_, more, expected) => {
    expect(blocked({ commits: [commit('a', 'fix: x\n', more)] })).toEqual(expected);
  });

  it('put nothing but object names into commands', () => {
    const hostile = { ...commit('a', `x\n\n${CLAUDE}\n`), sha: "$(touch x)'; rm" };
    const [found] = checkAttribution({ commits: [hostile] }, FORBID);
    expect(found?.remedy).not.toContain('    ');
  });

  it('get ids that stay when lines move', () => {
    const [first] = identify(checkAttribution({ commits: [commit('a', `x\n\n${CLAUDE}\n`)] }, FORBID));
    const [moved] = identify(checkAttribution({ commits: [commit('a', `x\n\nMore.\n\n${CLAUDE}\n`)] }, FORBID));
    expect(moved?.id).toBe(first?.id);
  });

  it('are not judged in the mode off', () => {
    const input = { commits: [commit('a', `x\n\n${CLAUDE}\n`)], pullRequest: { ...PULL, body: FOOTER } };
    expect(checkAttribution(input, { mode: 'off' })).toEqual([]);
  });
});

describe('exempt bots', () => {
  const BOT = { name: 'dependabot[bot]', email: '49699333+dependabot[bot]@users.noreply.github.com' };
  const FROM_API = { ...BOT, login: 'dependabot[bot]', id: 49699333, type: 'Bot' as const };
  const notes = `bump x\n\nFrom its release notes:\n\n${FOOTER}\n`;

  it.each<[string, Partial<CommitInput>, string[]]>([
    ['signed by GitHub', { author: FROM_API, committer: GITHUB, verified: true }, []],
    ['signed by itself', { author: FROM_API, committer: FROM_API, verified: true }, []],
    [
      'pushed by its account',
      { author: FROM_API, committer: FROM_API, pusher: { login: 'dependabot[bot]', id: 49699333 } },
      [],
    ],
    [
      'unsigned',
      { author: FROM_API, committer: GITHUB, verified: false },
      ['attribution/prose', 'attribution/unproven-bot'],
    ],
    [
      'of unknown signature',
      { author: FROM_API, committer: GITHUB },
      ['attribution/prose', 'attribution/unproven-bot'],
    ],
    [
      'under other digits',
      {
        author: { ...FROM_API, email: '900000003+dependabot[bot]@users.noreply.github.com' },
        committer: GITHUB,
        verified: false,
      },
      ['attribution/prose', 'attribution/unproven-bot'],
    ],
    [
      'signed by a person',
      { author: FROM_API, committer: ANA, verified: true },
      ['attribution/prose', 'attribution/unproven-bot'],
    ],
    [
      'pushed by a person',
      { author: FROM_API, committer: FROM_API, pusher: { login: 'ana', id: 7 } },
      ['attribution/prose', 'attribution/unproven-bot'],
    ],
    [
      'pushed by a login without id',
      { author: FROM_API, committer: FROM_API, pusher: { login: 'dependabot[bot]' } },
      ['attribution/prose', 'attribution/unproven-bot'],
    ],
    [
      'signed under another account id',
      { author: { ...FROM_API, id: 1 }, committer: GITHUB, verified: true },
      ['attribution/prose', 'attribution/unproven-bot'],
    ],
  ])('%s', (_, more, rules) => {
    const found = checkAttribution({ commits: [commit('a', notes, more)] }, FORBID);
    expect(found.map(({ rule }) => rule)).toEqual(rules);
  });

  it('raise no doubt where there is nothing to exempt', () => {
    expect(checkAttribution({ commits: [commit('a', 'bump x\n', { author: FROM_API })] }, FORBID)).toEqual([]);
  });

  it('without an id are known by the login that the platform names', () => {
    const options: AttributionOptions = { mode: 'forbid', exemptBots: [{ login: 'Acme-Bot[bot]' }] };
    const author = { name: 'acme-bot[bot]', email: 'bot@acme.example' };
    const pushedBy = (login: string) => ({ commits: [commit('a', notes, { author, pusher: { login, id: 5 } })] });
    expect(blocked(pushedBy('acme-bot[bot]'), options)).toEqual([]);
    expect(blocked(pushedBy('ana'), options)).toEqual(['a message']);
  });

  it('are those of the options', () => {
    const input = { commits: [commit('a', notes, { author: FROM_API, committer: GITHUB, verified: true })] };
    expect(blocked(input, { mode: 'forbid', exemptBots: [] })).toEqual(['a message']);
  });

  it('open pull requests whose text is not judged, by the account id', () => {
    const text = { ...PULL, title: `Bump: ${FOOTER}`, body: FOOTER };
    const squash = { title: 'PR_TITLE', message: 'PR_BODY' } as const;
    const bot = { ...text, author: { login: 'dependabot[bot]', id: 49699333 } };
    const forged = { ...text, author: { login: 'dependabot[bot]' } };
    expect(blocked({ commits: [], pullRequest: bot, squash })).toEqual([]);
    expect(blocked({ commits: [], pullRequest: forged, squash })).toEqual(['title', 'body']);
  });
});

describe('the pull request', () => {
  const commits = [commit('a', 'feat: ok\n')];
  const severities = (input: AttributionInput) =>
    checkAttribution(input, FORBID).map(({ place, severity }) => [
      place.at === 'pull-request' ? place.part : place.at,
      severity,
    ]);

  it.each<[string, Omit<AttributionInput, 'commits'>, 'block' | 'warn']>([
    ['squashes with the body', { squash: { title: 'PR_TITLE', message: 'PR_BODY' } }, 'block'],
    ['merges with the body', { mergeMessage: 'PR_BODY' }, 'block'],
    ['squashes with the commits', { squash: { title: 'PR_TITLE', message: 'COMMIT_MESSAGES' } }, 'warn'],
    ['squashes with nothing', { squash: { title: 'PR_TITLE', message: 'BLANK' } }, 'warn'],
    ['does not say', {}, 'warn'],
  ])('has a footer weighed by where it lands: the repository %s', (_, settings, expected) => {
    const input = { commits, pullRequest: { ...PULL, body: `Adds ok.\n\n${FOOTER}\n` }, ...settings };
    expect(severities(input)).toEqual([['body', expected]]);
  });

  it('blocks by its title', () => {
    expect(severities({ commits, pullRequest: { ...PULL, title: 'Add x (written by Devin)' } })).toEqual([
      ['title', 'block'],
    ]);
  });

  it('blocks hidden text wherever it lands', () => {
    expect(severities({ commits, pullRequest: { ...PULL, body: 'a\u202eb' } })).toEqual([['body', 'block']]);
  });

  it.each([
    ['a comment of the template', '<!--\nWas this written by Claude?\n-->\nNo.'],
    ['a quote', '> Generated with Claude Code'],
    ['a fence', '```\nGenerated with Claude Code\n```'],
    ['release notes in HTML', '<details>\n<blockquote>\n<p>Generated with Claude Code</p>\n</blockquote>\n</details>'],
    ['an unrelated link', 'See [the docs](https://docs.example/claude).'],
  ])('passes with %s', (_, body) => {
    expect(severities({ commits, pullRequest: { ...PULL, body } })).toEqual([]);
  });

  it.each([
    ['emphasis', '_Generated by **Claude Code**_'],
    ['HTML', '<sub>Generated with <a href="https://x.example">Claude Code</a></sub>'],
    ['an open fence', '```\nGenerated with Claude Code'],
    ['a list', '- Written by Claude'],
    ['CRLF', 'Adds x.\r\n\r\nGenerated with Claude Code\r\n'],
  ])('warns of a footer in %s', (_, body) => {
    expect(severities({ commits, pullRequest: { ...PULL, body } })).toEqual([['body', 'warn']]);
  });

  it('is told how to mend each part', () => {
    const found = checkAttribution(
      { commits, pullRequest: { ...PULL, title: 'Written by Devin', body: FOOTER } },
      FORBID,
    );
    expect(found.map(({ remedy }) => remedy.includes('    gh pr edit 12 --title "TITLE"'))).toEqual([true, false]);
    expect(found.map(({ remedy }) => remedy.includes('    gh pr edit 12 --body-file body.md'))).toEqual([false, true]);
  });
});

describe('the squash message', () => {
  const RITA = { name: 'Rita', email: 'rita@example.test', login: 'rita' };
  const own = { ...ANA, login: 'ana' };
  const two = [
    commit('a', 'feat: one\n\nWhy one.\n\nCo-authored-by: Bo <bo@example.test>\n', { author: own }),
    commit('b', 'feat: two\n', { author: RITA }),
  ];

  it.each([
    [
      'PR_TITLE',
      'PR_BODY',
      'Add x (#12)\n\nAdds x.\n\n---------\n\nCo-authored-by: Bo <bo@example.test>\nCo-authored-by: Rita <rita@example.test>\n',
    ],
    [
      'COMMIT_OR_PR_TITLE',
      'COMMIT_MESSAGES',
      'Add x (#12)\n\n* feat: one\n\nWhy one.\n\nCo-authored-by: Bo <bo@example.test>\n\n* feat: two\n\n---------\n\nCo-authored-by: Bo <bo@example.test>\nCo-authored-by: Rita <rita@example.test>\n',
    ],
    [
      'PR_TITLE',
      'BLANK',
      'Add x (#12)\n\nCo-authored-by: Bo <bo@example.test>\nCo-authored-by: Rita <rita@example.test>\n',
    ],
  ] as const)('is built of %s and %s', (title, message, expected) => {
    expect(squashMessage(PULL, two, { title, message })).toBe(expected);
  });

  it('of one commit is that commit', () => {
    const one = [commit('a', 'feat: one\n\nWhy.\n\nCo-authored-by: Bo <bo@example.test>\n', { author: own })];
    expect(squashMessage(PULL, one, { title: 'COMMIT_OR_PR_TITLE', message: 'COMMIT_MESSAGES' })).toBe(
      'feat: one (#12)\n\nWhy.\n\nCo-authored-by: Bo <bo@example.test>\n',
    );
  });

  it('shows what the description hides', () => {
    const body = `Adds x.\n\n<!-- note -->\n\n<!--\n\nWritten by Devin.\n\n-->\n`;
    const squash = { title: 'PR_TITLE', message: 'PR_BODY' } as const;
    expect(blocked({ commits: two, pullRequest: { ...PULL, body }, squash })).toEqual(['squash-message']);
    expect(blocked({ commits: two, pullRequest: { ...PULL, body }, squash: { ...squash, message: 'BLANK' } })).toEqual(
      [],
    );
  });

  it('does not say again what was found at its source', () => {
    const commits = [
      commit('a', `x\n\n${CLAUDE}\n`),
      commit('b', 'y\n', { author: { name: 'Codex', email: 'codex@openai.com' } }),
    ];
    const squash = { title: 'PR_TITLE', message: 'COMMIT_MESSAGES' } as const;
    expect(blocked({ commits, pullRequest: PULL, squash })).toEqual(['a message', 'b author']);
  });

  it('leaves out what an exempt bot committed', () => {
    const bot = { name: 'renovate[bot]', email: '29139614+renovate[bot]@users.noreply.github.com', id: 29139614 };
    const commits = [
      commit('a', `x\n\n${FOOTER}\n`, { author: bot, committer: GITHUB, verified: true }),
      commit('b', 'y\n'),
    ];
    const squash = { title: 'PR_TITLE', message: 'COMMIT_MESSAGES' } as const;
    expect(blocked({ commits, pullRequest: PULL, squash })).toEqual([]);
  });
});

describe('required disclosure', () => {
  const options: AttributionOptions = { mode: 'require-disclosure', disclosureTrailer: 'Signed-off-by' };

  it.each<[string, CommitInput, string[]]>([
    ['a commit with it', commit('a', 'x\n\nSigned-off-by: Ivo <ivo@example.com>\n'), []],
    ['a commit without it', commit('a', 'x\n'), ['a message']],
    [
      'a merge that only joins',
      commit('a', "Merge branch 'main' into topic\n", { parents: [sha('1'), sha('2')], resolvedPaths: [] }),
      [],
    ],
    ['a merge of which no more is known', commit('a', 'Merge\n', { parents: [sha('1'), sha('2')] }), []],
    [
      'a merge with content of its own',
      commit('a', 'Merge\n', { parents: [sha('1'), sha('2')], resolvedPaths: ['a.ts'] }),
      ['a message'],
    ],
    [
      'an agent that discloses itself',
      commit('a', 'x\n\nSigned-off-by: x\n', { author: { name: 'Claude', email: 'noreply@anthropic.com' } }),
      [],
    ],
  ])('%s', (_, each, expected) => {
    expect(blocked({ commits: [each] }, options)).toEqual(expected);
  });
});

describe('a person about to commit', () => {
  it('is told how to commit under a name of the own', () => {
    const [found] = checkIdentity({ name: 'Claude', email: 'noreply@anthropic.com' }, 'committer', FORBID);
    expect(found).toMatchObject({ rule: 'attribution/identity', severity: 'block', place: { at: 'repository' } });
    expect(found?.remedy).toContain('\n    unset GIT_AUTHOR_NAME');
    expect(checkIdentity(ANA, 'author', FORBID)).toEqual([]);
    expect(checkIdentity({ name: 'Claude', email: 'noreply@anthropic.com' }, 'author', { mode: 'off' })).toEqual([]);
  });
});
