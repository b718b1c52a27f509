/** How much a name says by itself. */
export type NameClass =
  /** Nothing but a tool: counts wherever a credit stands. */
  | 'tool'
  /** Also a given name: not when a surname follows. */
  | 'person'
  /** Also an everyday word: only with a capital and at the end of its clause. */
  | 'word';

/** One thing that an agent writes about itself, with a public place where that was seen. */
export type Format = { readonly tool: string; readonly source: string } & (
  | { readonly kind: 'name'; readonly name: string; readonly class: NameClass }
  | { readonly kind: 'address'; readonly address: string }
  | {
      /** An account's login, whole; in a no-reply address it may follow the numeric id and a plus sign. */
      readonly kind: 'login';
      readonly login: string;
      /** The account's numeric id on GitHub. */
      readonly id?: number;
      /** What has to agree beside the login, where a person or a plain automation may have the same one. */
      readonly needs?: 'id' | 'name';
    }
  /** A trailer that only agents write. `value` tells which values count. */
  | { readonly kind: 'trailer'; readonly key: string; readonly value: 'any' | 'link' | 'agent' | 'not-a-person' }
  /** Text that counts wherever it stands. Lower case, linear: no repetition but of one class, at most 80 times. */
  | { readonly kind: 'mark'; readonly mark: RegExp }
);

const name = (tool: string, text: string, kind: NameClass, source: string): Format => ({
  kind: 'name',
  tool,
  name: text,
  class: kind,
  source,
});
const address = (tool: string, text: string, source: string): Format => ({
  kind: 'address',
  tool,
  address: text,
  source,
});
const login = (tool: string, text: string, id: number | undefined, source: string, needs?: 'id' | 'name'): Format => ({
  kind: 'login',
  tool,
  login: text,
  ...(id === undefined ? {} : { id }),
  ...(needs === undefined ? {} : { needs }),
  source,
});
const trailer = (
  tool: string,
  key: string,
  value: 'any' | 'link' | 'agent' | 'not-a-person',
  source: string,
): Format => ({ kind: 'trailer', tool, key, value, source });
const mark = (tool: string, pattern: RegExp, source: string): Format => ({ kind: 'mark', tool, mark: pattern, source });

/**
 * What coding agents write into commits and pull requests. `source` is an issue or pull request (owner/repo#number), a
 * commit (owner/repo@sha) or a page that shows it. Branch prefixes are left out on purpose: they are no credit.
 */
