/** @type {import('jest').Config} */
export default {
  testTimeout: 120_000,
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/fixtures/'],
  globalSetup: '<rootDir>/test/global-setup.ts',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript' },
          transform: { verbatimModuleSyntax: true },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/scripts/jest-counts.mjs'],
  coverageProvider: 'babel',
  collectCoverageFrom: ['src/domain/**/*.ts'],
  coverageThreshold: { global: {}, './src/domain/': { branches: 95 } },
  coverageDirectory: 'coverage',
  coverageReporters: ['text-summary', 'json'],
};
