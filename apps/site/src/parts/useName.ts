import type { Market } from '@svc/protocol'
import { sanitizeText } from '@svc/protocol'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** The first word of a name: how a sentence or a button calls somebody. */
export const getFirstName = (name: string): string => name.trim().split(/\s+/)[0] ?? name

/** Names change rarely, and a page shows many. */
const staleMs = 300_000

/** What a wallet calls itself; undefined without a name, or until it is known. It is a stranger's text. */
export function useName(address: string | undefined, market: Market): string | undefined {
  const { data } = useQuery({
    // Not a string, so that events of the market do not read it again.
    queryKey: [{ nameOf: address?.toLowerCase() }],
    enabled: address !== undefined,
    staleTime: staleMs,
    retry: false,
    queryFn: async () => {
      const { body } = await api.getProfile({ address: address ?? '', market })
      return body.selfDeclared?.profile.displayName ?? null
    },
  })
  return data ? sanitizeText(data) : undefined
}
