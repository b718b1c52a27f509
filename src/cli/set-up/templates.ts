import type { TestWorkflow } from './workflows.ts';

/** Where editors find the schema of the configuration: in the package, where it is installed in the repository. */
export const SCHEMA = '../node_modules/countersign/schemas/countersign.schema.json';
/** Stands where the commit of a release belongs. No commit has this id, so a workflow that was not finished fails. */
export const UNPINNED = '0'.repeat(40);

export const ATTRIBUTES = '.rapid-os/** -text';

/** `.gitattributes` of a repository that has none. */
export const GITATTRIBUTES = `# Digests cover the bytes of these documents, so git must not convert their line ends.\n${ATTRIBUTES}\n`;

// Where nothing was found the keys are commentary too: an empty map has no effect, and `doctor` warns of it.
const NO_EVIDENCE = ['# evidence:', '#   tests:'];

/** `.github/countersign.yml` to start from. */
export function configTemplate(tests: readonly TestWorkflow[], setup: readonly (readonly string[])[]): string {
  const workflows =
    tests.length > 0
      ? ['    workflows:', ...tests.flatMap(workflowLines)]
      : ['    # workflows:', '    #   - path: .github/workflows/ci.yml', '    #     jobs: [test]'];
  const commands =
    setup.length > 0
      ? ['    setup:', ...setup.map((words) => `      - [${words.map(scalar).join(', ')}]`)]
      : ['    # setup:', '    #   - [npm, ci]'];
  return `${[
    `# yaml-language-server: $schema=${SCHEMA}`,
    '#',
    '# How Countersign judges pull requests. It is read at their base, never from their head: a change of this file takes',
    '# effect once it is merged, and needs the approval of a permitted person. All keys: docs/reference/config.md of',
    '# Countersign.',
    'version: 1',
    '',
    '# observe: tells nothing. warn: the check succeeds and the comment tells what it would have been. enforce: it fails.',
    'mode: enforce',
    '',
    '# Every pull request needs a governed run, except those of dependency bots and those that change documentation only.',
    'runs:',
    '  required: always',
    '  exempt:',
    "    people: ['dependabot[bot]', 'renovate[bot]']",
    '    paths: [docs/]',
    '',
    ...(tests.length > 0 || setup.length > 0 ? ['evidence:', '  tests:'] : NO_EVIDENCE),
    '    # Jobs whose success shows that the tests ran. Without any, gate.tests stays unverified.',
    ...workflows,
    '    # What makes a fresh checkout ready for the tests, for `countersign evaluate --rerun`.',
    ...commands,
  ].join('\n')}\n`;
}

function workflowLines({ path, jobs, sign }: TestWorkflow): string[] {
  const note = sign === 'name' ? ' # chosen by name: check that they run the tests' : '';
  return [`      - path: ${scalar(path)}`, `        jobs: [${jobs.map(scalar).join(', ')}]${note}`];
}

/** `.github/workflows/countersign.yml`: the Action on every event that can change a verdict. */
export function workflowTemplate(tests: readonly TestWorkflow[]): string {
  const names = tests.length > 0 ? tests : [];
  const workflowRun =
    names.length > 0
      ? [
          '  workflow_run:',
          `    workflows: [${names.map(({ name }) => scalar(name)).join(', ')}]`,
          '    types: [completed]',
        ]
      : ['  # workflow_run:', '  #   workflows: [CI]', '  #   types: [completed]'];
  return `${[
    'name: Countersign',
    '',
    'on:',
    '  pull_request:',
    '    types: [opened, reopened, synchronize, edited, ready_for_review, converted_to_draft]',
    '  pull_request_review:',
    '    types: [submitted, edited, dismissed]',
    '  merge_group:',
    '  # The names of the workflows that run the tests: the verdict waits for them.',
    ...workflowRun,
    '  workflow_dispatch:',
    '',
    'permissions: {}',
    '',
    'concurrency:',
    '  # One at a time for a head, so that no older answer is written over a newer one.',
    '  group: countersign-${{ github.event.pull_request.head.sha || github.event.workflow_run.head_sha || github.sha }}',
    '  cancel-in-progress: false',
    '',
    'jobs:',
    '  judge:',
    '    runs-on: ubuntu-24.04',
    '    timeout-minutes: 10',
    '    permissions:',
    '      actions: read # the runs of the tests',
    '      contents: read # the documents at base and head, through the API: nothing is checked out',
    '      pull-requests: write # reviews, and the comment; read is enough with comment: never',
    '      statuses: write # the verdict on the head',
    '    steps:',
    '      # Replace OWNER, and the zeros by the full commit id of a release: a tag can be moved, a commit cannot.',
    `      - uses: OWNER/countersign@${UNPINNED} # v0.1.0`,
    '        with:',
    '          publish: status # require the status `countersign` in the branch protection, not this job',
    '          fail-on: incomplete # the status says the rest: this job is red only where it could not look',
  ].join('\n')}\n`;
}

// A word where YAML takes it for one in a list, else in single quotes, where only the quote has a meaning.
function scalar(text: string): string {
  if (/^[A-Za-z./][\w./-]*$/.test(text) && !/^(?:true|false|null|y|n|yes|no|on|off)$/i.test(text)) return text;
  return `'${text.replaceAll("'", "''")}'`;
}
