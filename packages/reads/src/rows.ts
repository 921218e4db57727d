import type { ReadRoute } from './read.ts'
import { getMarketLedger } from './rows/get-market-ledger.ts'
import { events } from './rows/market/events.ts'
import { open } from './rows/market/open.ts'
import { recent } from './rows/market/recent.ts'
import { task } from './rows/market/task.ts'
import { texts } from './rows/market/texts.ts'
import { posterTasks } from './rows/poster/tasks.ts'
import { unionOverview } from './rows/union/overview.ts'
import { workerTasks } from './rows/worker/tasks.ts'

/** Every read of a market. */
export const rows: readonly ReadRoute[] = [
  open,
  recent,
  task,
  posterTasks,
  getMarketLedger,
  unionOverview,
  workerTasks,
  events,
  texts,
]

/** The reads of the gateway whose bodies are the same. */
const gateway: Readonly<Record<string, ReadRoute>> = {
  '/v1/market/open': open,
  '/v1/discovery/open': open,
  '/v1/market/recent': recent,
}
const gatewayTask = /^\/v1\/tasks\/([^/]{1,120})$/

/** The read that answers at a path, and what the path itself says of the query; null where there is none. */
export function questionOf(path: string): { row: ReadRoute; given: Record<string, string> } | null {
  const row = rows.find((each) => each.path === path) ?? (Object.hasOwn(gateway, path) ? gateway[path] : undefined)
  if (row) return { row, given: {} }
  const [, id] = gatewayTask.exec(path) ?? []
  return id === undefined ? null : { row: task, given: { id: decodeURIComponent(id) } }
}
