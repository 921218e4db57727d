import { type Answer, ApiError, apiEndpoints, type ClientInput, createClient, readNames } from '@svc/client'
import type { OutputJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { learnBlockTime, learnServerTime } from './chainClock.ts'
import { findAddress } from './deployments.ts'
import { useLastOwnBlock } from './lastOwnBlock.ts'

/** Creates a client of the API that serves this page. The signal cancels its requests. */
export const createApi = (signal?: AbortSignal) =>
  createClient(apiEndpoints, {
    baseUrl: location.origin,
    fetch: async (request) => {
      const response = await fetch(request, {
        // Answers may be a few seconds old in shared caches. A page that reads again after an event must not get the old one from
        // the browser's own cache.
        cache: 'no-cache',
        signal: signal ? AbortSignal.any([request.signal, signal]) : request.signal,
      })
      learnServerTime(response.headers.get('date'))
      return response
    },
  })

/** The API that serves this page. */
export const api = createApi()

type Name = keyof typeof api
type Inputs = { [N in Name]: ClientInput<N> }
type Bodies = { [N in Name]: OutputJson<N> }
/** The client by name, for code that is generic in the name. */
const callByName: { [N in Name]: (input: Inputs[N]) => Promise<Answer<Bodies[N]>> } = api

export interface ApiQuery<T> extends Pick<UseQueryResult, 'isPending' | 'isFetching' | 'refetch'> {
  body: T | undefined
  error: Error | null
  /** The chain cannot be reached, so the data is from the last known block. */
  stale: boolean
}

/**
 * Reads from the API, and again when one of the visitor's own transactions is confirmed. The read then waits for that
 * block, so a page is never behind what its visitor has just done.
 */
export function useApi<N extends Name>(name: N, input: Inputs[N], enabled = true): ApiQuery<Bodies[N]> {
  const ownBlock = useLastOwnBlock()
  const found = useQuery({
    queryKey: [name, input, ownBlock],
    enabled,
    queryFn: async () => {
      const answer = await callByName[name](ownBlock > 0 && isRead(name) ? { ...input, minBlock: ownBlock } : input)
      learnBlockTime(answer.body)
      return answer
    },
    placeholderData: (previous, query) => (isSameSubject(query?.queryKey[1], input) ? previous : undefined),
    retry: (count, error) => count < 3 && (!(error instanceof ApiError) || error.status >= 500),
    retryDelay: (count, error) => ((error instanceof ApiError && error.retryAfter) || 2 ** count) * 1000,
    refetchInterval: 15_000,
    staleTime: 2_000,
  })
  const { data, error, isPending, isFetching, refetch } = found
  return { body: data?.body, error, isPending, isFetching, refetch, stale: isStale(data?.body) }
}

/** Whether two inputs ask about the same thing. Old data of another market, wallet or task must never stand for the new. */
export function isSameSubject(before: unknown, now: object): boolean {
  if (typeof before !== 'object' || before === null) return false
  const [was, is]: Record<string, unknown>[] = [{ ...before }, { ...now }]
  return ['market', 'address', 'id', 'tier'].every((name) => was?.[name] === is?.[name])
}

/** Only reads wait for a block. Calls read the newest one. */
const isRead = (name: string): boolean => readNames.some((each) => each === name)

const isStale = (body: object | undefined): boolean =>
  body !== undefined && 'meta' in body && typeof body.meta === 'object' && body.meta !== null && 'stale' in body.meta

/** Whether the server names the contracts that this build knows. While it does not, nothing is signed. */
export function useContractCheck(market: Market): { trusted: boolean; problem: string | null } {
  const { body } = useApi('getSiteConfig', { market })
  if (!body) return { trusted: false, problem: null }
  const different = Object.entries(body.contracts).filter(
    ([name, address]) => ![undefined, address].includes(findAddress(market, name)),
  )
  if (different.length === 0) return { trusted: true, problem: null }
  return {
    trusted: false,
    problem: `This server names another ${different.map(([name]) => name).join(', ')} than this site was built with. Nothing can be signed here: open the site from a source you trust.`,
  }
}
