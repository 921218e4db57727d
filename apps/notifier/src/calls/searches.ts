import { createQueryParser, operations, parseInput, ServiceError } from '@svc/operations'
import { implementCalls } from '@svc/serve'
import type { NotifierDeps } from '../deps.ts'

const implement = implementCalls<NotifierDeps>()
/** About what a saved search costs besides its text. */
const searchRowBytes = 400
const parseQuery = createQueryParser(operations.searchTasks)

export const listSearches = implement(operations.listSearches)(async (_, { sessions, searches }, { headers }) => {
  const wallet = await sessions.require(headers)
  return { wallet, searches: [...(await searches.list(wallet))] }
})

export const saveSearch = implement(operations.saveSearch)(
  async ({ name, search }, { sessions, searches, isEstablished, room }, { headers, client }) => {
    const wallet = await sessions.require(headers)
    const { market, query } = parseSearch(search)
    await room.take(wallet, client, search.length + searchRowBytes)
    return { id: await searches.save(wallet, { name, search, market, filter: query }, await isEstablished(wallet)) }
  },
)

export const removeSearch = implement(operations.removeSearch)(async ({ id }, { sessions, searches }, { headers }) => ({
  removed: await searches.remove(await sessions.require(headers), id),
}))

/** Parses a search as the API would. Its parameters have error codes of their own there; here they are parts of one field. */
function parseSearch(search: string) {
  try {
    return parseInput(operations.searchTasks, parseQuery(new URLSearchParams(search)))
  } catch (error) {
    throw error instanceof ServiceError ? new ServiceError('INVALID_REQUEST', `search: ${error.message}`) : error
  }
}
