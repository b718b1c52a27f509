import * as z from 'zod';
import { layered, ordered } from './layering.ts';
import { DEFAULT_TEST_INPUTS, testInputFault } from './test-inputs.ts';
import { demand, displayName, line, oneOrMore } from './values.ts';
import { FINAL_VERIFICATIONS, TRUST_DEMANDS } from './words.ts';

// GitHub runs no workflow of another folder:
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#about-yaml-syntax-for-workflows
const workflow = z.strictObject({
  path: z
    .string()
    .regex(/^\.github\/workflows\/[^/\\]{1,200}\.ya?ml$/, 'must be a workflow file, such as .github/workflows/ci.yml')
    .describe('The workflow file.'),
  jobs: z
    .array(displayName)
    .min(1, 'must name at least one job')
    .describe(
      'Names of jobs as GitHub shows them, such as `test` or, called from another workflow, `ci / test`; `*` stands for any text, as in `test (*)` for a matrix. Every one named must have run and succeeded, and of a pattern every one that matches.',
    ),
});

const tests = z.strictObject({
  workflows: layered(
    z
      .array(workflow)
      .default([])
      .describe(
        'The workflow jobs whose success is the evidence for `gate.tests`, `gate.baseline` and `tests.execute`. All of them must succeed at the head. Where none is named, these gates stay unverified.',
      ),
    { by: 'union' },
  ),
  inputs: layered(
    z
      .array(
        z
          .string()
          .check((context) => {
            const message = testInputFault(context.value);
            if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
          })
          .describe('A pattern over paths; of JSON files `#key` at its end means that top-level key only.'),
      )
      .default([...DEFAULT_TEST_INPUTS])
      .describe(
        'Files that decide what the tests do. A pull request that changes one, or a workflow named above or what it calls inside the repository, has its test results counted as declared until a permitted person confirms them. A list that is written here replaces the default one.',
      ),
    { by: 'union' },
  ),
  setup: layered(
    z
      .array(z.array(line('a word')).min(1, 'must have at least one word'))
      .default([])
      .describe(
        'Commands that make a fresh checkout ready for the tests, for `evaluate --rerun`. Each is a list of words, run without a shell, such as `[npm, ci]`.',
      ),
    { by: 'organisation' },
  ),
});

const asked = (...levels: [string, ...string[]]) => z.enum(levels as [(typeof TRUST_DEMANDS)[number]]);
const reexecutable = asked('declared', 'platform', 'reexecuted');
const observable = asked('declared', 'platform');
const trustOf = (schema: z.ZodType<(typeof TRUST_DEMANDS)[number]>, what: string) =>
  layered(schema.optional().describe(what), ordered(TRUST_DEMANDS));

const trust = z.strictObject({
  'gate.workspace-isolation': trustOf(asked('declared'), 'Nothing outside the ledger can vouch for it.'),
  'gate.baseline': trustOf(reexecutable, 'The tests before the change.'),
  'gate.manual-approval': trustOf(observable, 'The approval of the contract.'),
  'gate.tests': trustOf(reexecutable, 'The tests of the change.'),
  'gate.review': trustOf(observable, "A peer's review."),
  'gate.security-review': trustOf(observable, 'The security review.'),
  'gate.migration-review': trustOf(observable, 'The review of a migration.'),
  'gate.final-verification': trustOf(observable, 'The last look.'),
});

const reviewOf = (what: string) => layered(oneOrMore(demand).optional().describe(what), { by: 'union' });

const reviews = z.strictObject({
  'gate.manual-approval': reviewOf('Who approves contracts.'),
  'gate.review': reviewOf('Who reviews.'),
  'gate.security-review': reviewOf('Who reviews for security.'),
  'gate.migration-review': reviewOf('Who reviews migrations.'),
});

export const evidence = z
  .strictObject({
    tests: tests.prefault({}).describe('What counts as evidence that the tests ran.'),
    trust: trust
      .prefault({})
      .describe(
        'The least trust that a gate needs, on top of what the profile of trust demands anyway; it cannot be lowered here. `reexecuted` means that Countersign ran the tests itself (`evaluate --rerun`).',
      ),
    final_verification: layered(
      z
        .enum(FINAL_VERIFICATIONS)
        .default('everything')
        .describe(
          '`gate.final-verification` is satisfied when everything else is (`everything`), or needs an approving review besides (`review`).',
        ),
      ordered(FINAL_VERIFICATIONS),
    ),
    reviews: reviews
      .prefault({})
      .describe(
        'Who has to approve, by gate: one demand or a list of demands, each of which must be met. One person may meet several.',
      ),
  })
  .prefault({})
  .describe('What counts as evidence, and for how much.');
