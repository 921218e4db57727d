// pnpm chaos mailbox [--seeds N] [--from SEED] [--wallets N]: two wallets talk and negotiate through a store that forges, replays,
// reorders, withholds, repeats, damages and forgets messages, while others write to them. Nothing false is shown, nothing private is
// readable, and both sides end with the same conversation. Then one wallet and many flood a mailbox.
import { randomBytes } from 'node:crypto'
import { findWords } from '../../test/store/findWords.ts'
import { type MailWorld, startMailWorld } from '../../test/store/mailWorld.ts'
import { listSeeds, parseOptions, runEach, runSuite } from '../shared/suite.ts'
import { runMailSeed } from './seed.ts'
import { runSpam } from './spam.ts'

const options = parseOptions({ seeds: 10, from: 1, wallets: 1_000 })
const word = `planted-${randomBytes(12).toString('hex')}`

await runSuite(options, startMailWorld, (world) => {
  const run = (name: string, repeat: string, work: () => Promise<object>) => ({
    name,
    rerun: `pnpm chaos mailbox ${repeat}`,
    play: async () => ({ figures: await work() }),
  })
  return runEach([
    ...listSeeds(options).map((seed) =>
      run(`seed ${seed}`, `--seeds 1 --from ${seed}`, () => runMailSeed(world, seed, word)),
    ),
    ...[1, options.wallets].map((many) =>
      run(`spam of ${many}`, `--seeds 0 --wallets ${many}`, () => runSpam(world, many, word)),
    ),
    run('planted words', '--seeds 1', () => searchDatabase(world)),
  ])
})

/** Searches every row of the store for the word that is in every text. */
async function searchDatabase({ service: { sql } }: MailWorld): Promise<{ tables: number; rows: number }> {
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
