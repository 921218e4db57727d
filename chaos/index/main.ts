// pnpm chaos index [--seeds N] [--from SEED] [--trace]: random worlds, reorganisations, lies, kills and restarts.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '../../test/harness/cluster.ts'
import { createDatabaseIn } from '../../test/harness/postgres.ts'
import { runSeed, type SeedReport } from './seed.ts'
import { text } from './truth.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    /** Prints everything that happens; a seed does the same each time. */
    trace: { type: 'boolean', default: false },
    /** Where to leave how many seeds passed and failed. */
    counts: { type: 'string' },
  },
})

// It is the server that is killed, never the machine: what it wrote is there again without waiting for the disk.
const cluster = await startCluster(['fsync=off'])
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await cluster.remove()
    process.exit(1)
  })
}
try {
  process.exitCode = (await seeds()) ? 0 : 1
} finally {
  await cluster.remove()
}

async function seeds(): Promise<boolean> {
  const sum = { events: 0, reorgs: 0, kills: 0, restarts: 0, lies: 0, checks: 0, rows: 0 }
  const most = { deepest: 0, rolledBack: 0 }
  const started = Date.now()
  let failed = 0
  for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed++) {
    const database = await createDatabaseIn(cluster.url, `seed_${seed}`)
    const print = values.trace ? { print: (line: string) => console.log(line) } : {}
    const report = await runSeed({ seed, url: database.url, restart: cluster.restart, ...print })
    await database.drop()
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += report[name]
    for (const name of Object.keys(most) as (keyof typeof most)[]) most[name] = Math.max(most[name], report[name])
    const bad = report.falsehood ?? report.halted
    if (bad) failed++
    console.log(lineOf(report))
    if (bad) console.log(`${text(bad).slice(0, 4_000)}\nAgain: pnpm chaos index --seeds 1 --from ${seed} --trace`)
  }
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${values.seeds} seeds in ${seconds} s, ${failed} false; ${text({ ...sum, ...most })}`)
  if (values.counts) await writeFile(values.counts, JSON.stringify({ passed: Number(values.seeds) - failed, failed }))
  return failed === 0
}

function lineOf(report: SeedReport): string {
  const { seed, flavour, blocks, events, reorgs, deepest, rolledBack, kills, restarts, lies, checks, digest } = report
  const kind = (Object.keys(flavour) as (keyof typeof flavour)[]).filter((name) => flavour[name])
  const verdict = report.falsehood || report.halted ? 'FALSE' : flavour.beyond ? 'halted as it must' : 'equal'
  return (
    `seed ${seed}${kind.length > 0 ? ` (${kind.join(', ')})` : ''}: ${blocks} blocks, ${events} events, ` +
    `${reorgs} reorgs to ${deepest} deep, ${rolledBack} taken back at once, ${kills} kills, ${restarts} restarts, ` +
    `${lies} lies, ${checks} checks: ${verdict}, trace ${digest}`
  )
}
