import { type FoldedTask, unpackEntity } from '@svc/protocol/fold'
import { type Ledger, ledgerOf } from '@svc/protocol/records'
import { list } from './list.ts'
import type { AnySql } from './sql.ts'

/** A wallet with more tasks is left out, and so is one with which it would be too many in all. */
const mostTasks = { ofOne: 1_000, inAll: 5_000 }

/** What the tasks in the index make the ledgers of these wallets; those with too many tasks are missing. */
export async function ledgersOfTasks(
  sql: AnySql,
  market: number,
  wallets: readonly string[],
  { ofOne, inAll } = mostTasks,
): Promise<Map<string, Ledger>> {
  // Limits keep the server from reading the whole table for one busy wallet.
  const tasksOf = (columns: 'key' | 'key, state') => sql`(
      (select ${sql.unsafe(columns)} from task where market = ${market} and poster = wallet.key limit ${ofOne + 1})
      union all
      (select ${sql.unsafe(columns)} from task where market = ${market} and worker = wallet.key limit ${ofOne + 1})) own`
  const given = (ids: readonly string[]) =>
    sql`(select id, decode(substr(id, 3), 'hex') as key from unnest(${list(ids)}::text[]) id) wallet`
  // In any order: when it is too many in all, they are others each time.
  const counted = await sql<{ id: string; tasks: string }[]>`
    select wallet.id, (select count(*) from ${tasksOf('key')}) as tasks from ${given(wallets)} order by random()`
  let left = inAll
  const few = counted.flatMap(({ id, tasks }) => {
    const count = Number(tasks)
    if (count > ofOne || count > left) return []
    left -= count
    return [id]
  })
  const rows = await sql<{ key: string; state: string }[]>`
    select own.key, own.state from ${given(few)}, lateral ${tasksOf('key, state')}`
  const tasks = new Map(rows.map(({ key, state }) => [key, unpackEntity(state) as FoldedTask]))
  return new Map(few.map((wallet) => [wallet, ledgerOf(wallet, tasks.values())]))
}
