// pnpm chaos index [--seeds N] [--from SEED] [--trace]: random chains, reorganisations, faulty providers, kills and restarts.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '../../test/harness/cluster.ts'
import { createTestDatabaseIn } from '../../test/harness/postgres.ts'
import { canonicalJson } from './findMismatch.ts'
import { runSeed, type SeedReport } from './seed.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    /** Prints everything that happens. A seed is reproducible. */
    trace: { type: 'boolean', default: false },
    /** File for the number of passed and failed seeds. */
    counts: { type: 'string' },
  },
})

/** Far longer than any seed takes. */
const longestSeed = 300_000

const cluster = await startCluster()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await cluster.remove()
    process.exit(1)
  })
}
try {
  process.exitCode = (await runSeeds()) ? 0 : 1
} finally {
  await cluster.remove()
}

async function runSeeds(): Promise<boolean> {
  const sum = { events: 0, reorgs: 0, kills: 0, restarts: 0, providerFaults: 0, checks: 0, rows: 0 }
  const most = { deepest: 0, rolledBack: 0 }
  const started = Date.now()
  let failed = 0
  for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed++) {
    const database = await createTestDatabaseIn(cluster.url, `seed_${seed}`)
    const print = values.trace ? { print: (line: string) => console.log(line) } : {}
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`Seed ${seed} did not end in ${longestSeed} ms.`)), longestSeed).unref(),
    )
    const report = await Promise.race([runSeed({ seed, url: database.url, restart: cluster.restart, ...print }), late])
    await database.drop()
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += report[name]
    for (const name of Object.keys(most) as (keyof typeof most)[]) most[name] = Math.max(most[name], report[name])
    const bad = report.mismatch ?? report.halted
    if (bad) failed++
    console.log(formatReport(report))
    if (bad)
      console.log(`${canonicalJson(bad).slice(0, 4_000)}\nRerun: pnpm chaos index --seeds 1 --from ${seed} --trace`)
  }
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${values.seeds} seeds in ${seconds} s, ${failed} failed; ${canonicalJson({ ...sum, ...most })}`)
  if (values.counts) await writeFile(values.counts, JSON.stringify({ passed: Number(values.seeds) - failed, failed }))
  return failed === 0
}

function formatReport(report: SeedReport): string {
  const {
    seed,
    profile,
    blocks,
    events,
    reorgs,
    deepest,
    rolledBack,
    kills,
    restarts,
    providerFaults,
    checks,
    digest,
  } = report
  const kind = (Object.keys(profile) as (keyof typeof profile)[]).filter((name) => profile[name])
  const verdict = report.mismatch || report.halted ? 'FAILED' : profile.beyond ? 'halted as expected' : 'equal'
  return (
    `seed ${seed}${kind.length > 0 ? ` (${kind.join(', ')})` : ''}: ${blocks} blocks, ${events} events, ` +
    `${reorgs} reorgs to ${deepest} deep, ${rolledBack} rolled back at once, ${kills} kills, ${restarts} restarts, ` +
    `${providerFaults} provider faults, ${checks} checks: ${verdict}, trace ${digest}`
  )
}
