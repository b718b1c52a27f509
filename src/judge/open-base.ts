import type { Facts } from '../gate/facts.ts';
import { line } from '../render/visible.ts';

/** Characters of a branch's name that the name of a status or check run shows. */
const SHOWN_REF = 100;

/**
 * What is put behind the name of a status or check run: nothing where the base is guarded (the default branch, or
 * protected). A verdict about a branch that anybody may push to goes by a name of its own: by the name that a protection
 * requires, the commit could at once be merged elsewhere, together with what lies on that branch.
 */
export function nameSuffix({ subject: { base } }: { readonly subject: Pick<Facts['subject'], 'base'> }): string {
  return base.guarded === false ? ` (into ${line(base.ref, SHOWN_REF)})` : '';
}
