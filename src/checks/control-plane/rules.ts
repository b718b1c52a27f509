import type { Rule } from '../rule.ts';

export const CONTROL_PLANE_RULES = {
  'control-plane/edited': {
    title: 'A file that governs the gate is changed.',
    severity: 'warn',
    why: 'Whoever can change the rules can make any change pass. The pull request is judged by the rules of the base, and a person has to agree to the new ones: until then the verdict waits.',
    remedy:
      'Have a permitted person review the change of these files and approve it at this head (an approving review, or the comment `/countersign approve`).',
    example: 'modified .github/workflows/ci.yml',
  },
  'control-plane/bootstrap': {
    title: 'The files that govern the gate are brought in.',
    severity: 'warn',
    why: 'Before this pull request nothing was demanded; after it, these files decide what may land. There are no older rules to judge them by, so a person has to: until then the verdict waits.',
    remedy:
      'Have a permitted person review profiles, policy and configuration, and approve them at this head (an approving review, or the comment `/countersign approve`).',
    example: 'added .rapid-os/capabilities.lock',
  },
  'control-plane/ungoverned': {
    title: 'A file that would govern the gate is changed in a repository without one.',
    severity: 'note',
    why: 'The repository has neither lock nor configuration, so nothing is demanded; the change is worth a look all the same.',
    remedy: 'Nothing has to be done. To have such changes approved, set up the gate with `countersign init`.',
    example: 'modified AGENTS.md',
  },
} as const satisfies Record<string, Rule>;

export type ControlPlaneRule = keyof typeof CONTROL_PLANE_RULES;
