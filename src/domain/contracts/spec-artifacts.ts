import { SPEC_TEXTS } from '../format-texts.ts';
import type { ArtifactName, SpecContent } from './spec-content.ts';

/** The three texts that a spec revision renders to; its digests cover them to the letter. */
export function renderArtifacts(spec: SpecContent): Record<ArtifactName, string> {
  return {
    'requirements.md': page(`# SPEC: ${spec.title}`, [
      ['Title', text(spec.title)],
      ['Mode', spec.mode],
      ['Business Objective', text(spec.business_objective)],
      ['Problem Statement', text(spec.problem_statement)],
      ['Scope', list(spec.scope)],
      ['Out of Scope', list(spec.out_of_scope)],
      ['Actors / Users', list(spec.actors_users)],
      ['Main Flow', list(spec.main_flow)],
      ['Edge Cases', list(spec.edge_cases)],
      ['Business Rules', list(spec.business_rules)],
      ['Technical Constraints', list(spec.technical_constraints)],
      ['Affected Files / Modules', list(spec.affected_paths)],
      ['Data Impact', text(spec.data_impact)],
    ]),
    'tasks.md': page(`# TASKS: ${spec.title}`, [
      ['Implementation Tasks', list(spec.implementation_tasks, '- [ ] ')],
      ['Planning Notes', SPEC_TEXTS.planningNotes.join('\n')],
    ]),
    'acceptance.md': page(`# ACCEPTANCE: ${spec.title}`, [
      ['Acceptance Criteria', list(spec.acceptance_criteria, '- [ ] ')],
      ['Testing Strategy', list(spec.testing_strategy)],
      ['Definition of Done', SPEC_TEXTS.definitionOfDone.join('\n')],
    ]),
  };
}

function page(heading: string, sections: readonly (readonly [string, string])[]): string {
  return `${[heading, ...sections.map(([title, body]) => `## ${title}\n${body}`)].join('\n\n')}\n`;
}

function text(value: string): string {
  return value === '' ? SPEC_TEXTS.notSpecified : value;
}

function list(items: readonly string[], bullet = '- '): string {
  return items.length === 0 ? SPEC_TEXTS.notSpecified : items.map((item) => bullet + item).join('\n');
}
