import tseslint from 'typescript-eslint';

const NO_ENUM = { selector: 'TSEnumDeclaration', message: 'No enums: use a union of string literals.' };
const NO_DEFAULT_EXPORT = [
  { selector: 'ExportDefaultDeclaration', message: 'No default exports: export by name.' },
  { selector: "ExportSpecifier[exported.name='default']", message: 'No default exports: export by name.' },
];
const NO_CLASS = [
  {
    selector: 'ClassDeclaration:not([superClass.name=/Error$/])',
    message: 'No classes but errors: use functions and plain data.',
  },
  { selector: 'ClassExpression', message: 'No classes but errors: use functions and plain data.' },
];

const ZOD = "Use import * as z from 'zod': named and default imports keep all of it in a bundle.";
const BUNDLE_TRAPS = [
  { selector: "ImportDeclaration[source.value='zod'] > ImportSpecifier[imported.name='z']", message: ZOD },
  { selector: "ImportDeclaration[source.value='zod'] > ImportDefaultSpecifier", message: ZOD },
  {
    selector: 'ImportExpression[source.value=/^(?!\\.|node:)/]',
    message: 'Load a module of ours late, not a package: a CommonJS package loses its named exports in a bundle.',
  },
];

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'build/', 'coverage/', 'test/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'prefer-const': 'error',
      'no-restricted-syntax': ['error', NO_ENUM, ...NO_DEFAULT_EXPORT, ...NO_CLASS],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', NO_ENUM, ...NO_DEFAULT_EXPORT, ...NO_CLASS, ...BUNDLE_TRAPS],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // Jest asks for a default export here.
    files: ['test/global-setup.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_ENUM, ...NO_CLASS] },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.recommended],
  },
);
