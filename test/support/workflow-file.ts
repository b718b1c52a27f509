import { parse } from 'yaml';

/** What of a workflow file says when the Action runs, with which token and inputs. */
export interface ActionJob {
  readonly job: string;
  readonly needs: readonly string[];
  readonly always: boolean;
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>;
  readonly with: Readonly<Record<string, string>>;
}

interface WorkflowYaml {
  readonly on: unknown;
  readonly permissions?: Record<string, 'read' | 'write'>;
  readonly jobs: Record<
    string,
    {
      readonly needs?: string | string[];
      readonly if?: string;
      readonly permissions?: Record<string, 'read' | 'write'>;
      readonly steps?: readonly { readonly uses?: string; readonly with?: Record<string, unknown> }[];
    }
  >;
}

/** The job with the Action that an event starts; undefined where the file does not ask for the event. */
export function actionJob(text: string, event: string, action: string | null): ActionJob | undefined {
  const workflow = parse(text) as WorkflowYaml;
  if (!isAskedFor(workflow.on, event, action)) return undefined;
  for (const [job, { needs = [], steps = [], permissions, if: condition }] of Object.entries(workflow.jobs)) {
    const step = steps.find(({ uses }) => /\/countersign@/.test(uses ?? ''));
    if (step === undefined) continue;
    return {
      job,
      needs: [needs].flat(),
      always: condition === 'always()',
      permissions: permissions ?? workflow.permissions ?? {},
      with: Object.fromEntries(Object.entries(step.with ?? {}).map(([name, value]) => [name, String(value)])),
    };
  }
  throw new Error('No job of this workflow has the Action.');
}

/** Activity types that start a workflow where it names none (Actions docs, "Events that trigger workflows"). */
const STANDARD: Readonly<Record<string, readonly string[]>> = {
  pull_request: ['opened', 'synchronize', 'reopened'],
  pull_request_target: ['opened', 'synchronize', 'reopened'],
};

function isAskedFor(on: unknown, event: string, action: string | null): boolean {
  if (typeof on === 'string') return on === event;
  if (Array.isArray(on)) return on.includes(event);
  if (typeof on !== 'object' || on === null || !Object.hasOwn(on, event)) return false;
  const filter = (on as Readonly<Record<string, { readonly types?: readonly string[] } | null>>)[event];
  const types = filter?.types ?? STANDARD[event];
  return types === undefined || action === null || types.includes(action);
}
