/** Where the organisation's configuration lies. */
export interface LayerAddress {
  readonly owner: string;
  readonly repository: string;
  /** From that repository's root. */
  readonly path: string;
  /** Branch, tag or commit; the default branch where undefined. */
  readonly ref: string | undefined;
}

/** The file that is meant where `extends` names a repository only. */
export const CONFIG_PATH = '.github/countersign.yml';

const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const REPOSITORY = /^[A-Za-z0-9._-]{1,100}$/;
const SEGMENT = /^[A-Za-z0-9._ -]{1,100}$/;
// What git refuses in a ref's name, and white space: https://git-scm.com/docs/git-check-ref-format
const REF = /^(?!-)[^\s~^:?*[\\@]{1,250}$/;

/** Reads `owner/repository[/path][@ref]`; undefined where it is malformed. */
export function readExtends(text: string): LayerAddress | undefined {
  const at = text.indexOf('@');
  const ref = at < 0 ? undefined : text.slice(at + 1);
  if (ref !== undefined && (!REF.test(ref) || ref.includes('..'))) return undefined;
  const [owner = '', repository = '', ...rest] = (at < 0 ? text : text.slice(0, at)).split('/');
  if (!OWNER.test(owner) || !REPOSITORY.test(repository) || isDots(repository)) return undefined;
  if (!rest.every((segment) => SEGMENT.test(segment) && !isDots(segment))) return undefined;
  return { owner, repository, path: rest.length === 0 ? CONFIG_PATH : rest.join('/'), ref };
}

/** Why a text is no value of `extends`, or undefined where it is one. */
export function extendsFault(text: string): string | undefined {
  return readExtends(text) === undefined
    ? 'must be owner/repository[/path][@ref], such as acme/.github or acme/policies/countersign.yml@v1'
    : undefined;
}

function isDots(name: string): boolean {
  return name === '.' || name === '..';
}
