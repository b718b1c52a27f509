import type { OperationId } from '../openapi/used.ts';
import type { Handler, Routes } from '../http/call.ts';
import { ACTIONS_ROUTES } from './actions.ts';
import { APP_ROUTES } from './apps.ts';
import { CHECK_RUN_ROUTES } from './check-runs.ts';
import { CHECK_SUITE_ROUTES } from './check-suites.ts';
import { COMMENT_ROUTES } from './comments.ts';
import { COMMIT_ROUTES } from './commits.ts';
import { GIT_ROUTES } from './git.ts';
import { HOOK_ROUTES } from './hooks.ts';
import { PEOPLE_ROUTES } from './people.ts';
import { PULL_ROUTES } from './pulls.ts';
import { REF_ROUTES } from './refs.ts';
import { REPOSITORY_ROUTES } from './repositories.ts';
import { REVIEW_ROUTES } from './reviews.ts';
import { RULE_ROUTES } from './rules.ts';
import { STATUS_ROUTES } from './statuses.ts';

/** What answers each operation. */
export const ROUTES: Routes = {
  ...ACTIONS_ROUTES,
  ...APP_ROUTES,
  ...CHECK_RUN_ROUTES,
  ...CHECK_SUITE_ROUTES,
  ...COMMENT_ROUTES,
  ...COMMIT_ROUTES,
  ...GIT_ROUTES,
  ...HOOK_ROUTES,
  ...PEOPLE_ROUTES,
  ...PULL_ROUTES,
  ...REF_ROUTES,
  ...REPOSITORY_ROUTES,
  ...REVIEW_ROUTES,
  ...RULE_ROUTES,
  ...STATUS_ROUTES,
};

export function handlerOf(id: OperationId): Handler {
  const handler = ROUTES[id];
  if (handler === undefined) throw new Error(`The sandbox has no handler for ${id}.`);
  return handler;
}
