/**
 * What switches a hook off for one process, by the names that a neighbouring tool already uses. Only the exact value
 * `true` counts: a guard that `1`, `TRUE` or a typing error switched off would be off by accident.
 */
export const OFF_SWITCHES = {
  attribution: 'DISABLE_OSPEC_ATTRIBUTION_CHECK',
  secrets: 'DISABLE_AGENT_SHIELD',
} as const;

/** Whether a hook's switch is set. */
export function isSwitchedOff(hook: keyof typeof OFF_SWITCHES, environment: NodeJS.ProcessEnv): boolean {
  return environment[OFF_SWITCHES[hook]] === 'true';
}
