import { describe, expect, it } from '@jest/globals';
import { controlEdits, controlFindings } from '../../../src/checks/control-plane/check.ts';
import { controlKind } from '../../../src/checks/control-plane/paths.ts';
import { CONTROL_PLANE_RULES } from '../../../src/checks/control-plane/rules.ts';

const KINDS = {
  policy: ['.rapid-os/policy.json', '.rapid-os/standards/security.md', '.rapid-os/standards', '.rapid-os'],
  profile: ['.rapid-os/harnesses/codex.json', '.rapid-os/harnesses/deep/x', '.rapid-os/harnesses'],
  lock: ['.rapid-os/capabilities.lock'],
  config: ['.rapid-os/config.json', '.github/countersign.yml', '.github/countersign-baseline.json'],
  workflow: [
    '.github/workflows/ci.yml',
    '.github/workflows/sub/x',
    '.github/workflows',
    '.github/actions/a/index.js',
    '.github/actions',
    'action.yml',
    'tools/x/action.yaml',
    '.github',
  ],
  'code-owners': ['CODEOWNERS', '.github/CODEOWNERS', 'docs/CODEOWNERS'],
  'agent-instructions': [
    'AGENTS.md',
    'pkg/AGENTS.md',
    'AGENTS.override.md',
    'CLAUDE.md',
    'CLAUDE.local.md',
    'GEMINI.md',
    '.cursorrules',
    '.windsurfrules',
    '.clinerules',
    '.clinerules/a.md',
    '.mcp.json',
    'sub/.mcp.json',
    '.github/copilot-instructions.md',
    '.github/instructions/a.md',
    '.github/prompts/a.md',
    '.github/agents/a.md',
    '.github/chatmodes/a.md',
    '.vscode/mcp.json',
    '.vscode',
    '.claude/settings.json',
    'pkg/.claude/hooks/x.sh',
    '.claude',
    'pkg/.cursor',
    '.codex/config.toml',
    '.cursor/rules/a.mdc',
    '.gemini/settings.json',
    '.agents/skills/x',
    '.agent/rules/x',
    '.windsurf/rules/x',
  ],
} as const;

const ALL = Object.entries(KINDS).flatMap(([kind, paths]) => paths.map((path) => [path, kind] as const));

describe('the control plane', () => {
  it.each(ALL)('%s is %s', (path, kind) => {
    expect(controlKind(path)).toBe(kind);
  });

  it.each([
    ['upper case', (path: string) => path.toUpperCase()],
    ['a long s', (path: string) => path.replaceAll('s', 'ſ')],
    ['the Kelvin sign', (path: string) => path.replaceAll('k', '\u212a')],
    ['full-width letters', (path: string) => path.replaceAll('a', 'ａ')],
    ['characters that HFS+ ignores', (path: string) => path.replaceAll('.', '.\u200d')],
    [
      'full stops and spaces that Windows drops',
      (path: string) =>
        path
          .split('/')
          .map((name) => `${name}. .`)
          .join('/'),
    ],
  ])('errs towards matching: %s', (_name, vary) => {
    for (const [path, kind] of ALL) expect(controlKind(vary(path))).toBe(kind);
  });

  it.each([
    'src/app.ts',
    'README.md',
    'docs/agents.txt',
    'AGENTS.md.bak',
    'xCLAUDE.md',
    '.rapid-os/runs/a/run.json',
    '.rapid-os/specs/a',
    '.rapid-os/evidence/x',
    '.rapid-os/policy.json/x.md',
    'x/.rapid-os/policy.json',
    'x/.github/workflows/a.yml',
    '.github/ISSUE_TEMPLATE.md',
    '.vscode/settings.json',
    'claude/x',
    'my.claude/x',
    'src/CODEOWNERS',
    'transaction.yml',
    '',
    '/',
    'toString',
    '__proto__',
  ])('%j governs nothing', (path) => {
    expect(controlKind(path)).toBeUndefined();
  });

  it('also has what the config adds, after the built-in kinds', () => {
    expect(controlKind('x', (path) => path === 'x')).toBe('configured');
    expect(controlKind('AGENTS.md', () => true)).toBe('agent-instructions');
  });

  it('comes to an end on hostile paths', () => {
    for (const path of [
      ' .'.repeat(100_000),
      `${'. '.repeat(100_000)}x`,
      '/'.repeat(100_000),
      '\u200d'.repeat(100_000),
      'a'.repeat(100_000),
    ]) {
      expect(controlKind(path)).toBeUndefined();
    }
  });
});

describe('edits of it', () => {
  const edits = (file: { status: string; path: string; old_path?: string }): string[] =>
    controlEdits([file], () => false).map(({ path, status }) => `${status} ${path}`);

  it('count both names of a rename, and one of a copy', () => {
    expect(edits({ status: 'renamed', path: 'x', old_path: 'AGENTS.md' })).toEqual(['renamed AGENTS.md']);
    expect(edits({ status: 'renamed', path: 'CLAUDE.md', old_path: 'AGENTS.md' })).toEqual([
      'renamed AGENTS.md',
      'renamed CLAUDE.md',
    ]);
    expect(edits({ status: 'copied', path: 'x', old_path: 'AGENTS.md' })).toEqual([]);
    expect(edits({ status: 'copied', path: 'AGENTS.md', old_path: 'x' })).toEqual(['copied AGENTS.md']);
  });

  it.each([
    ['governed', 'control-plane/edited', 'warn'],
    ['bootstrap', 'control-plane/bootstrap', 'warn'],
    ['ungoverned', 'control-plane/ungoverned', 'note'],
  ] as const)('are findings where it is %s', (situation, rule, severity) => {
    const [finding] = controlFindings(
      controlEdits([{ status: 'deleted', path: 'AGENTS.md' }], () => false),
      situation,
    );
    expect(finding).toMatchObject({
      rule,
      severity,
      message: 'AGENTS.md (agent-instructions) is deleted.',
      place: { at: 'file', path: 'AGENTS.md' },
    });
    expect(finding?.remedy).toBe(CONTROL_PLANE_RULES[rule].remedy);
  });
});
