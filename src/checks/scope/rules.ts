import type { Rule } from '../rule.ts';

export const SCOPE_RULES = {
  'scope/outside': {
    title: 'A changed file lies outside what the spec declares to affect.',
    severity: 'block',
    why: 'A reviewer reads the spec to know where to look. A change elsewhere was not planned, or not declared.',
    remedy:
      'Revert the change, or revise the spec (`countersign spec revise <spec> --path <path>`) and create a run of the new revision.',
    example: 'src/billing.py changed, affected paths are src/login/**',
  },
  'scope/undeclared': {
    title: 'The spec declares no affected paths.',
    severity: 'note',
    why: 'Without them nothing can be said about whether the change stays where it was planned.',
    remedy: 'Declare the affected paths in the next revision of the spec.',
  },
} as const satisfies Record<string, Rule>;
