import type { OutputJson } from '@svc/operations'
import { sanitizeText } from '@svc/protocol'
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { batchByAddress } from './batchByAddress.ts'

/** The first word of a name: how a sentence or a button calls somebody. */
export const getFirstName = (name: string): string => name.trim().split(/\s+/)[0] ?? name

/** Who a wallet says it is. The name is a stranger's text. */
type Person = OutputJson<'listNames'>['names'][number]

/** Not a string, so that events of the market do not read it again. */
export const buildNameQuery = (address: string | undefined) => [{ nameOf: address?.toLowerCase() }]

/** Names change rarely, and a page shows many. */
const staleMs = 300_000

const load = batchByAddress(async (addresses) => (await api.listNames({ addresses })).body.names)

/** Who a wallet says it is; undefined without a profile, or until it is known. Wallets that are shown together are read together. */
export function usePerson(address: string | undefined): Person | undefined {
  const { data } = useQuery({
    queryKey: buildNameQuery(address),
    enabled: address !== undefined,
    staleTime: staleMs,
    retry: false,
    queryFn: () => load(address ?? ''),
  })
  return data ?? undefined
}

/** What a wallet calls itself. */
export function useName(address: string | undefined): string | undefined {
  const name = usePerson(address)?.name
  return name === undefined ? undefined : sanitizeText(name)
}
