/** What a code means and what a person can do; one row a code, the source of docs/reference/errors.md. */
export interface CodeEntry {
  readonly title: string;
  readonly remedy: string;
}
