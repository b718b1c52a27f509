/** A button of a check run. */
export interface CheckAction {
  readonly label: string;
  readonly description: string;
  /** What the `check_run.requested_action` event then names. */
  readonly identifier: string;
}

/** Buttons of a check run, and characters of their texts (GitHub REST, "Create a check run": `actions`). */
export const CHECK_ACTION_LIMITS = { actions: 3, label: 20, description: 40, identifier: 20 } as const;

/** @throws TypeError for more or longer ones than GitHub takes: they are all written by this program */
export function assertActions(actions: readonly CheckAction[]): void {
  if (actions.length > CHECK_ACTION_LIMITS.actions) throw new TypeError(`${actions.length} actions of a check run`);
  for (const action of actions) {
    for (const field of ['label', 'description', 'identifier'] as const) {
      const { length } = action[field];
      if (length === 0 || length > CHECK_ACTION_LIMITS[field])
        throw new TypeError(`${field} '${action[field]}' of an action has ${length} characters`);
    }
  }
}
