import type { OutputJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** The record of a wallet as lists show it. */
export type ShortRecord = OutputJson<'listProfiles'>['profiles'][number]

const perRequest = 50

/** The record of one wallet. Wallets that are shown together are read together. */
export function useRecord(address: string, market: Market, enabled = true): ShortRecord | undefined {
  const { data } = useQuery({
    queryKey: ['listProfiles', { market, address }],
    enabled,
    staleTime: 15_000,
    queryFn: () => loadRecord(market, address),
  })
  return data ?? undefined
}

interface Batch {
  addresses: Set<string>
  answer: Promise<ReadonlyMap<string, ShortRecord>>
}

const open = new Map<Market, Batch>()

async function loadRecord(market: Market, address: string): Promise<ShortRecord | null> {
  let batch = open.get(market)
  if (!batch || batch.addresses.size >= perRequest) {
    const addresses = new Set<string>()
    // Sent when everything that is drawn now has asked.
    const answer = Promise.resolve().then(async () => {
      await new Promise((done) => setTimeout(done, 0))
      open.delete(market)
      const { body } = await api.listProfiles({ market, addresses: [...addresses].sort().join(',') })
      return new Map(body.profiles.map((each) => [each.address.toLowerCase(), each]))
    })
    batch = { addresses, answer }
    open.set(market, batch)
  }
  batch.addresses.add(address)
  return (await batch.answer).get(address.toLowerCase()) ?? null
}
