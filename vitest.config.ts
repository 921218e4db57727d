import { defineConfig } from 'vitest/config'

// A test's folder decides its project.
//   unit     beside the sources, and test/{code,conformance,docs}: plain functions, no chain, database or browser
//   system   the rest of test/, chaos/, packages/devnet and the simulated chain: anvil, Postgres, nginx, processes
//   browser  Chromium besides
//   model    the exhaustive search that `pnpm test:contracts` runs
const browser = ['test/site/**/*.test.ts', 'test/gateway/browser/**/*.test.ts', 'test/dev/dev.test.ts']
const unitInTest = ['test/{code,conformance,docs}/**/*.test.ts']
const systemInPackages = ['packages/{devnet,simulation/src/chain}/**/*.test.ts']
const model = ['packages/simulation/src/model/check/**/*.test.ts']
const ignored = ['**/node_modules/**', '**/dist/**']

// Timeouts only end what hangs: the machine may be busy, and speed is measured by the benches.
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

// Files share a worker, so that it loads the sources once. A test leaves nothing behind: no changed global, no mocked module.
const shared = { isolate: false }
// System and browser tests wait for a third of their time: three files at once keep two cores busy.
const waiting = { ...shared, maxWorkers: 3 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,apps,scripts,examples}/**/*.test.{ts,tsx}', ...unitInTest],
          exclude: [...ignored, ...systemInPackages, ...model],
          ...shared,
          maxWorkers: 2,
          ...patient,
        },
      },
      {
        test: {
          name: 'system',
          include: ['{test,chaos}/**/*.test.ts', ...systemInPackages],
          exclude: [...ignored, ...browser, ...unitInTest],
          globalSetup: ['test/harness/shareWorld.ts'],
          ...waiting,
          ...patient,
        },
      },
      {
        test: {
          name: 'browser',
          include: browser,
          exclude: ignored,
          globalSetup: ['test/harness/shareWorld.ts', 'test/harness/shareSite.ts'],
          ...waiting,
          ...patient,
        },
      },
      { test: { name: 'model', include: model } },
    ],
  },
})
