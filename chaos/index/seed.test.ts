import { expect, test } from 'vitest'
import { startCluster } from '../../test/harness/cluster.ts'
import { createTestDatabaseIn } from '../../test/harness/postgres.ts'
import { runs } from '../../test/harness/runs.ts'
import { startForTests } from '../../test/harness/startForTests.ts'
import { runSeed, type SeedReport } from './seed.ts'

const cluster = startForTests(startCluster, 'remove')

async function run(seed: number): Promise<SeedReport> {
  const database = await createTestDatabaseIn(cluster.url, `seed_${seed}`)
  const report = await runSeed({ seed, url: database.url, restart: cluster.restart })
  await database.drop()
  return report
}

test('a seed with every kind of fault is reproducible', async () => {
  // The second one, of a deep run, has a long chain whose finalized blocks are read by range.
  for (const seed of [49, 20].slice(0, runs(1))) {
    const first = await run(seed)
    expect(first).toMatchObject({ profile: { standby: true }, mismatch: null, halted: null })
    for (const number of [first.kills, first.restarts, first.providerFaults, first.checks])
      expect(number).toBeGreaterThan(0)
    expect(first.rolledBack).toBeGreaterThan(100)
    expect(await run(seed)).toEqual(first)
  }
})

test('an index halts when a reorganisation is deeper than its stored headers', async () => {
  const report = await run(13)
  expect(report).toMatchObject({ profile: { beyond: true }, mismatch: null })
})
