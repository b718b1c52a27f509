import * as z from 'zod';
import { relativePathFault } from '../domain/paths.ts';
import { globFault } from './globs.ts';

// The kinds of values that the keys share. Every message follows the key's name: "`runs.exempt.people[0]` must be …".

/** Longest name, reason or other line of text. */
const MAX_LINE = 500;
const LOGIN = '[A-Za-z0-9][A-Za-z0-9_-]{0,99}';

function text(fault: (value: string) => string | undefined) {
  return z.string().check((context) => {
    const message = fault(context.value);
    if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
  });
}

/** A pattern over the repository's paths. */
export const glob = text(globFault).describe('A pattern over paths.');

/** A file of the repository, from its root. */
export const filePath = text(relativePathFault);

/** A person's login. */
export const person = z
  .string()
  .regex(new RegExp(`^${LOGIN}$`), "must be a person's login without the @, such as ada")
  .describe('The login of a person; upper and lower case are the same.');

/** A login of a person or a bot. */
export const account = z
  .string()
  .regex(new RegExp(`^${LOGIN}(?:\\[bot\\])?$`), 'must be a login without the @, such as ada or dependabot[bot]')
  .describe('The login of a person or a bot; upper and lower case are the same.');

/** A team, of the repository's own organisation where none is named. */
export const team = z
  .string()
  .regex(
    new RegExp(`^(?:${LOGIN}/)?[a-z0-9][a-z0-9_-]{0,99}$`),
    'must be a team without the @, such as acme/security or security',
  )
  .describe("A team, as `organisation/team` or, of the repository's own organisation, `team`.");

/** A name that GitHub shows: of a job, a status, a context. */
export const displayName = line('a name').max(100, 'must have at most 100 characters');

/** Why something is allowed. */
export const reason = line('a reason')
  .max(MAX_LINE, `must have at most ${MAX_LINE} characters`)
  .describe('Why; shown in the report.');

/** One line of text that is not blank. */
export function line(what: string) {
  return z.string().regex(/^[^\r\n]*[^\s][^\r\n]*$/, `must be ${what} on one line`);
}

/** A day of the calendar, in UTC. */
export const day = z.iso.date('must be a day of the calendar, such as 2027-01-31');

/** The key of a trailer in a commit message. */
export const trailerKey = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, "must be a trailer's key without the colon, such as Assisted-by");

/** One item, or a list of them. */
export function oneOrMore<T extends z.ZodType>(item: T) {
  return z.union([item, z.array(item).min(1, 'must have at least one entry')]);
}

/** People of whom one has to approve. */
export const demand = z
  .strictObject({
    teams: z.array(team).default([]).describe('Members of these teams may give it.'),
    people: z.array(person).default([]).describe('These people may give it.'),
  })
  .describe(
    'One permitted person of the teams or people named has to approve; where neither is named, any permitted person.',
  );
