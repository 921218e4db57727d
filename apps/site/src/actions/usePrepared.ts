import { ApiError } from '@svc/client'
import type { PreparedJson } from '@svc/operations'
import { canonicalizeJson } from '@svc/protocol'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { PayWith } from './PayChoice.tsx'
import type { RequestedAction } from './readBack.ts'

/** How long a prepared action is taken as true. */
const validMs = 30_000

// Not a string, so that events of the market do not prepare it again while it is read.
const nameQuery = (asked: RequestedAction | null, payFrom: PayWith) => [{ prepare: canonicalizeJson(asked), payFrom }]

/** Prepares an action: its calls, costs and simulation. */
export function usePrepared(asked: RequestedAction | null, payFrom: PayWith, enabled = true) {
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: nameQuery(asked, payFrom),
    enabled: enabled && asked !== null,
    queryFn: () => prepare(asked, payFrom),
    retry: (count, failed) => count < 2 && (!(failed instanceof ApiError) || failed.status >= 500),
    staleTime: validMs,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return { body: data, error, isPending: isPending && enabled && asked !== null && !error, isFetching, refetch }
}

async function prepare(asked: RequestedAction | null, payFrom: PayWith): Promise<PreparedJson> {
  if (!asked) throw new Error('Nothing was asked for.')
  // What must come first is prepared with it, as one batch.
  const { body } = await api.prepareAction({ ...asked, payFrom })
  return body
}

/**
 * Whether prepared actions are still what would be prepared now. Old ones are prepared again, and the receipt then shows what is
 * new.
 */
export async function isUpToDate(
  queries: QueryClient,
  asked: RequestedAction,
  payFrom: PayWith,
  prepared: PreparedJson,
): Promise<boolean> {
  const fresh = await queries.fetchQuery({
    queryKey: nameQuery(asked, payFrom),
    queryFn: () => prepare(asked, payFrom),
    staleTime: validMs,
  })
  return describeEffect(fresh) === describeEffect(prepared)
}

/** What a user agrees to: the calls, what they cost, and whether they go through. */
const describeEffect = ({ calls, costs, simulation }: PreparedJson): string =>
  canonicalizeJson({
    calls,
    costs,
    outcome: simulation.status === 'refused' ? simulation.error.message : simulation.status,
  })