export const FORMATS: readonly Format[] = [
  // Claude Code and Anthropic's GitHub apps
  name('claude', 'claude', 'person', 'anthropics/claude-code#45137'),
  name('claude', 'anthropic', 'tool', 'anthropics/claude-code#45137'),
  name('claude', 'opus', 'word', 'anthropics/claude-code#45137'),
  name('claude', 'sonnet', 'word', 'anthropics/claude-code#14241'),
  name('claude', 'haiku', 'word', 'anthropics/claude-code#14241'),
  name('claude', 'fable', 'word', 'Snakeblack/ospec-workflow@13a1dd3'),
  address('claude', 'noreply@anthropic.com', 'anthropics/claude-code#45137'),
  login('claude', 'claude[bot]', 209825114, 'anthropics/claude-code-action@220272d38887'),
  login('claude', 'claude', 242468646, 'google-gemini/gemini-cli@a719f446ce54', 'id'),
  login('claude', 'anthropic-code-agent[bot]', 242468646, 'google-gemini/gemini-cli@a719f446ce54'),
  trailer('claude', 'claude-session', 'any', 'anthropics/claude-code#77830'),
  mark('claude', /claude\.(?:ai|com)\/code\/session_/, 'anthropics/claude-code-action@232c9a15f498'),
  // GitHub Copilot
  name('copilot', 'copilot', 'tool', 'github/copilot-cli#3177'),
  name('copilot', 'github copilot', 'tool', 'github/copilot-cli#3177'),
  name('copilot', 'microsoft copilot', 'tool', 'microsoft/vscode#296435'),
  address('copilot', 'copilot@github.com', 'microsoft/vscode#314311'),
  login('copilot', 'copilot', 198982749, 'sigstore/sigstore-js@93f8fed40f0b'),
  login('copilot', 'copilot', 223556219, 'github/copilot-cli#3181'),
  login('copilot', 'copilot', 175728472, 'ossf/allstar@c9903d37530f'),
  login('copilot', 'copilot-swe-agent[bot]', 198982749, 'renovatebot/renovate@14ea6fc2693a'),
  login('copilot', 'copilot-pull-request-reviewer[bot]', undefined, 'ossf/allstar@c9903d37530f'),
  login(
    'copilot',
    'github-advanced-security[bot]',
    62310815,
    'microsoft/agent-governance-toolkit@40940774b697',
    'name',
  ),
  login('copilot', 'github-code-quality[bot]', 223894421, 'microsoft/agent-governance-toolkit@40940774b697', 'name'),
  trailer('copilot', 'copilot-session', 'any', 'microsoft/agent-governance-toolkit@061bb138daea'),
  trailer('copilot', 'agent-logs-url', 'link', 'microsoft/agent-governance-toolkit@98dcd822f321'),
  mark(
    'copilot',
    /<!-- ?start copilot (?:coding agent (?:suffix|tips)|original prompt) ?-->/,
    'copilot-coding-agent/user-feedback#76',
  ),
  // Cursor
  name('cursor', 'cursor', 'word', 'elastic/elasticsearch#142995'),
  name('cursor', 'cursoragent', 'tool', 'elastic/elasticsearch#142995'),
  address('cursor', 'cursoragent@cursor.com', 'elastic/elasticsearch#142995'),
  login('cursor', 'cursor[bot]', 206951365, 'cline/cline@a9ae0a7c33b6'),
  trailer('cursor', 'made-with', 'agent', 'renovatebot/renovate@f57404cace31'),
  mark('cursor', /<!-- ?cursor_agent_pr_body_(?:begin|end) ?-->/, 'mattermost/mattermost#36493'),
  mark('cursor', /cursor\.com\/(?:background-agent\?bcid=|agents(?:\/|\?id=))bc-/, 'MetaMask/metamask-extension#37543'),
  // Codex and ChatGPT
  name('codex', 'codex', 'tool', 'openai/codex#11617'),
  name('codex', 'chatgpt', 'tool', 'renovatebot/renovate@54407b683d4c'),
  name('codex', 'openai', 'tool', 'openai/codex#14051'),
  name('codex', 'gpt', 'word', 'Aider-AI/aider#3789'),
  address('codex', 'noreply@openai.com', 'openai/codex#11617'),
  address('codex', 'codex@openai.com', 'renovatebot/renovate@54407b683d4c'),
  address('codex', 'codex@example.com', 'openai/codex#18095'),
  login('codex', 'chatgpt-codex-connector[bot]', undefined, 'jamditis/claude-skills-journalism#302'),
  mark('codex', /chatgpt\.com\/codex\/(?:cloud\/)?tasks\/task_/, 'openai/codex#14051'),
  mark('codex', /chatgpt\.com\/s\/cd_/, 'openai/codex#14051'),
  // Google: Gemini, Jules
  name('gemini', 'gemini', 'person', 'google-gemini/gemini-cli#12419'),
  name('gemini', 'bard', 'word', 'Snakeblack/ospec-workflow@13a1dd3'),
  address('gemini', 'gemini@google.com', 'google-gemini/gemini-cli#12419'),
  login('gemini', 'gemini-code-assist[bot]', 176961590, 'google-gemini/gemini-cli@ea6fd3a6857a'),
  login('gemini', 'gemini-cli[bot]', 218312386, 'google-gemini/gemini-cli@1f868ea2e179'),
  name('jules', 'jules', 'person', 'google/virtual-broadcast-production-assistant#309'),
  login('jules', 'google-labs-jules[bot]', 161369871, 'google-gemini/gemini-cli@26cff7704ee2'),
  mark('jules', /pr created automatically by jules for task/, 'google/virtual-broadcast-production-assistant#309'),
  mark('jules', /jules\.google\.com\/(?:task|session)\/\d/, 'google/virtual-broadcast-production-assistant#309'),
  // Devin
  name('devin', 'devin', 'person', 'fastrepl/anarlog#2041'),
  login('devin', 'devin-ai-integration[bot]', 158243242, 'charmbracelet/crush@ad0744bda5ac'),
  mark('devin', /app\.devin\.ai\/sessions\/[0-9a-f]/, 'fastrepl/anarlog#2041'),
  // Windsurf
  name('windsurf', 'windsurf', 'tool', 'https://docs.windsurf.com/'),
  name('windsurf', 'codeium', 'tool', 'https://docs.windsurf.com/'),
  name('windsurf', 'cascade', 'word', 'https://docs.windsurf.com/'),
  address('windsurf', 'cascade@windsurf.ai', 'https://docs.windsurf.com/'),
  address('windsurf', 'cascade@windsurf.com', 'https://docs.windsurf.com/'),
  address('windsurf', 'cascade@codeium.com', 'https://docs.windsurf.com/'),
  // aider
  name('aider', 'aider', 'tool', 'Aider-AI/aider#3789'),
  address('aider', 'aider@aider.chat', 'Aider-AI/aider#3789'),
  address('aider', 'noreply@aider.chat', 'Aider-AI/aider#4226'),
  address('aider', 'noreply@aider.dev', 'Aider-AI/aider#4226'),
  // Its subject prefix, unless a package of that name is what the commit is about ("aider: 0.50 -> 0.51").
  mark('aider', /^aider: (?!init )[a-z]/, 'Aider-AI/aider@51cfb24c73b8'),
  // Amp
  name('amp', 'amp', 'word', 'Comfy-Org/ComfyUI_frontend#17449'),
  name('amp', 'ampcode', 'tool', 'Comfy-Org/ComfyUI_frontend#17449'),
  address('amp', 'amp@ampcode.com', 'Comfy-Org/ComfyUI_frontend#17449'),
  trailer('amp', 'amp-thread', 'any', 'Comfy-Org/ComfyUI_frontend#17449'),
  trailer('amp', 'amp-thread-id', 'any', 'Comfy-Org/ComfyUI_frontend#17449'),
  mark('amp', /ampcode\.com\/threads\/t-/, 'Comfy-Org/ComfyUI_frontend#17449'),
  // OpenCode, Crush
  name('opencode', 'opencode', 'tool', 'anomalyco/opencode#919'),
  address('opencode', 'noreply@opencode.ai', 'charmbracelet/crush@7627d71563be'),
  login('opencode', 'opencode-agent[bot]', undefined, 'anomalyco/opencode#29845'),
  name('crush', 'crush', 'word', 'charmbracelet/crush@2e8faa812ccb'),
  name('crush', 'charm crush', 'tool', 'charmbracelet/crush@2e8faa812ccb'),
  address('crush', 'crush@charm.land', 'charmbracelet/crush@f8be2ffc964d'),
  mark('crush', /💘 generated with crush/u, 'charmbracelet/crush@2e8faa812ccb'),
  // Cline, Roo Code, Kilo Code
  name('cline', 'cline', 'word', 'cline/cline@b905c78640ab'),
  login('cline', 'cline-cloud[bot]', 276134852, 'cline/cline@b905c78640ab'),
  login('cline', 'cline-agent', undefined, 'cline/cline@b905c78640ab'),
  name('roo-code', 'roo', 'word', 'RooCodeInc/Roo-Code@319b5576c7b8'),
  name('roo-code', 'roomote', 'tool', 'RooCodeInc/Roo-Code@319b5576c7b8'),
  address('roo-code', 'roomote@roocode.com', 'RooCodeInc/Roo-Code@319b5576c7b8'),
  address('roo-code', 'support@roocode.com', 'RooCodeInc/Roo-Code#1426'),
  login('roo-code', 'roomote-v0[bot]', 219738659, 'RooCodeInc/Roo-Code@ec8e86d82ea2'),
  login('roo-code', 'roomote[bot]', undefined, 'RooCodeInc/Roo-Code@ec8e86d82ea2'),
  mark('roo-code', /app\.roocode\.com\/(?:cloud-jobs|task|share)/, 'RooCodeInc/Roo-Code#11554'),
  name('kilo-code', 'kilo', 'word', 'cline/cline@23fb7387503a'),
  name('kilo-code', 'kilocode', 'tool', 'cline/cline@23fb7387503a'),
  login('kilo-code', 'kiloconnect[bot]', 240665456, 'cline/cline@23fb7387503a'),
  // Others
  name('qwen', 'qwen', 'tool', 'google-gemini/gemini-cli@589ad8675008'),
  address('qwen', 'qwen-coder@alibabacloud.com', 'google-gemini/gemini-cli@589ad8675008'),
  name('openhands', 'openhands', 'tool', 'OpenHands/OpenHands#9955'),
  address('openhands', 'openhands@all-hands.dev', 'OpenHands/docs#22'),
  name('warp', 'warp', 'word', 'Aider-AI/aider@164a8f3844d5'),
  name('warp', 'oz', 'word', 'Aider-AI/aider@164a8f3844d5'),
  address('warp', 'oz-agent@warp.dev', 'Aider-AI/aider@164a8f3844d5'),
  address('warp', 'agent@warp.dev', 'Aider-AI/aider@164a8f3844d5'),
  name('factory', 'droid', 'word', 'google-gemini/gemini-cli@92abff7c780f'),
  name('factory', 'factory droid', 'tool', 'google-gemini/gemini-cli@92abff7c780f'),
  login('factory', 'factory-droid[bot]', 138933559, 'google-gemini/gemini-cli@92abff7c780f'),
  name('replit', 'replit', 'tool', 'https://docs.replit.com/'),
  trailer('replit', 'replit-commit-author', 'agent', 'https://docs.replit.com/'),
  trailer('replit', 'replit-commit-session-id', 'any', 'https://docs.replit.com/'),
  name('junie', 'junie', 'person', 'https://www.jetbrains.com/junie/'),
  address('junie', 'junie@jetbrains.com', 'https://www.jetbrains.com/junie/'),
  name('kiro', 'kiro', 'word', 'google-gemini/gemini-cli@66803e240c26'),
  login('kiro', 'kiro-agent', 244629292, 'google-gemini/gemini-cli@66803e240c26'),
  login('kiro', 'kiro-agent[bot]', 244629292, 'google-gemini/gemini-cli@66803e240c26'),
  login('ellipsis', 'ellipsis-dev[bot]', 65095814, 'cline/cline@c8d7cba5bfa1'),
  name('coderabbit', 'coderabbit', 'tool', 'google-gemini/gemini-cli@8cdb66e0cb4e'),
  name('coderabbit', 'coderabbitai', 'tool', 'google-gemini/gemini-cli@8cdb66e0cb4e'),
  login('coderabbit', 'coderabbitai[bot]', 136622811, 'google-gemini/gemini-cli@8cdb66e0cb4e'),
  name('lovable', 'lovable', 'word', 'https://docs.lovable.dev/'),
  login('lovable', 'gpt-engineer-app[bot]', undefined, 'https://docs.lovable.dev/'),
  login('lovable', 'lovable-dev[bot]', undefined, 'https://docs.lovable.dev/'),
  name('kdeps', 'kdeps', 'tool', 'kdeps/kdeps#626'),
  address('kdeps', 'noreply@kdeps.com', 'kdeps/kdeps#626'),
  name('ollama', 'ollama', 'tool', 'kdeps/kdeps#626'),
  name('llama', 'llama', 'word', 'kdeps/kdeps#626'),
  name('mistral', 'mistral', 'word', 'https://docs.mistral.ai/'),
  name('mistral', 'codestral', 'tool', 'https://docs.mistral.ai/'),
  name('mistral', 'devstral', 'tool', 'https://docs.mistral.ai/'),
  name('cohere', 'cohere', 'word', 'https://docs.cohere.com/'),
  name('deepseek', 'deepseek', 'tool', 'https://api-docs.deepseek.com/'),
  name('grok', 'grok', 'word', 'https://docs.x.ai/'),
  login('open-swe', 'open-swe[bot]', 215916821, 'langchain-ai/open-swe#1394'),
  name('amazon-q', 'amazon q', 'tool', 'https://docs.aws.amazon.com/amazonq/'),
  name('amazon-q', 'codewhisperer', 'tool', 'https://docs.aws.amazon.com/codewhisperer/'),
  name('tabnine', 'tabnine', 'tool', 'https://docs.tabnine.com/'),
  name('antigravity', 'antigravity', 'word', 'https://antigravity.google/docs'),
  // Conventions that name no vendor
  trailer('disclosure', 'assisted-by', 'not-a-person', 'https://docs.kernel.org/process/coding-assistants.html'),
  trailer('disclosure', 'generated-by', 'agent', 'https://www.apache.org/legal/generative-tooling.html'),
  ...['assisted', 'generated', 'authored', 'written', 'tool', 'tools', 'model', 'agent', 'assistant', 'assistance'].map(
    (rest) => trailer('disclosure', `ai-${rest}`, 'any', 'microsoft/agent-governance-toolkit@db603aa446cf'),
  ),
];

/** The words of the mode `forbid-mention`: each counts wherever it stands as a word, whatever it means there. */
export const MENTIONS: readonly string[] = [
  'co-authored-by',
  'generated with',
  'generated by',
  'claude',
  'anthropic',
  'opus',
  'sonnet',
  'haiku',
  'fable',
  'gpt',
  'chatgpt',
  'openai',
  'codex',
  'copilot',
  'gemini',
  'bard',
  'llama',
  'mistral',
  'cohere',
];

/** Counts in the mode `forbid-mention` without any boundary. */
export const MENTIONED_SIGN = '🤖';
