/** How deep calls are followed: workflows call workflows ten deep at most ("Reuse workflows: nesting"), actions alike. */
const MAX_DEPTH = 10;

/** Files that are followed in all. */
const MAX_FILES = 100;

const CALL = /^[ \t]{0,80}(?:-[ \t]{1,20})?uses:[ \t]{1,20}["']?\.\/([^\s"'#]{1,200})/gm;

/** What some workflows call inside their repository, and in turn what that calls. */
export interface LocalCalls {
  /** Folders of actions: all below them may be run. That of the repository itself is left out: it is what is tested. */
  readonly folders: readonly string[];
  /** Files that say what is called: the workflows and the actions' own. */
  readonly files: readonly string[];
}

/**
 * Follows `uses: ./…` (Actions docs, "Workflow syntax": `jobs.<job_id>.steps[*].uses`). Whoever collects calls it again
 * once it has read the files that it names, until there are no new ones.
 * @param textOf a file's text, as far as it is known
 */
export function localCalls(textOf: (path: string) => string | undefined, workflows: readonly string[]): LocalCalls {
  const files = new Set(workflows);
  const folders = new Set<string>();
  let open: readonly string[] = workflows;
  for (let depth = 0; depth < MAX_DEPTH && open.length > 0; depth += 1) {
    const next: string[] = [];
    for (const called of open.flatMap((path) => calledBy(textOf(path)))) {
      const isFile = /\.ya?ml$/i.test(called);
      if (!isFile) folders.add(called);
      for (const file of isFile ? [called] : [`${called}/action.yml`, `${called}/action.yaml`]) {
        if (files.has(file) || files.size >= MAX_FILES) continue;
        files.add(file);
        next.push(file);
      }
    }
    open = next;
  }
  return { folders: [...folders], files: [...files] };
}

function calledBy(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(CALL)].flatMap(([, path = '']) => {
    const steps = path.split('/').filter((step) => step !== '' && step !== '.');
    return steps.length === 0 || steps.includes('..') ? [] : [steps.join('/')];
  });
}
