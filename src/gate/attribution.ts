import { checkAttribution } from '../checks/attribution/check.ts';
import type { Account, AttributionInput, Person as Named, PullRequestInput } from '../checks/attribution/input.ts';
import type { FindingDraft } from '../checks/finding.ts';
import type { Config } from '../config/schema.ts';
import { attributionOptions } from './attribution-options.ts';
import type { Facts, Identity } from './facts.ts';
import { utcDay } from './people.ts';

/** Credit to models and agents in the commits, the title and body, and the message that squashing would make. */
export function attributionFindings(facts: Facts, config: Config): FindingDraft[] {
  return checkAttribution(attributionInput(facts), attributionOptions(config, utcDay(facts.now)));
}

/** The facts as the attribution check takes them. */
export function attributionInput(facts: Facts): AttributionInput {
  return {
    commits: facts.commits.map((commit) => ({
      sha: commit.sha,
      parents: commit.parents,
      author: named(commit.author),
      committer: named(commit.committer),
      message: commit.message,
      verified: commit.verified,
      ...optional('pusher', accountOf(commit.pusher)),
    })),
    ...optional('pullRequest', pullRequestOf(facts)),
    ...optional('squash', facts.subject.squash),
    ...optional('mergeMessage', facts.subject.merge_message),
  };
}

// A branch that is judged locally has no title and body unless they were given.
function pullRequestOf({ subject }: Facts): PullRequestInput | undefined {
  if (subject.kind !== 'pull-request' && subject.title === '' && subject.body === '') return undefined;
  return {
    title: subject.title,
    body: subject.body,
    ...optional('number', subject.number),
    ...optional('author', accountOf(subject.author)),
  };
}

const TYPES = { user: 'User', bot: 'Bot', app: 'Bot' } as const;

function named({ name, email, login, id, type }: Identity): Named {
  return {
    name,
    email,
    ...optional('login', login),
    ...optional('id', id),
    ...(type === 'unknown' ? {} : { type: TYPES[type] }),
  };
}

function accountOf(identity: Identity | undefined): Account | undefined {
  if (identity?.login === undefined) return undefined;
  const { login, id, type } = identity;
  return { login, ...optional('id', id), ...(type === 'unknown' ? {} : { type: TYPES[type] }) };
}

function optional<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T };
}
