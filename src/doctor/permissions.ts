import { APP_MANIFEST } from './app-manifest.ts';
import { ill, ok } from './diagnosis.ts';
import type { Diagnosis } from './diagnosis.ts';

type PermissionName = keyof typeof APP_MANIFEST.default_permissions;

/** What a permission of the App is for, and whether verdicts need it or only what is said. */
export interface PermissionUse {
  readonly use: string;
  readonly needed: 'always' | 'sometimes';
}

export const PERMISSION_USES = {
  contents: { use: 'the files of base and head, and who pushed them', needed: 'always' },
  metadata: {
    use: 'the repository itself, and what people may do in it; GitHub grants it to every App',
    needed: 'always',
  },
  pull_requests: {
    use: 'pull requests, reviews and comments; writing the comment, reactions and answers',
    needed: 'always',
  },
  checks: { use: 'the three check runs', needed: 'always' },
  statuses: { use: 'the commit status, with COMMIT_STATUS=on', needed: 'sometimes' },
  actions: { use: 'workflow runs and jobs, as evidence of tests', needed: 'always' },
  merge_queues: { use: 'events of merge queues', needed: 'sometimes' },
  members: { use: 'whether somebody is of a team that the configuration names', needed: 'sometimes' },
} as const satisfies Record<PermissionName, PermissionUse>;

/** What each event is heard for. */
export const EVENT_USES = {
  check_run: 'jobs that end, and the buttons of the check runs',
  check_suite: '"Re-run all checks"',
  issue_comment: 'commands and decisions',
  merge_group: 'merge queues',
  pull_request: 'pull requests and their heads',
  pull_request_review: 'reviews',
  push: 'changes of the rules on the base',
  repository: 'renames and transfers',
  workflow_run: 'tests that end',
} as const satisfies Record<(typeof APP_MANIFEST.default_events)[number], string>;

type Granted = Readonly<Record<string, string>>;

const RANK: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 };
const rank = (access: string | undefined): number => RANK[access ?? ''] ?? 0;

/** Permissions that are missing or too low, with what is asked for. */
function lacking(granted: Granted): { readonly name: PermissionName; readonly access: string }[] {
  return Object.entries(APP_MANIFEST.default_permissions)
    .filter(([name, access]) => rank(granted[name]) < rank(access))
    .map(([name, access]) => ({ name: name as PermissionName, access }));
}

const named = (lacks: readonly { readonly name: string; readonly access: string }[]): string =>
  lacks.map(({ name, access }) => `${name}: ${access}`).join(', ');

const uses = (lacks: readonly { readonly name: PermissionName }[]): string =>
  `${lacks.map(({ name }) => `${name} is for ${PERMISSION_USES[name].use}`).join('; ')}.`;

const weight = (lacks: readonly { readonly name: PermissionName }[]): 'warn' | 'fail' =>
  lacks.some(({ name }) => PERMISSION_USES[name].needed === 'always') ? 'fail' : 'warn';

/** Whether the App asks for what its manifest asks for, and no more. @param page where its settings are */
export function permissionCheck(granted: Granted, page: string): Diagnosis {
  const check = 'App permissions';
  const lacks = lacking(granted);
  const who = 'whoever owns the App';
  if (lacks.length > 0) {
    return ill(check, weight(lacks), {
      ...{ detail: `The App does not ask for ${named(lacks)}.`, why: uses(lacks), who },
      remedy: `Add them at ${page}/permissions; each installation then has to accept them.`,
    });
  }
  const asked: Granted = APP_MANIFEST.default_permissions;
  const extra = Object.entries(granted).filter(([name, access]) => rank(access) > rank(asked[name]));
  if (extra.length === 0) return ok(check, `as in app.yml (${Object.keys(asked).length})`);
  return ill(check, 'warn', {
    detail: `The App asks for more than it uses: ${named(extra.map(([name, access]) => ({ name, access })))}.`,
    why: 'Whoever gets hold of its key can do all that it may.',
    ...{ remedy: `Take them away at ${page}/permissions.`, who },
  });
}

/** Whether an installation has accepted what the App asks for. @param page of the installation's settings */
export function acceptedCheck(granted: Granted, app: Granted, page: string): Diagnosis {
  const check = 'accepted permissions';
  const open = lacking(granted).filter(({ name, access }) => rank(app[name]) >= rank(access));
  if (open.length === 0) return ok(check, 'all that the App asks for');
  return ill(check, weight(open), {
    ...{ detail: `Not accepted yet: ${named(open)}.`, why: uses(open) },
    ...{ remedy: `Accept them at ${page}.`, who: 'an owner of the account that it is installed on' },
  });
}

/** Whether the App hears what it has to. */
export function eventCheck(events: readonly string[], page: string): Diagnosis {
  const check = 'App events';
  const missing = APP_MANIFEST.default_events.filter((event) => !events.includes(event));
  if (missing.length === 0) return ok(check, `as in app.yml (${APP_MANIFEST.default_events.length})`);
  return ill(check, missing.includes('pull_request') ? 'fail' : 'warn', {
    detail: `The App does not hear of ${missing.join(', ')}.`,
    why: `Verdicts then wait for the next sweep: ${missing.map((event) => `${event} tells of ${EVENT_USES[event]}`).join('; ')}.`,
    ...{ remedy: `Subscribe to them at ${page}/permissions.`, who: 'whoever owns the App' },
  });
}
