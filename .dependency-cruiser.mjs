// Which folder may import which: the rules of the house.
const FACES = '^src/(action|app|cli)/';

/** @param {string[]} folders @param {string[]} [others] */
const onlyTo = (folders, others = []) => ({ pathNot: [`^src/(${folders.join('|')})/`, ...others] });

/** @param {string} name */
const npm = (name) => `(^|/)node_modules/${name}/`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment: 'The domain imports nothing outside itself but node:crypto.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: onlyTo(['domain'], ['^(node:)?crypto$']),
    },
    {
      name: 'checks-import-only-domain',
      comment: "And secretlint's rules: text in, findings out.",
      severity: 'error',
      from: { path: '^src/checks/' },
      to: onlyTo(['checks', 'domain'], [npm('@secretlint/secretlint-rule-preset-recommend')]),
    },
    {
      name: 'config-imports-only-domain',
      comment: 'And zod and yaml, by which it is read.',
      severity: 'error',
      from: { path: '^src/config/' },
      to: onlyTo(['config', 'domain'], [npm('zod'), npm('yaml')]),
    },
    {
      name: 'gate-imports-only-what-it-decides-on',
      severity: 'error',
      from: { path: '^src/gate/' },
      to: onlyTo(['gate', 'checks', 'config', 'domain'], [npm('zod')]),
    },
    {
      name: 'render-imports-only-gate-and-below',
      severity: 'error',
      from: { path: '^src/render/' },
      to: onlyTo(['render', 'gate', 'checks', 'config', 'domain']),
    },
    {
      name: 'process-imports-only-domain',
      comment: "And Node's own modules: it runs commands and knows nothing of what for.",
      severity: 'error',
      from: { path: '^src/process/' },
      to: { path: ['^src/', '(^|/)node_modules/'], pathNot: '^src/(process|domain)/' },
    },
    {
      name: 'github-imports-only-domain',
      comment: 'The client of the API: it knows calls and their faults, not what is asked for.',
      severity: 'error',
      from: { path: '^src/github/' },
      to: { path: '^src/', pathNot: '^src/(github|domain)/' },
    },
    {
      name: 'store-imports-only-domain',
      comment: "And Node's own modules, and pg: what is kept is the same whoever asks for it.",
      severity: 'error',
      from: { path: '^src/app/store/' },
      to: { path: ['^src/', '(^|/)node_modules/'], pathNot: ['^src/(app/store|domain)/', npm('(@types/)?pg')] },
    },
    {
      name: 'judge-writes-nothing',
      comment: 'It collects and decides; faces publish.',
      severity: 'error',
      from: { path: '^src/judge/' },
      to: { path: '^src/publish/' },
    },
    {
      name: 'only-faces-import-judge',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/judge/', FACES] },
      to: { path: '^src/judge/' },
    },
    {
      name: 'sources-never-import-publish',
      severity: 'error',
      from: { path: '^src/sources/' },
      to: { path: '^src/publish/' },
    },
    {
      name: 'publish-never-imports-sources',
      severity: 'error',
      from: { path: '^src/publish/' },
      to: { path: '^src/sources/' },
    },
    {
      name: 'sandbox-imports-only-domain',
      comment: "And Node's own modules, ajv and graphql: what tests the clients shares no code with them.",
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: { path: ['^src/', '(^|/)node_modules/'], pathNot: ['^src/(sandbox|domain)/', npm('ajv'), npm('graphql')] },
    },
    {
      name: 'only-tests-import-the-sandbox',
      comment: "ajv, graphql and GitHub's description stay out of the bundles.",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/sandbox/' },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'nothing-imports-a-face',
      comment: 'Not even another face.',
      severity: 'error',
      from: { path: '^src/([^/]+)' },
      to: { path: FACES, pathNot: '^src/$1/' },
    },
    {
      name: 'only-faces-import-hooks',
      comment: 'What a hook does is wired by a face, as everything is.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/hooks/', FACES] },
      to: { path: '^src/hooks/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Imports of types count too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      // octokit's packages export nothing but ES modules.
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
