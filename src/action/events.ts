import { Refusal } from '../domain/errors.ts';
import { line } from '../render/visible.ts';

/** What an event asks to be judged. Base and head are read anew from the API: the payload only says which. */
export type Target =
  /** A pull request, and the head for which this run was started. */
  | {
      readonly kind: 'pull-request';
      readonly number: number;
      readonly headSha: string;
      /** Its base was just changed. */
      readonly retargeted: boolean;
    }
  /** The pull requests whose head is a commit: another workflow has run there. */
  | { readonly kind: 'head'; readonly headSha: string }
  | {
      readonly kind: 'merge-group';
      /** Such as `refs/heads/gh-readonly-queue/main/pr-7-<base sha>`. */
      readonly headRef: string;
      readonly headSha: string;
      readonly baseRef: string;
      readonly baseSha: string;
    }
  /** What a push brought. `before` is absent where the branch or tag is new. */
  | {
      readonly kind: 'push';
      readonly ref: string;
      readonly before: string | undefined;
      readonly after: string;
      readonly forced: boolean;
    }
  /** A branch or tag on which the workflow was started by hand. */
  | { readonly kind: 'ref'; readonly ref: string; readonly sha: string }
  /** There is nothing to judge, and that is as it should be. */
  | { readonly kind: 'nothing'; readonly why: string };

/** The events that the Action knows; a test compares this list with the documentation. */
export const EVENTS = [
  'pull_request',
  'pull_request_target',
  'pull_request_review',
  'workflow_run',
  'merge_group',
  'push',
  'workflow_dispatch',
] as const;
export type EventName = (typeof EVENTS)[number];

/** Bytes of an event file: a webhook's payload has at most 25 MB (GitHub, "Webhook events and payloads"). */
const MAX_EVENT_FILE = 26 * 1024 * 1024;

// An import of it would load all that it only makes when asked for, streams among them: a tenth of the way to the first
// call of the API.
const { readFileSync } = process.getBuiltinModule('node:fs');

/** Reads the event file. @throws Refusal CS1702 where it cannot be read or is no JSON object */
export function readPayload(path: string): unknown {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAX_EVENT_FILE) throw new RangeError('larger than any event');
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (cause) {
    throw new Refusal('CS1702', 'The event file cannot be read.', { where: 'GITHUB_EVENT_PATH', cause });
  }
}

/**
 * What an event asks for.
 * @param sha `GITHUB_SHA`, which a workflow started by hand has nowhere else
 * @throws Refusal CS1703 for an event that is not supported; CS1702 where the payload is not as GitHub describes it
 */
export function targetOf(eventName: string, payload: unknown, sha: string | undefined): Target {
  const event = EVENTS.find((one) => one === eventName);
  if (event === undefined) {
    throw new Refusal('CS1703', `Event ${line(eventName, 60)} is not supported. Supported: ${EVENTS.join(', ')}.`);
  }
  switch (event) {
    case 'pull_request':
    case 'pull_request_target':
    case 'pull_request_review':
      return pullRequest(payload);
    case 'workflow_run':
      return head(payload);
    case 'merge_group':
      return mergeGroup(payload);
    case 'push':
      return push(payload);
    case 'workflow_dispatch':
      return { kind: 'ref', ref: ref(payload, 'ref'), sha: object(sha, 'GITHUB_SHA') };
  }
}

function pullRequest(payload: unknown): Target {
  const number = at(payload, 'pull_request', 'number');
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) throw strange('pull_request.number');
  return {
    ...{ kind: 'pull-request', number, headSha: sha(payload, 'pull_request', 'head', 'sha') },
    retargeted: at(payload, 'changes', 'base') !== undefined,
  };
}

// The payload's own list of pull requests is empty for forks, and an artifact of the run could name any: the commit
// alone says which pull requests it is the head of.
function head(payload: unknown): Target {
  return { kind: 'head', headSha: sha(payload, 'workflow_run', 'head_sha') };
}

function mergeGroup(payload: unknown): Target {
  if (at(payload, 'action') === 'destroyed')
    return { kind: 'nothing', why: 'The merge group was taken out of the queue.' };
  return {
    kind: 'merge-group',
    headRef: ref(payload, 'merge_group', 'head_ref'),
    headSha: sha(payload, 'merge_group', 'head_sha'),
    baseRef: ref(payload, 'merge_group', 'base_ref'),
    baseSha: sha(payload, 'merge_group', 'base_sha'),
  };
}

function push(payload: unknown): Target {
  const name = ref(payload, 'ref');
  const [before, after] = [sha(payload, 'before'), sha(payload, 'after')];
  if (isNone(after)) return { kind: 'nothing', why: `${line(name, 200)} was deleted.` };
  return {
    kind: 'push',
    ref: name,
    before: isNone(before) ? undefined : before,
    after,
    forced: at(payload, 'forced') === true,
  };
}

// A ref that did not exist before, or does not any more, has an id of noughts.
function isNone(id: string): boolean {
  return /^0+$/.test(id);
}

function sha(payload: unknown, ...steps: readonly string[]): string {
  return object(at(payload, ...steps), steps.join('.'));
}

function object(value: unknown, place: string): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{40,64}$/.test(value)) throw strange(place);
  return value;
}

function ref(payload: unknown, ...steps: readonly string[]): string {
  const value = at(payload, ...steps);
  if (typeof value !== 'string' || value === '' || value.length > 1024) throw strange(steps.join('.'));
  // A workflow that is started through the API may be given the branch's short name.
  return value.startsWith('refs/') ? value : `refs/heads/${value}`;
}

function strange(place: string): Refusal {
  return new Refusal('CS1702', `The event has no sound ${place}.`, { where: place });
}

function at(value: unknown, ...steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, step)
        ? (found as Readonly<Record<string, unknown>>)[step]
        : undefined,
    value,
  );
}
