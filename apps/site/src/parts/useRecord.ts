import type { OutputJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { batchByAddress } from '../batchByAddress.ts'

/** The record of a wallet as lists show it. */
export type ShortRecord = OutputJson<'listProfiles'>['profiles'][number]

const createLoad = (market: Market) =>
  batchByAddress(async (addresses) => (await api.listProfiles({ market, addresses })).body.profiles)
const load = { standard: createLoad('standard'), micro: createLoad('micro') }

/** The record of one wallet. Wallets that are shown together are read together. */
export function useRecord(address: string, market: Market, enabled = true): ShortRecord | undefined {
  const { data } = useQuery({
    queryKey: ['listProfiles', { market, address }],
    enabled,
    staleTime: 15_000,
    queryFn: () => load[market](address),
  })
  return data ?? undefined
}
