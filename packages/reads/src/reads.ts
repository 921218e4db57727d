import { apiEndpoints, type Endpoint, gatewayEndpoints, paidEndpoints, splitEndpoint } from '@svc/operations'
import type { ReadHandler } from './implementRead.ts'
import {
  getMarketStatus,
  getTask,
  getTokPrice,
  getUnion,
  listEvents,
  listOpenTasks,
  listProfiles,
  listRecentTasks,
  listReputation,
  listTitles,
  listVerifiers,
  searchTasks,
} from './market.ts'
import { getLedger, getTrackRecord, listInbox, listTasksByPoster, listTasksByWorker } from './wallet.ts'

/** Every read of a market that a `MarketReader` can answer. */
export const reads = {
  listOpenTasks,
  listRecentTasks,
  searchTasks,
  getTask,
  listTasksByPoster,
  listTasksByWorker,
  getLedger,
  getUnion,
  listEvents,
  listTitles,
  getTokPrice,
  getMarketStatus,
  listProfiles,
  listInbox,
  getTrackRecord,
  listReputation,
  listVerifiers,
} as const satisfies Readonly<Record<string, ReadHandler>>

interface ReadRoute {
  pattern: RegExp
  fields: readonly string[]
  handler: ReadHandler
}

const handlers = new Map<string, ReadHandler>(Object.entries(reads))

const readRoutes: readonly ReadRoute[] = [apiEndpoints, gatewayEndpoints, paidEndpoints].flatMap((endpoints) =>
  Object.entries<Endpoint>(endpoints).flatMap(([name, endpoint]) => {
    const handler = handlers.get(name)
    const { path } = splitEndpoint(endpoint)
    const fields = [...path.matchAll(/:(\w+)/g)].map(([, field = '']) => field)
    return handler ? [{ pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]{1,120})')}$`), fields, handler }] : []
  }),
)

/** Finds the read that the API or the gateway serves at a path, and the fields that the path itself sets. */
export function findRead(path: string): { handler: ReadHandler; given: Record<string, string> } | null {
  for (const { pattern, fields, handler } of readRoutes) {
    const [found, ...values] = pattern.exec(path) ?? []
    if (found === undefined) continue
    return {
      handler,
      given: Object.fromEntries(fields.map((field, at) => [field, decodeURIComponent(values[at] ?? '')])),
    }
  }
  return null
}
