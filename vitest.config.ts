import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Tests mostly wait for a chain, a database or a browser: with one worker a machine of two cores stands half idle.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          // Machines may be busy: what is too slow is measured by the bench, not by a timeout. These only end what hangs.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 30_000 } },
          include: ['{packages,apps,scripts,examples,test,chaos}/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/model/check/**'],
          globalSetup: ['test/harness/shareWorld.ts'],
        },
      },
      // Exhaustive search, up to a minute: `pnpm test:contracts` runs it and reads its figures.
      { test: { name: 'model', include: ['test/model/check/**/*.test.ts'] } },
    ],
  },
})
