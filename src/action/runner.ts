import { Refusal } from '../domain/errors.ts';
import type { RepositoryName } from '../github/api.ts';

/** What the runner says of the job (GitHub, "Variables reference: default environment variables"). */
export interface Runner {
  readonly repository: RepositoryName;
  readonly eventName: string;
  readonly eventPath: string;
  /** Without a slash at its end; on an Enterprise Server `https://HOST/api/v3`. */
  readonly apiUrl: string;
  /** The page of the workflow run. */
  readonly runUrl: URL;
  /** A folder that the runner empties after the job. */
  readonly temp: string;
  /** Path of the workflow file that runs this, where it lies in this repository. */
  readonly workflowPath: string | undefined;
  /** The full name of the ref that the workflow file is from. */
  readonly workflowRef: string | undefined;
  /** Milliseconds to wait for GitHub in all (`COUNTERSIGN_WAIT_SECONDS`); undefined: the client's own bound. */
  readonly patience: number | undefined;
  /** Whether the facts are to be written beside the report (`COUNTERSIGN_FACTS=1`). */
  readonly writesFacts: boolean;
}

/** Reads the runner's variables. @throws Refusal CS1702 where one is missing: it is no runner */
export function readRunner(environment: NodeJS.ProcessEnv): Runner {
  const must = (name: string): string => {
    const value = environment[name];
    if (value === undefined || value === '') throw new Refusal('CS1702', `${name} is not set.`, { where: name });
    return value;
  };
  const fullName = must('GITHUB_REPOSITORY');
  const [owner, repo, more] = fullName.split('/');
  if (owner === undefined || repo === undefined || owner === '' || repo === '' || more !== undefined) {
    throw new Refusal('CS1702', 'GITHUB_REPOSITORY is no owner/name.', { where: 'GITHUB_REPOSITORY' });
  }
  const server = environment['GITHUB_SERVER_URL'] ?? 'https://github.com';
  return {
    repository: { owner, repo },
    eventName: must('GITHUB_EVENT_NAME'),
    eventPath: must('GITHUB_EVENT_PATH'),
    apiUrl: (environment['GITHUB_API_URL'] ?? 'https://api.github.com').replace(/\/$/, ''),
    runUrl: new URL(`${server.replace(/\/$/, '')}/${fullName}/actions/runs/${environment['GITHUB_RUN_ID'] ?? ''}`),
    temp: must('RUNNER_TEMP'),
    workflowPath: workflowPathOf(environment['GITHUB_WORKFLOW_REF'], fullName),
    workflowRef: /@(refs\/.+)$/.exec(environment['GITHUB_WORKFLOW_REF'] ?? '')?.[1],
    patience: patienceOf(environment['COUNTERSIGN_WAIT_SECONDS']),
    writesFacts: environment['COUNTERSIGN_FACTS'] === '1',
  };
}

/** Seconds that an operator may have it wait at most: an hour, after which every limit of GitHub's is new. */
const MAX_WAIT_SECONDS = 3600;

function patienceOf(given: string | undefined): number | undefined {
  if (given === undefined || given === '') return undefined;
  const seconds = Number(given);
  if (/^\d{1,4}$/.test(given) && seconds <= MAX_WAIT_SECONDS) return seconds * 1000;
  const message = `COUNTERSIGN_WAIT_SECONDS is no number from 0 to ${MAX_WAIT_SECONDS}.`;
  throw new Refusal('CS1702', message, { where: 'COUNTERSIGN_WAIT_SECONDS', remedy: 'Correct it, or leave it out.' });
}

/**
 * The path of `owner/name/.github/workflows/file.yml@refs/…`, where it lies in this repository. A reusable workflow's
 * caller stands there, not the file with the step: see `callerOf`.
 */
function workflowPathOf(ref: string | undefined, fullName: string): string | undefined {
  const file = ref?.slice(0, ref.indexOf('@'));
  return file?.toLowerCase().startsWith(`${fullName.toLowerCase()}/`) === true
    ? file.slice(fullName.length + 1)
    : undefined;
}
