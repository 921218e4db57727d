import { defineConfig } from 'vitest/config'

// A test's folder decides its project.
//   unit     beside the sources, and test/{code,conformance,docs,model}: plain functions, no chain, database or browser
//   system   the rest of test/, chaos/ and packages/devnet: anvil, Postgres, nginx, processes
//   browser  Chromium besides
// test/model/check is the exhaustive search that `pnpm test:contracts` runs.
const browser = ['test/site/**/*.test.ts', 'test/gateway/browser/**/*.test.ts', 'test/dev/dev.test.ts']
const unitInTest = ['test/{code,conformance,docs}/**/*.test.ts', 'test/model/*.test.ts']
const ignored = ['**/node_modules/**', '**/dist/**']

// Timeouts only end what hangs: the machine may be busy, and speed is measured by the benches.
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

export default defineConfig({
  test: {
    // System tests mostly wait. With one worker, a machine with two cores would be half idle.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,apps,scripts,examples}/**/*.test.{ts,tsx}', ...unitInTest],
          exclude: [...ignored, 'packages/devnet/**'],
          ...patient,
        },
      },
      {
        test: {
          name: 'system',
          include: ['{test,chaos,packages/devnet}/**/*.test.ts'],
          exclude: [...ignored, ...browser, ...unitInTest, 'test/model/check/**'],
          globalSetup: ['test/harness/shareWorld.ts'],
          ...patient,
        },
      },
      {
        test: {
          name: 'browser',
          include: browser,
          exclude: ignored,
          globalSetup: ['test/harness/shareWorld.ts', 'test/harness/shareSite.ts'],
          ...patient,
        },
      },
      { test: { name: 'model', include: ['test/model/check/**/*.test.ts'] } },
    ],
  },
})
