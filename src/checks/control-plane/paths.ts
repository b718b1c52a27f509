/** What kind of control a file has over the gate. */
export type ControlKind =
  'policy' | 'profile' | 'lock' | 'config' | 'workflow' | 'code-owners' | 'agent-instructions' | 'configured';

interface Pattern {
  readonly kind: ControlKind;
  /** Whole paths. */
  readonly paths?: readonly string[];
  /** Folders from the root, with their slash. */
  readonly folders?: readonly string[];
  /** File names in any folder. */
  readonly names?: readonly string[];
  /** Folders of any name path in any folder, with their slash. */
  readonly anywhere?: readonly string[];
}

// All in lower case: some file systems do not tell cases apart, and a protection must err towards matching.
// Workflows and actions: docs.github.com "Workflow syntax", "Metadata syntax"; CODEOWNERS: the three places that
// GitHub reads; instruction files: the names that the agents' own documentation gives.
const PATTERNS: readonly Pattern[] = [
  { kind: 'policy', paths: ['.rapid-os/policy.json'], folders: ['.rapid-os/standards/'] },
  { kind: 'profile', folders: ['.rapid-os/harnesses/'] },
  { kind: 'lock', paths: ['.rapid-os/capabilities.lock'] },
  { kind: 'config', paths: ['.rapid-os/config.json', '.github/countersign.yml', '.github/countersign-baseline.json'] },
  { kind: 'workflow', folders: ['.github/workflows/', '.github/actions/'], names: ['action.yml', 'action.yaml'] },
  { kind: 'code-owners', paths: ['codeowners', '.github/codeowners', 'docs/codeowners'] },
  {
    kind: 'agent-instructions',
    paths: ['.github/copilot-instructions.md', '.vscode/mcp.json'],
    folders: ['.github/instructions/', '.github/prompts/', '.github/agents/', '.github/chatmodes/'],
    names: [
      'agents.md',
      'agents.override.md',
      'claude.md',
      'claude.local.md',
      'gemini.md',
      '.cursorrules',
      '.windsurfrules',
      '.clinerules',
      '.mcp.json',
    ],
    anywhere: ['.claude/', '.codex/', '.cursor/', '.gemini/', '.agents/', '.agent/', '.windsurf/', '.clinerules/'],
  },
];

// A folder that turns into a link or a submodule takes everything below it along.
const ROOTS: Readonly<Record<string, ControlKind>> = {
  '.rapid-os': 'policy',
  '.github': 'workflow',
  '.vscode': 'agent-instructions',
};

/**
 * What a path controls, or undefined where it controls nothing.
 * @param isConfigured whether the base's config adds the path
 */
export function controlKind(
  path: string,
  isConfigured: (path: string) => boolean = () => false,
): ControlKind | undefined {
  const lower = folded(path);
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  // A link or a submodule may take a folder's place, so a folder's name alone counts as well.
  const below = `${lower}/`;
  const pattern = PATTERNS.find(
    ({ paths, folders, names, anywhere }) =>
      paths?.includes(lower) === true ||
      names?.includes(name) === true ||
      folders?.some((folder) => below.startsWith(folder)) === true ||
      anywhere?.some((folder) => `/${below}`.includes(`/${folder}`)) === true,
  );
  if (pattern !== undefined) return pattern.kind;
  if (Object.hasOwn(ROOTS, lower)) return ROOTS[lower];
  return isConfigured(path) ? 'configured' : undefined;
}

// Formatting characters, which HFS+ ignores.
const IGNORED = /\p{Cf}/gu;
// Windows drops full stops and spaces at the end of a name.
const DROPPED = /[. ]{1,255}$/;

/** A path as the most forgiving file system reads it: cases, compatible forms and what some do not see are one. */
function folded(path: string): string {
  const plain = path.normalize('NFKC').replace(IGNORED, '').toLowerCase();
  return plain
    .split('/')
    .map((segment) => segment.replace(DROPPED, ''))
    .join('/');
}
