import { type FoldedTask, parseEntity } from '@svc/protocol/internal/fold'
import { computeLedger, type Ledger } from '@svc/protocol/internal/money'
import { type AnySql, toPgArray } from './sql.ts'

/** Wallets with more tasks are left out, and so are those that would exceed the total. */
const defaultLimits = { perWallet: 1_000, total: 5_000 }

/** Computes the ledgers of these wallets from the tasks in the index, without wallets that have too many tasks. */
export async function deriveLedgers(
  sql: AnySql,
  market: number,
  wallets: readonly string[],
  { perWallet, total } = defaultLimits,
): Promise<Map<string, Ledger>> {
  // Limits keep the server from reading the whole table for one busy wallet.
  const selectTasks = (columns: 'key' | 'key, state') => sql`(
      (select ${sql.unsafe(columns)} from task where market = ${market} and poster = wallet.key limit ${perWallet + 1})
      union all
      (select ${sql.unsafe(columns)} from task where market = ${market} and worker = wallet.key limit ${perWallet + 1})) own`
  const given = (ids: readonly string[]) =>
    sql`(select id, decode(substr(id, 3), 'hex') as key from unnest(${toPgArray(ids)}::text[]) id) wallet`
  // In random order, so that other wallets are left out each time.
  const counted = await sql<{ id: string; tasks: string }[]>`
    select wallet.id, (select count(*) from ${selectTasks('key')}) as tasks from ${given(wallets)} order by random()`
  let left = total
  const few = counted.flatMap(({ id, tasks }) => {
    const count = Number(tasks)
    if (count > perWallet || count > left) return []
    left -= count
    return [id]
  })
  const rows = await sql<{ key: string; state: string }[]>`
    select own.key, own.state from ${given(few)}, lateral ${selectTasks('key, state')}`
  const tasks = new Map(rows.map(({ key, state }) => [key, parseEntity(state) as FoldedTask]))
  return new Map(few.map((wallet) => [wallet, computeLedger(wallet, tasks.values())]))
}
