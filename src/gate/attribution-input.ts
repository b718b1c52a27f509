import type { Account, AttributionInput, CommitInput, Person } from '../checks/attribution/input.ts';
import type { CommitFacts, Facts, Identity } from './facts.ts';

const TYPES = { user: 'User', bot: 'Bot', app: 'Bot', unknown: undefined } as const;

/** The facts as the attribution check takes them. */
export function attributionInput({ commits, subject, last_pusher }: Facts): AttributionInput {
  const author = accountOf(subject.author);
  return {
    commits: commits.map((commit) => commitInput(commit, commit.sha === subject.head.sha ? last_pusher : undefined)),
    pullRequest: {
      title: subject.title,
      body: subject.body,
      ...(subject.number === undefined ? {} : { number: subject.number }),
      ...(author === undefined ? {} : { author }),
    },
  };
}

// Of the pusher only the last push is known, so only the head is known to be theirs.
function commitInput(commit: CommitFacts, lastPusher: Identity | undefined): CommitInput {
  const pusher = accountOf(lastPusher);
  return {
    sha: commit.sha,
    author: personInput(commit.author),
    committer: personInput(commit.committer),
    message: commit.message,
    verified: commit.verified,
    parents: commit.parents,
    ...(pusher === undefined ? {} : { pusher }),
  };
}

function personInput({ name, email, login, id, type }: Identity): Person {
  return {
    name,
    email,
    ...(login === undefined ? {} : { login }),
    ...(id === undefined ? {} : { id }),
    ...(TYPES[type] === undefined ? {} : { type: TYPES[type] }),
  };
}

function accountOf(identity: Identity | undefined): Account | undefined {
  if (identity?.login === undefined) return undefined;
  const { name: _name, email: _email, login, ...rest } = personInput(identity);
  return { ...rest, login: login ?? identity.login };
}
