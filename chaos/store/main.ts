// pnpm chaos store [--seeds N] [--from SEED]: deliveries to two replicas of the store while replicas, the object store (Swift, if
// it is installed) and Postgres are killed. Nothing acknowledged is lost, and there is no receipt for what is not held.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runStoreSeed } from './seed.ts'
import { startStoreWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    from: { type: 'string', default: '1' },
    /** File for the number of passed and failed seeds. */
    counts: { type: 'string' },
  },
  allowPositionals: true,
})
const [first, count] = [Number(values.from), Number(values.seeds)]

// A task holds about ten deliveries of this size.
const world = await startStoreWorld(8 + count)
const sum = { bundles: 0, receipts: 0, failures: 0, replica: 0, objects: 0, database: 0 }
let failed = 0
try {
  for (let seed = first; seed < first + count; seed++) {
    const at = Date.now()
    try {
      const { kills, ...rest } = await runStoreSeed(world, seed)
      for (const [name, value] of Object.entries({ ...rest, ...kills })) sum[name as keyof typeof sum] += value
      console.log(`seed ${seed}: ${JSON.stringify({ ...rest, ...kills })} in ${Date.now() - at} ms: ok`)
    } catch (error) {
      failed++
      console.log(`seed ${seed}: FAILED: ${(error as Error).stack?.slice(0, 2_000)}`)
      console.log(`Rerun: pnpm chaos store --seeds 1 --from ${seed}`)
    }
  }
} finally {
  await world.stop()
}
console.log(`${count} seeds, ${failed} failed; ${JSON.stringify(sum)}`)
if (values.counts) await writeFile(values.counts, JSON.stringify({ passed: count - failed, failed }))
process.exitCode = failed === 0 ? 0 : 1
