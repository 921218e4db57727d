// pnpm chaos mailbox [--seeds N] [--from SEED] [--wallets N]: two wallets talk and negotiate through a store that forges, replays,
// reorders, withholds, repeats, damages and forgets messages, while others write to them. Nothing false is shown, nothing private is
// readable, and both sides end with the same conversation. Then one wallet and many flood a mailbox.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { findWords } from '../../test/store/findWords.ts'
import { startMailWorld } from '../../test/store/mailWorld.ts'
import { runMailSeed } from './seed.ts'
import { runSpam } from './spam.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    from: { type: 'string', default: '1' },
    wallets: { type: 'string', default: '1000' },
    /** File for the number of passed and failed seeds. */
    counts: { type: 'string' },
  },
  allowPositionals: true,
})
const [first, count, wallets] = [Number(values.from), Number(values.seeds), Number(values.wallets)]

const world = await startMailWorld()
const word = `planted-${randomBytes(12).toString('hex')}`
const sum: Record<string, number> = {}
let failed = 0

const run = async (name: string, rerun: string, work: () => Promise<object>) => {
  const at = Date.now()
  try {
    const report = await work()
    for (const [field, value] of Object.entries(report)) sum[field] = (sum[field] ?? 0) + value
    console.log(`${name}: ${JSON.stringify(report)} in ${Date.now() - at} ms: ok`)
  } catch (error) {
    failed++
    console.log(`${name}: FAILED: ${(error as Error).stack?.slice(0, 2_000)}`)
    console.log(`Rerun: ${rerun}`)
  }
}

try {
  for (let seed = first; seed < first + count; seed++) {
    await run(`seed ${seed}`, `pnpm chaos mailbox --seeds 1 --from ${seed}`, () => runMailSeed(world, seed, word))
  }
  for (const many of [1, wallets]) {
    await run(`spam of ${many}`, `pnpm chaos mailbox --seeds 0 --wallets ${many}`, () => runSpam(world, many, word))
  }
  await run('planted words', 'pnpm chaos mailbox --seeds 1', searchDatabase)
} finally {
  await world.stop()
}
const total = count + 3
console.log(`${total} runs, ${failed} failed; ${JSON.stringify(sum)}`)
if (values.counts) await writeFile(values.counts, JSON.stringify({ passed: total - failed, failed }))
process.exitCode = failed === 0 ? 0 : 1

/** Searches every row of the store for the word that is in every text. */
async function searchDatabase(): Promise<{ tables: number; rows: number }> {
  const { sql } = world.service
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'store'`
  let rows = 0
  for (const { name } of tables) {
    const found = await sql<Record<string, unknown>[]>`select * from store.${sql(name)}`
    rows += found.length
    const values = found.flatMap((row) => Object.values(row))
    const bytes = values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${value}\n`)))
    const leaks = findWords({ word }, [{ place: `table store.${name}`, bytes: Buffer.concat(bytes) }])
    if (leaks.length > 0) throw new Error(leaks.join(', '))
  }
  return { tables: tables.length, rows }
}
