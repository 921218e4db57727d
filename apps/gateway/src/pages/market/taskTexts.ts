import type { MarketReader } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { TaskRecord } from '@svc/protocol/records'

/** Reads the published texts of tasks, by task number. Tasks without a text are absent. */
export type TaskTexts = (market: Market, tasks: readonly TaskRecord[]) => Promise<ReadonlyMap<bigint, string>>

/** Maximum number of cached texts. */
const maxKept = 2_000

/** Reads and caches texts. A text is published once and never changes, so refreshing a page costs few RPC calls. */
export function createTaskTexts({ getTexts }: Pick<MarketReader, 'getTexts'>): TaskTexts {
  const cached = new Map<string, string>()

  return async (market, tasks) => {
    // After a reorg, another task with the same number differs in one of these.
    const formatKey = (task: TaskRecord) =>
      [market, task.number, task.postedBlock, task.postedAt, task.poster, task.total].join(' ')
    const missing = tasks.filter((task) => task.scope === 'OPEN' && !cached.has(formatKey(task)))
    const read =
      missing.length > 0
        ? await getTexts(
            market,
            missing.map(({ number }) => number),
          )
        : null
    for (const task of missing) {
      const text = read?.texts.get(task.number)
      if (text !== undefined) cached.set(formatKey(task), text)
    }
    const found = tasks.flatMap((task) => {
      const text = cached.get(formatKey(task))
      return text === undefined ? [] : [[task.number, text] as const]
    })
    for (const key of cached.keys()) {
      if (cached.size <= maxKept) break
      cached.delete(key)
    }
    return new Map(found)
  }
}
