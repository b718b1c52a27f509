import { sha256 } from '../domain/json/canonical.ts';
import type { Published, Surface, Unpublished } from './result.ts';

/** Something that is about to be written. */
export interface PublicationIntent {
  readonly surface: Surface;
  /** What it is written to, within its repository: `#7`, or `<sha> <name or context>`. */
  readonly target: string;
  /** SHA-256 of what is written. */
  readonly digest: string;
}

/** What is remembered of the last publication to a target. */
export type PublicationMemory =
  | { readonly state: 'new' }
  /** Begun, and whether GitHub has it is not known: the program ended in between. It is looked for before anything. */
  | { readonly state: 'begun' }
  | { readonly state: 'finished'; readonly id: number }
  /** Somebody else publishes to this target now. */
  | { readonly state: 'lost' };

/**
 * Bookkeeping of what is written, for one repository. `begin` is called before GitHub is asked for anything, `finish`
 * once it stands there; after a failure it stays begun. Without a log everything is looked for on GitHub each time.
 * What a memory says is never believed unseen: others may have deleted or changed what was written.
 */
export interface PublicationLog {
  readonly begin: (intent: PublicationIntent) => Promise<PublicationMemory>;
  readonly finish: (intent: PublicationIntent, what: Published) => Promise<void>;
}

export type Superseded = Extract<Unpublished, { readonly why: 'superseded' }>;

/** Writes with its bookkeeping. What is not published stays begun, to be looked for the next time. */
export async function logged<T extends Published | Unpublished>(
  log: PublicationLog | undefined,
  { text, ...intent }: Omit<PublicationIntent, 'digest'> & { readonly text: string },
  write: (memory: Exclude<PublicationMemory, { readonly state: 'lost' }>) => Promise<T>,
): Promise<T | Superseded> {
  if (log === undefined) return write({ state: 'new' });
  const begun = { ...intent, digest: sha256(text) };
  const memory = await log.begin(begun);
  if (memory.state === 'lost') return { published: false, why: 'superseded' };
  const what = await write(memory);
  const end: Published | Unpublished = what;
  if (end.published) await log.finish(begun, end);
  return what;
}
