import * as z from 'zod';
import { extendsFault } from './extends.ts';
import { layered, ordered } from './layering.ts';
import { promotionFault } from './mode.ts';
import { attribution, controlPlane, scope, secrets } from './schema-checks.ts';
import { evidence } from './schema-evidence.ts';
import { account, day, displayName, glob, oneOrMore } from './values.ts';
import type { demand } from './values.ts';
import { COMMENTS, MODES, PERMISSIONS, PUBLISH_FORMS, RUNS_REQUIRED, SELF_APPROVALS } from './words.ts';

const promotion = z.strictObject({
  to: z.enum(['warn', 'enforce']).describe('The mode from that day on.'),
  on: day.describe('The first day of that mode, in UTC, as YYYY-MM-DD.'),
});

const fields = {
  version: layered(z.literal(1).default(1).describe('The version of this format.'), { by: 'repository' }),
  extends: layered(
    z
      .string()
      .check((context) => {
        const message = extendsFault(context.value);
        if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
      })
      .optional()
      .describe(
        "The organisation's file, which this one can only tighten: `owner/repository[/path][@ref]`. Path: `.github/countersign.yml`; ref: the default branch. The App reads the organisation's `.github` repository by itself.",
      ),
    { by: 'repository' },
  ),
  mode: layered(
    z
      .enum(MODES)
      .default('enforce')
      .describe(
        'What a verdict does. `enforce`: the check fails. `warn`: it succeeds and the comment says what it would have been. `observe`: as `warn`, without a comment. The word VERIFIED or UNVERIFIED is the same in all three.',
      ),
    { by: 'timeline' },
  ),
  promote: layered(
    oneOrMore(promotion)
      .optional()
      .describe('The day on which the mode becomes stricter by itself, or a list of such days.'),
    { by: 'timeline' },
  ),
  runs: z
    .strictObject({
      required: layered(
        z
          .enum(RUNS_REQUIRED)
          .default('agents')
          .describe(
            'Which pull requests need a governed run: none (`never`), those in which an author, committer, pusher or marker shows an agent (`agents`; a help, not a boundary), or all (`always`). Without this file and without a lock none does.',
          ),
        ordered(RUNS_REQUIRED),
      ),
      exempt: z
        .strictObject({
          people: layered(
            z
              .array(account)
              .default([])
              .describe('Pull requests of these accounts need none; every commit must be theirs.'),
            { by: 'intersection' },
          ),
          paths: layered(
            z.array(glob).default([]).describe('Pull requests that change nothing but these files need none.'),
            { by: 'intersection' },
          ),
        })
        .prefault({})
        .describe('Pull requests that need no run whatever `required` says.'),
    })
    .prefault({})
    .describe('Which pull requests need a governed run.'),
  evidence,
  scope,
  people: z
    .strictObject({
      permission: layered(
        z
          .enum(PERMISSIONS)
          .default('write')
          .describe(
            'The least permission on the repository with which a person may decide: approve, confirm, waive, allow.',
          ),
        ordered(PERMISSIONS),
      ),
      self_approval: layered(
        z
          .enum(SELF_APPROVALS)
          .default('never')
          .describe(
            'Whether administrators may decide about a pull request of which they are the author, a committer or the last pusher. The verdict shows it.',
          ),
        ordered(SELF_APPROVALS),
      ),
    })
    .prefault({})
    .describe('Who may decide.'),
  attribution,
  secrets,
  control_plane: controlPlane,
  comment: layered(
    z
      .enum(COMMENTS)
      .default('always')
      .describe(
        'The comment on the pull request: wherever a run governs or something was found (`always`), only while it is not verified (`on-problem`), or `never`.',
      ),
    ordered(COMMENTS),
  ),
  publish: layered(
    z
      .enum(PUBLISH_FORMS)
      .default('status')
      .describe('How the Action publishes the verdict on the head: a commit `status`, a `check` run, or `none`.'),
    ordered(['none', 'status'], ['none', 'check']),
  ),
  context: layered(
    displayName
      .default('countersign')
      .describe('The name of that status or check, the one to require in branch protection.'),
    { by: 'organisation' },
  ),
};

const steps = z.object({ mode: z.enum(MODES).optional(), promote: oneOrMore(promotion).optional() });

/** `.github/countersign.yml`: the one source of types, validation, JSON Schema and reference page. */
export const configSchema = z
  .strictObject(fields)
  .refine(({ mode, promote }) => promotionFault(mode, promote) === undefined, {
    path: ['promote'],
    error: (issue) => promotionMessage(issue.input),
    // Also beside other problems, so that a person sees all of them at once.
    when: ({ value }) => steps.safeParse(value).success,
  });

function promotionMessage(input: unknown): string {
  const { mode = 'enforce', promote } = steps.parse(input);
  return promotionFault(mode, promote) ?? 'does not fit the mode';
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The configuration with every default in it. */
export type Config = DeepReadonly<z.output<typeof configSchema>>;

/** What one file says, without defaults. */
export type WrittenConfig = DeepReadonly<z.input<typeof configSchema>>;

/** What holds where nothing is written: of an empty file, and of none. */
export const DEFAULT_CONFIG: Config = configSchema.parse({});

/** People of whom one has to approve; any permitted person where neither teams nor people are named. */
export type Demand = DeepReadonly<z.output<typeof demand>>;

/** The demands of a key that takes one or a list of them. */
export function demandsOf(value: Demand | readonly Demand[] | undefined): readonly Demand[] {
  if (value === undefined) return [];
  return 'teams' in value ? [value] : value;
}
