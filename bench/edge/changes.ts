import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from 'postgres'

/** How soon changes of the market were visible. */
export interface ChangeDelays {
  changes: number
  p50Ms: number
  maxMs: number
}

/** Changes the newest open task every `everyMs`, as a step of the indexer does, and measures when a URL shows the new block. */
export function changeRepeatedly(sql: Sql, url: string, everyMs: number): { stop: () => Promise<ChangeDelays> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => {})
  const delays: number[] = []
  const work = (async () => {
    while (!signal.aborted) {
      const [block, at] = [await change(sql), performance.now()]
      while (!signal.aborted && (await blockAt(url)) < block) await pause(50)
      if (!signal.aborted) delays.push(Math.round(performance.now() - at))
      await pause(Math.max(0, everyMs - (performance.now() - at)))
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await work
      const sorted = delays.toSorted((a, b) => a - b)
      return { changes: delays.length, p50Ms: sorted[sorted.length >> 1] ?? 0, maxMs: sorted.at(-1) ?? 0 }
    },
  }
}

/** Changes one row, its mark and the cursor in one transaction, and returns the block. A trailing space keeps the JSON equal. */
async function change(sql: Sql): Promise<number> {
  return sql.begin(async (step) => {
    await step`update market.task set
      json = case when json like '% ' then rtrim(json) else json || ' ' end,
      mark = sha256(mark)
      where (market, key) = (select market, max(key) from market.task where market = 0 and posted group by market)`
    const [row] = await step<{ number: string }[]>`update market.cursor set
      number = number + 1, hash = sha256(hash), digest = sha256(digest) where market = 0 returning number`
    await step`select pg_notify('svc_index', '')`
    return Number(row?.number)
  })
}

async function blockAt(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  await response.arrayBuffer()
  return Number(response.headers.get('x-block-number'))
}
