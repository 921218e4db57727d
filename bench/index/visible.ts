import { setTimeout as wait } from 'node:timers/promises'
import { getSchemaName, getServingBuild } from '@svc/index'
import { markets } from '@svc/protocol'
import postgres from 'postgres'

/** Watches, from its own connection, up to which block the rows of both markets are visible. */
export interface Watch {
  /** Resolves when both markets have reached this block. */
  reached: (block: number, limitMs: number) => Promise<void>
  /** Resolves when readers see the build: it was compared with the chain. */
  serving: (limitMs: number) => Promise<void>
  /** How many events both markets have. */
  events: () => Promise<number>
  end: () => Promise<void>
}

/** Listens for steps of the indexer and checks that their rows are visible. `onSeen` gets the newest block of both markets. */
export async function watchRows(database: string, onSeen: (block: number) => void = () => {}): Promise<Watch> {
  const sql = postgres(database, { max: 1, fetch_types: false, onnotice: () => {} })
  const seen = markets.map(() => -1)
  const waiters = new Set<() => void>()
  const cursor = sql(`${getSchemaName('a')}.cursor`)
  const listening = await sql.listen('svc_index', async (payload) => {
    const [market = '', number = ''] = payload.split(':')
    const [row] = await sql<{ number: string }[]>`select number from ${cursor} where market = ${market}`
    if (!row || Number(row.number) < Number(number)) return
    seen[Number(market)] = Number(number)
    onSeen(Math.min(...seen))
    for (const wake of waiters) wake()
  })
  return {
    async reached(block, limitMs) {
      let late = false
      const limit = setTimeout(() => {
        late = true
        for (const wake of waiters) wake()
      }, limitMs)
      while (!late && Math.min(...seen) < block) {
        await new Promise<void>((done) => {
          waiters.add(done)
        })
        waiters.clear()
      }
      clearTimeout(limit)
      if (late) throw new Error(`Rows up to block ${block} were not visible after ${limitMs} ms, only up to ${seen}.`)
    },
    async serving(limitMs) {
      for (const until = Date.now() + limitMs; (await getServingBuild(sql)) === null; await wait(100))
        if (Date.now() > until) throw new Error(`No build serves after ${limitMs} ms.`)
    },
    async events() {
      const [row] = await sql<{ events: string }[]>`select sum(events) as events from ${cursor}`
      return Number(row?.events)
    },
    end: async () => {
      await listening.unlisten()
      await sql.end({ timeout: 1 })
    },
  }
}
