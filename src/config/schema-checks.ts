import * as z from 'zod';
import { layered, ordered } from './layering.ts';
import { account, day, demand, filePath, glob, line, oneOrMore, reason, trailerKey } from './values.ts';
import { ATTRIBUTION_MODES, ENFORCEMENTS } from './words.ts';

const until = day.optional().describe('The last day on which it is allowed, in UTC; afterwards the finding is back.');

export const scope = z
  .strictObject({
    enforce: layered(
      z
        .enum(ENFORCEMENTS)
        .default('block')
        .describe("What a changed file outside the `affected_paths` that the run's spec declares means."),
      ordered(ENFORCEMENTS),
    ),
    allow: layered(z.array(glob).default([]).describe('Files that any run may change, such as lockfiles.'), {
      by: 'intersection',
    }),
  })
  .prefault({})
  .describe('Whether a pull request stays inside what its spec declares.');

const attributionAllowance = z.strictObject({
  text: line('a text')
    .max(300, 'must have at most 300 characters')
    .describe(
      "A name, an address, an account or a trailer's value that is none of a model; compared as a whole, upper and lower case are the same.",
    ),
  rule: line('the id of a rule').optional().describe('The one rule that it is allowed under; else all of attribution.'),
  reason,
  until,
});

export const attribution = z
  .strictObject({
    mode: layered(
      z
        .enum(ATTRIBUTION_MODES)
        .default('forbid')
        .describe(
          '`forbid`: no credit to a model or agent. `forbid-mention`: not even the names of models and vendors. `require-disclosure`: commits made with an agent must carry the trailer named by `disclosure`. `off`: nothing is looked for.',
        ),
      // Neither of disclosing and not naming is stricter than the other.
      ordered(['off', 'require-disclosure'], ['off', 'forbid', 'forbid-mention']),
    ),
    disclosure: layered(
      trailerKey.default('Assisted-by').describe('The trailer that `mode: require-disclosure` asks for.'),
      { by: 'organisation' },
    ),
    identities: layered(
      z
        .array(line('an address or an account').max(200, 'must have at most 200 characters'))
        .default([])
        .describe(
          'Further identities of agents, beside the built-in ones: addresses such as `agent@acme.example`, or accounts such as `acme-coder[bot]`. They also count for `runs.required: agents`.',
        ),
      { by: 'union' },
    ),
    trailers: layered(
      z
        .array(trailerKey)
        .default([])
        .describe('Further trailer keys that only agents write, beside the built-in ones.'),
      { by: 'union' },
    ),
    allow_keys: layered(
      z
        .array(trailerKey)
        .default([])
        .describe('Trailer keys that are allowed although they give credit, such as `Assisted-by`.'),
      { by: 'intersection' },
    ),
    allow: layered(z.array(attributionAllowance).default([]).describe('Texts that look like a model and are none.'), {
      by: 'intersection',
    }),
    bots: layered(
      z
        .array(account)
        .default([])
        .describe(
          'Bots whose own commits are exempt, beside the known dependency bots. It takes a verified signature or the account that the platform names; a name written into a commit is not enough.',
        ),
      { by: 'intersection' },
    ),
  })
  .prefault({})
  .describe('Credit to models and agents in commits, title and body.');

const secretAllowance = z.strictObject({
  rule: line('the id of a rule').describe('The id of the rule, as the finding shows it.'),
  paths: z.array(glob).min(1, 'must have at least one pattern').describe('Where it is allowed.'),
  reason,
  until,
});

export const secrets = z
  .strictObject({
    mode: layered(
      z.enum(ENFORCEMENTS).default('block').describe('What a credential or a secret-bearing file means.'),
      ordered(ENFORCEMENTS),
    ),
    files: z
      .strictObject({
        allow: layered(
          z
            .array(glob)
            .default([])
            .describe('Files that may be there although their name says that they hold secrets.'),
          { by: 'intersection' },
        ),
      })
      .prefault({})
      .describe('Secret-bearing files.'),
    allow: layered(z.array(secretAllowance).default([]).describe('Findings that are none, each with a reason.'), {
      by: 'intersection',
    }),
    baseline: layered(
      filePath
        .default('.github/countersign-baseline.json')
        .describe('The file that lists known findings; read from the base. None is there: no finding is known.'),
      { by: 'organisation' },
    ),
  })
  .prefault({})
  .describe('Credentials and secret-bearing files.');

export const controlPlane = z
  .strictObject({
    paths: layered(
      z.array(glob).default([]).describe('Further files that govern the gate, beside the built-in ones.'),
      { by: 'union' },
    ),
    approvers: layered(
      oneOrMore(demand)
        .optional()
        .describe(
          'Who has to approve an edit of them: one demand or a list of demands, each of which must be met. Default: any permitted person.',
        ),
      { by: 'union' },
    ),
  })
  .prefault({})
  .describe('The files that govern the gate: an edit of them needs a permitted person.');
