import { type Answer, ApiError, type Client, createClient } from '@svc/client'
import type { Market } from '@svc/protocol'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { contracts } from './deployments.ts'
import { useWritten } from './written.ts'

/** The API that serves this page. */
export const api = createClient({ baseUrl: location.origin, fetch: (request) => fetch(request) })

type Name = keyof Client
type Input<N extends Name> = Parameters<Client[N]>[0]
type Body<N extends Name> = Awaited<ReturnType<Client[N]>>['body']

export interface Read<T> extends Pick<UseQueryResult, 'isPending' | 'isFetching' | 'refetch'> {
  body: T | undefined
  error: Error | null
  /** The chain cannot be reached: what is shown is the last good block. */
  stale: boolean
}

/** Reads that take a block to wait for. */
const waits: ReadonlySet<Name> = new Set([
  'marketOpen',
  'marketRecent',
  'marketTask',
  'posterTasks',
  'workerTasks',
  'getMarketLedger',
  'unionOverview',
  'marketEvents',
  'marketTexts',
] as Name[])

/**
 * Reads from the API, again whenever one of the reader's own transactions is in a block: then that block is waited for, so
 * the page is never behind what its reader has just done.
 */
export function useApi<N extends Name>(name: N, input: Input<N>, enabled = true): Read<Body<N>> {
  const written = useWritten()
  const found = useQuery({
    queryKey: [name, input, written],
    enabled,
    queryFn: () => {
      const waiting = written > 0 && waits.has(name) ? { ...input, minBlock: written } : input
      return (api[name] as (input: unknown) => Promise<Answer<Body<N>>>)(waiting)
    },
    placeholderData: (previous) => previous,
    retry: (count, error) => count < 3 && (!(error instanceof ApiError) || error.status >= 500),
    retryDelay: (count, error) => ((error instanceof ApiError && error.retryAfter) || 2 ** count) * 1000,
    refetchInterval: 15_000,
    staleTime: 2_000,
  })
  const { data, error, isPending, isFetching, refetch } = found
  const meta = (data?.body as { meta?: { stale?: boolean } } | undefined)?.meta
  return { body: data?.body, error, isPending, isFetching, refetch, stale: meta?.stale === true }
}

/** Whether the server names the contracts that this build knows. While it does not, nothing is signed. */
export function useTrusted(market: Market): { trusted: boolean; problem: string | null } {
  const { body } = useApi('siteConfig', { market })
  if (!body) return { trusted: false, problem: null }
  const foreign = Object.entries(body.contracts).filter(
    ([name, address]) => contracts[market][name] !== undefined && contracts[market][name] !== address,
  )
  if (foreign.length === 0) return { trusted: true, problem: null }
  return {
    trusted: false,
    problem: `This server names another ${foreign.map(([name]) => name).join(', ')} than this site was built with. Nothing can be signed here: open the site from a source you trust.`,
  }
}
