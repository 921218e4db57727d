// pnpm chaos providers [--seeds N] [--from SEED]: an index behind two or three providers of which one has limits or lies.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '../../test/harness/cluster.ts'
import { createTestDatabaseIn } from '../../test/harness/postgres.ts'
import { listCasesOfSeed } from './cases.ts'
import { runCase } from './runCase.ts'

/** So many seeds run every case once. */
const allSeeds = 40

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: String(allSeeds) },
    from: { type: 'string', default: '1' },
    /** File for the number of passed and failed cases. */
    counts: { type: 'string' },
  },
})
const [first, seeds] = [Number(values.from), Number(values.seeds)]

const cluster = await startCluster()
const sum = { equal: 0, stalled: 0, failed: 0 }
const started = Date.now()
try {
  for (let seed = first; seed < first + seeds; seed++) {
    for (const [index, each] of listCasesOfSeed(seed, allSeeds).entries()) {
      const database = await createTestDatabaseIn(cluster.url, `case_${seed}_${index}`)
      const at = Date.now()
      const { verdict, why, stalls, doubted } = await runCase({ seed, url: database.url, ...each })
      await database.drop()
      sum[verdict]++
      const name = `${each.faults.join(' + ')}, ${each.liars ?? 1} of ${each.providers}`
      const named = doubted.length > 0 ? `, doubted ${doubted.join()}` : ''
      console.log(
        `seed ${seed}: ${name}: ${verdict} in ${Date.now() - at} ms, ${stalls} stalls${named}${why ? `: ${why}` : ''}`,
      )
      if (verdict === 'failed') console.log(`Rerun: pnpm chaos providers --seeds 1 --from ${seed}`)
    }
  }
} finally {
  await cluster.remove()
}
console.log(`${seeds} seeds in ${Math.round((Date.now() - started) / 1000)} s: ${JSON.stringify(sum)}`)
const { failed, ...passed } = sum
if (values.counts) await writeFile(values.counts, JSON.stringify({ passed: passed.equal + passed.stalled, failed }))
process.exitCode = failed === 0 ? 0 : 1
