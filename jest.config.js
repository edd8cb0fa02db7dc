const { EVENTS_TEST_REQUESTS, EVENTS_TEST_INPUTS, EVENTS_TEST_RUNS, TEST_THOROUGH, EVENTS_TEST_ENGINE } =
  process.env
const isLongRun = Boolean(EVENTS_TEST_REQUESTS || EVENTS_TEST_INPUTS || EVENTS_TEST_RUNS)

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  maxWorkers: 2,
  // A worker keeps the modules of finished tests, so it is replaced before it grows large. Otherwise, jest might warn
  // at the end that a worker did not exit within half a second, because a busy machine takes longer to free 1 GB.
  workerIdleMemoryLimit: '512MB',
  globalSetup: '<rootDir>/tests/support/runner/global-setup.js',
  globalTeardown: '<rootDir>/tests/support/runner/global-teardown.js',
  reporters: ['default', '<rootDir>/tests/support/runner/tally-reporter.js'],
  testSequencer: '<rootDir>/tests/support/runner/folder-order.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  testMatch: [`<rootDir>/tests/**/${EVENTS_TEST_ENGINE ? 'both-engines/' : ''}*.test.ts`],
  // `npm run test:all` adds the tests in `thorough` to those of `npm test`.
  testPathIgnorePatterns: ['/node_modules/', ...(TEST_THOROUGH ? [] : ['<rootDir>/tests/thorough/'])],
  modulePathIgnorePatterns: [
    '<rootDir>/.serverless',
    '<rootDir>/.local',
    '<rootDir>/tests/bench/peer/ponder',
  ],
  // A test that takes longer has hung. The limit is high, so that no test fails because the machine is slow.
  testTimeout: isLongRun ? 3_600_000 : 900_000,
}
