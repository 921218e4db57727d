// pnpm chaos notify [--kills N] [--seed SEED] [--lives N]: two notifiers follow a random chain with reorganisations and send to a receiver,
// while notifiers, Postgres and the receiver are killed. Every event is delivered or reported as failed, repeats have the same id, and the
// messages of a task stay in order. With --lives, also whole lives against a plain reading of the rules.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '../../test/harness/cluster.ts'
import { createTestDatabaseIn } from '../../test/harness/postgres.ts'
import { runKills } from './kills.ts'
import { runLife } from './life.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    lives: { type: 'string', default: '0' },
    /** File for the number of passed and failed runs. */
    counts: { type: 'string' },
  },
  allowPositionals: true,
})

const cluster = await startCluster()
let [passed, failed] = [0, 0]
const report = (what: string, faults: readonly string[], numbers: object) => {
  if (faults.length === 0) passed++
  else failed++
  console.log(`${what}: ${JSON.stringify(numbers)}: ${faults.length === 0 ? 'ok' : 'FAILED'}`)
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`)
}
try {
  const seed = Number(values.seed)
  if (Number(values.kills) > 0) {
    const database = await createTestDatabaseIn(cluster.url, 'notify_kills')
    const { faults, ...numbers } = await runKills({ seed, url: database.url, kills: Number(values.kills), cluster })
    report(`seed ${seed}`, faults, numbers)
  }
  for (let life = seed; life < seed + Number(values.lives); life++) {
    const database = await createTestDatabaseIn(cluster.url, `notify_life_${life}`)
    const { faults, ...numbers } = await runLife({ seed: life, url: database.url, rounds: 25 })
    report(`life ${life}`, faults, numbers)
    await database.drop()
  }
} finally {
  await cluster.remove()
}
console.log(`${passed} passed, ${failed} failed`)
if (values.counts) await writeFile(values.counts, JSON.stringify({ passed, failed }))
process.exitCode = failed === 0 ? 0 : 1
