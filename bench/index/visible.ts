import { schemaOf } from '@svc/index'
import { markets } from '@svc/protocol'
import postgres from 'postgres'

/** Watches from a connection of its own how far the rows of both markets can be seen. */
export interface Watch {
  /** Settles when both markets are at this block. */
  reached: (block: number, limitMs: number) => Promise<void>
  /** How many events both markets have. */
  events: () => Promise<number>
  end: () => Promise<void>
}

/** Hears of each step, and looks itself whether its rows are there; `onSeen` gets the newest block that both markets have. */
export async function watchRows(database: string, onSeen: (block: number) => void = () => {}): Promise<Watch> {
  const sql = postgres(database, { max: 1, fetch_types: false, onnotice: () => {} })
  const seen = markets.map(() => -1)
  const waiters = new Set<() => void>()
  const cursor = sql(`${schemaOf('a')}.cursor`)
  const listening = await sql.listen('svc_index', async (told) => {
    const [market = '', number = ''] = told.split(':')
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
      if (late) throw new Error(`Rows up to block ${block} were not there after ${limitMs} ms, only up to ${seen}.`)
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
