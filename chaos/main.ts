// pnpm chaos index [--seeds N] [--from SEED] [--trace]: random worlds, reorganisations, lies, kills and restarts.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Progress } from '../apps/indexer/src/follow.ts'
import { startCluster } from '../test/harness/cluster.ts'
import { createDatabaseIn } from '../test/harness/postgres.ts'
import { runSeed } from './index/seed.ts'
import { text } from './index/truth.ts'

const { values, positionals } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    /** Where to leave how many seeds passed and failed. */
    counts: { type: 'string' },
  },
  allowPositionals: true,
})
if (positionals[0] !== 'index') throw new Error('Usage: pnpm chaos index [--seeds N] [--from SEED] [--trace]')

const trace = (market: string, progress: Progress) =>
  console.log(
    market,
    progress.kind,
    'cursor' in progress ? `${progress.cursor.number}` : 'error' in progress ? progress.error.message : '',
  )

const cluster = await startCluster()
try {
  process.exitCode = (await seeds()) ? 0 : 1
} finally {
  await cluster.remove()
}

async function seeds(): Promise<boolean> {
  const sum = { events: 0, reorgs: 0, kills: 0, restarts: 0, lies: 0, checks: 0, rows: 0, deepest: 0 }
  const started = Date.now()
  let failed = 0
  for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed++) {
    const database = await createDatabaseIn(cluster.url, `seed_${seed}`)
    const report = await runSeed({
      seed,
      url: database.url,
      restart: cluster.restart,
      ...(values.trace && { trace }),
    })
    await database.drop()
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) {
      sum[name] = name === 'deepest' ? Math.max(sum.deepest, report.deepest) : sum[name] + report[name]
    }
    const bad = report.falsehood ?? report.halted
    if (bad) failed++
    console.log(
      `seed ${seed}: ${report.blocks} blocks, ${report.events} events, ${report.reorgs} reorgs to ${report.deepest} deep, ${report.kills} kills, ${report.restarts} restarts, ${report.lies} lies, ${report.checks} checks: ${bad ? 'FALSE' : 'equal'}`,
    )
    if (bad) console.log(text(bad).slice(0, 4_000), `\nAgain: pnpm chaos index --seeds 1 --from ${seed}`)
  }
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${values.seeds} seeds in ${seconds} s, ${failed} false; ${text(sum)}`)
  if (values.counts) await writeFile(values.counts, JSON.stringify({ passed: Number(values.seeds) - failed, failed }))
  return failed === 0
}
