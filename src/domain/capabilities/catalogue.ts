import type { RefusalCode } from '../codes.ts';
import { Refusal } from '../errors.ts';
import { sortedUnique } from '../text/order.ts';

/** One of the eleven things that a harness can declare it is able to do. */
export interface Capability {
  readonly category: 'context' | 'repository' | 'execution' | 'workspace' | 'integration';
  readonly description: string;
}

/** The canonical capabilities, by id in code point order. The set is closed. */
export const CAPABILITIES = {
  'context.consume': { category: 'context', description: 'Takes in the compiled context of a run.' },
  'git.inspect': { category: 'repository', description: 'Reads history, status and differences with git.' },
  'git.modify': { category: 'repository', description: 'Makes commits, branches and other changes with git.' },
  'mcp.invoke': { category: 'integration', description: 'Calls tools over the Model Context Protocol.' },
  'repository.read': { category: 'repository', description: "Reads the repository's files." },
  'repository.write': { category: 'repository', description: "Creates, changes and deletes the repository's files." },
  'shell.execute': { category: 'execution', description: 'Runs shell commands.' },
  'subagents.delegate': { category: 'integration', description: 'Hands work to further agents.' },
  'tests.execute': { category: 'execution', description: "Runs the project's tests." },
  'workspace.current': { category: 'workspace', description: "Works in the repository's current working tree." },
  'workspace.isolated': { category: 'workspace', description: 'Works in an isolated working tree.' },
} as const satisfies Record<string, Capability>;

export type CapabilityId = keyof typeof CAPABILITIES;

/** All capability ids, sorted. */
export const CAPABILITY_IDS = Object.keys(CAPABILITIES) as readonly CapabilityId[];

/** Whether a text is a capability id, exactly. */
export function isCapabilityId(text: unknown): text is CapabilityId {
  return typeof text === 'string' && Object.hasOwn(CAPABILITIES, text);
}

/**
 * Checks ids that were asked for on top of what a contract requires.
 * @returns sorted, without repetitions
 * @throws Refusal `code` for an id that is none
 */
export function checkExtraCapabilities(ids: readonly string[], code: RefusalCode): CapabilityId[] {
  const bad = ids.find((id) => !isCapabilityId(id));
  if (bad !== undefined) throw new Refusal(code, `Unknown capability id '${bad}'.`);
  return sortedUnique(ids).filter(isCapabilityId);
}
