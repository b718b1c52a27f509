/**
 * What the readers of documents see of a project: paths are relative to the root, with `/`. Links are
 * followed, but each step must stay strictly inside its parent folder (Rapid OS 3.0.0 does the same).
 * Implementations: a working tree on disk, a commit, a set of documents in memory.
 */
export interface Tree {
  /** What stands at a path. Never throws: what cannot be told is an entry of its own. */
  look(path: string): Entry;
  /** The entries of a folder by code point of their names; links are reported, not followed. */
  list(path: string): readonly ListedEntry[];
  /** The bytes of a regular file. Throws only what `look` could not foresee. */
  read(path: string): Uint8Array;
  /** Size and SHA-256 of a regular file's bytes, as they are now. */
  measure(path: string): Measure;
}

export interface Measure {
  readonly size: number;
  readonly sha256: string;
}

/** `link`: a symbolic link stands at the path itself or at a step to it. */
export type Entry =
  | { readonly kind: 'file'; readonly link: boolean }
  | { readonly kind: 'folder'; readonly link: boolean }
  | { readonly kind: 'absent'; readonly link: boolean }
  /** A device, a socket, a submodule: neither file nor folder. */
  | { readonly kind: 'other'; readonly link: boolean }
  /** `at`: the step whose link leaves its parent folder. */
  | { readonly kind: 'escapes'; readonly at: string }
  /** `at`: the step that should be a folder and is not. */
  | { readonly kind: 'not-a-folder'; readonly at: string }
  /** A loop of links, a name too long, no permission. */
  | { readonly kind: 'unreadable'; readonly cause: unknown };

export interface ListedEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}
