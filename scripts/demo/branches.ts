import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoRepository } from './repository.ts';
import { addEvidence, agentWorks, RUN, setUpMain } from './story.ts';

export const CI = '.github/workflows/ci.yml';

const WORKFLOW = `name: CI
on: pull_request
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
      - run: node --test
`;

const CONFIG = `version: 1
evidence:
  tests:
    workflows:
      - path: ${CI}
        jobs: [test]
`;

/** Branches of the demonstration's pull requests; each stands for one outcome. */
export const BRANCHES = {
  verified: 'agent/evidence',
  'not-governed': 'readme',
  pending: 'agent/still-testing',
  unverified: 'agent/claims',
  failed: 'agent/contradicts',
  incomplete: 'agent/unreadable',
} as const;

/**
 * Makes a main branch with rules, and a branch for each outcome.
 * @param pause awaited between steps, which take a second or more; throws where somebody wants it to end
 */
export async function makeBranches(repository: DemoRepository, pause: () => Promise<void>): Promise<void> {
  repository.write(CI, WORKFLOW);
  repository.write('.github/countersign.yml', CONFIG);
  repository.write('README.md', '# Greetings\n');
  setUpMain(repository);
  await pause();

  agentWorks(repository, BRANCHES.unverified);
  await pause();
  branch(repository, BRANCHES.verified, BRANCHES.unverified);
  addEvidence(repository);
  await pause();
  branch(repository, BRANCHES.failed, BRANCHES.unverified);
  addEvidence(repository, { changed: ['src/greet.mjs', 'src/secure.mjs'] });
  await pause();
  branch(repository, BRANCHES.pending, BRANCHES.verified);
  repository.git('commit', '--quiet', '--amend', '--message', 'Add evidence of the run, while the tests still run');
  branch(repository, BRANCHES.incomplete, BRANCHES.verified);
  spoil(join(repository.root, '.rapid-os', 'runs', RUN, 'contract.json'));
  // As one commit: otherwise it would also be a ledger that was rewritten.
  repository.git('reset', '--quiet', '--soft', 'main');
  repository.commit('Refuse empty names, by a contract that says two things');
  branch(repository, BRANCHES['not-governed'], 'main');
  repository.write('README.md', '# Greetings\n\nGreets people by their names.\n');
  repository.commit('Say what it does');
}

function branch({ git }: DemoRepository, name: string, from: string): void {
  git('switch', '--quiet', '--create', name, from);
}

/** Gives a key of a document twice, with two values: readers would differ in which of them counts. */
function spoil(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\{/, '{\n  "risk": "low",'));
}
