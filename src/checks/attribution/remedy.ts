import type { CommitInput } from './input.ts';

/** Enough of an object name for the todo list of a rebase: git abbreviates to at least seven digits. */
const SHORT = 7;

const OBJECT_NAME = /^[0-9a-f]{7,64}$/;

type Part = 'message' | 'author' | 'committer';

/**
 * How to mend exactly these commits of the range, as text whose lines with four leading blanks can be pasted into a
 * POSIX shell: an amend where only the head is meant, else a rebase that stops at them and no others.
 */
export function commitRemedy(
  range: readonly CommitInput[],
  shas: ReadonlySet<string>,
  part: Part,
  advice: string,
): string {
  const first = range.findIndex(({ sha }) => shas.has(sha));
  const oldest = range[first];
  const head = range.at(-1);
  if (oldest === undefined || head === undefined) return advice;
  // What is pasted into a shell holds nothing but object names.
  if (![oldest.sha, ...shas].every((sha) => OBJECT_NAME.test(sha))) return advice;
  const change = AMENDS[part];
  if (oldest.sha === head.sha) {
    return lines([
      advice,
      `Then, with the branch checked out, ${change.says}:`,
      `    git commit --amend${change.options}`,
      PUSH,
    ]);
  }
  const rest = range.slice(first);
  const rebase = [
    'git rebase -i',
    ...(rest.some(({ parents }) => parents.length > 1) ? ['--rebase-merges'] : []),
    oldest.parents.length === 0 ? '--root' : `${oldest.sha.slice(0, 12)}~1`,
  ].join(' ');
  const names = [...shas].map((sha) => sha.slice(0, SHORT)).join('|');
  const edits = [
    `s/^pick ((${names})[0-9a-f]*)/${change.todo} \\1/`,
    `s/^merge -C ((${names})[0-9a-f]*)/merge -c \\1/`,
  ];
  const sed = `sed -i.bak -E ${edits.map((edit) => `-e '${edit}'`).join(' ')}`;
  return lines([
    advice,
    `Then, with the branch checked out, ${change.says} in ${count(shas.size)}; the editor or the rebase stops at each:`,
    `    GIT_SEQUENCE_EDITOR="${sed}" ${rebase}`,
    ...(change.todo === 'edit'
      ? [
          `    git commit --amend${change.options} && git rebase --continue`,
          `Repeat the second command until the rebase is done.`,
        ]
      : []),
    PUSH,
  ]);
}

const AMENDS: Readonly<
  Record<Part, { readonly options: string; readonly todo: 'reword' | 'edit'; readonly says: string }>
> = {
  message: { options: '', todo: 'reword', says: 'edit the message' },
  author: { options: ' --no-edit --reset-author', todo: 'edit', says: 'make yourself the author' },
  committer: { options: ' --no-edit', todo: 'edit', says: 'commit it again under your own name' },
};

const PUSH = '    git push --force-with-lease';

function count(commits: number): string {
  return commits === 1 ? 'exactly this commit' : `exactly these ${String(commits)} commits`;
}

/** How to mend a message that has not been committed. */
export function draftRemedy(advice: string): string {
  return lines([
    advice,
    'The message is kept; edit it and commit again:',
    '    git commit -e -F "$(git rev-parse --git-path COMMIT_EDITMSG)"',
  ]);
}

/** How to commit under one's own name. */
export function identityRemedy(advice: string): string {
  return lines([
    advice,
    'Drop a name that a tool has put into the environment or the configuration, and set your own:',
    '    unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL',
    '    git config user.name "YOUR NAME"',
    '    git config user.email "YOUR ADDRESS"',
  ]);
}

/** How to mend a pull request's title or description. */
export function pullRequestRemedy(part: 'title' | 'body', number: number | undefined, advice: string): string {
  const which = number === undefined ? '' : ` ${String(number)}`;
  const commands =
    part === 'title'
      ? [`    gh pr edit${which} --title "TITLE"`]
      : [
          `    gh pr view${which} --json body --jq .body > body.md`,
          '    "${EDITOR:-vi}" body.md',
          `    gh pr edit${which} --body-file body.md`,
        ];
  return lines([
    advice,
    `Edit the ${part === 'title' ? 'title' : 'description'} on the pull request's page, or:`,
    ...commands,
  ]);
}

/** How to mend what only the squash message shows. */
export function squashRemedy(advice: string): string {
  return lines([advice, 'Or take the text out of the message when you press "Squash and merge".']);
}

function lines(parts: readonly string[]): string {
  return parts.join('\n');
}
