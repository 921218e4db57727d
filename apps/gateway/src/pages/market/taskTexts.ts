import type { MarketReader } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { TaskRecord } from '@svc/protocol/records'

/** The published texts of tasks by number; tasks without one are missing. */
export type TaskTexts = (market: Market, tasks: readonly TaskRecord[]) => Promise<ReadonlyMap<bigint, string>>

/** So many texts are kept. */
const maxKept = 2_000

/** Reads texts and keeps them, since a text is published once and never changes: a page that is open costs no provider much. */
export function createTaskTexts({ getTexts }: Pick<MarketReader, 'getTexts'>): TaskTexts {
  const kept = new Map<string, string>()

  return async (market, tasks) => {
    // A task that another history has under the same number differs in one of these.
    const keyOf = (task: TaskRecord) =>
      [market, task.number, task.postedBlock, task.postedAt, task.poster, task.total].join(' ')
    const missing = tasks.filter((task) => task.scope === 'OPEN' && !kept.has(keyOf(task)))
    const read =
      missing.length > 0
        ? await getTexts(
            market,
            missing.map(({ number }) => number),
          )
        : null
    for (const task of missing) {
      const text = read?.texts.get(task.number)
      if (text !== undefined) kept.set(keyOf(task), text)
    }
    const found = tasks.flatMap((task) => {
      const text = kept.get(keyOf(task))
      return text === undefined ? [] : [[task.number, text] as const]
    })
    for (const key of kept.keys()) {
      if (kept.size <= maxKept) break
      kept.delete(key)
    }
    return new Map(found)
  }
}
