import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../../test/harness/cluster.ts'
import { createDatabaseIn } from '../../test/harness/postgres.ts'
import { runSeed, type SeedReport } from './seed.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster(['fsync=off'])
})
afterAll(() => cluster.remove())

async function run(seed: number): Promise<SeedReport> {
  const database = await createDatabaseIn(cluster.url, `seed_${seed}`)
  const report = await runSeed({ seed, url: database.url, restart: cluster.restart })
  await database.drop()
  return report
}

test('a seed with everything in it happens again exactly', async () => {
  const first = await run(20)
  expect(first).toMatchObject({ flavour: { standby: true }, falsehood: null, halted: null })
  for (const number of [first.kills, first.restarts, first.lies, first.checks]) expect(number).toBeGreaterThan(0)
  expect(first.rolledBack).toBeGreaterThan(100)
  expect(await run(20)).toEqual(first)
})

test('an index halts where the chain went another way before all that it keeps', async () => {
  const report = await run(13)
  expect(report).toMatchObject({ flavour: { beyond: true }, falsehood: null })
})
