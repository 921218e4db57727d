import type { Market } from '@svc/protocol'
import { useApi } from '../api.ts'

/** The record of a wallet in one market. */
export interface Profile {
  address: string
  completedAsPoster: number
  completedAsWorker: number
  disputesLost: number
  leaves: number
  dismissals: number
  lapses: number
}

const perRequest = 50

/** The records of wallets by address: one request for a page of up to fifty. */
export function useProfiles(addresses: readonly string[], market: Market): ReadonlyMap<string, Profile> {
  // In a fixed order, so that another order of the list is no new request.
  const each = [...new Set(addresses)].sort()
  const first = each.slice(0, perRequest).join(',')
  const second = each.slice(perRequest, 2 * perRequest).join(',')
  const parts = [
    useApi('listProfiles', { market, addresses: first }, first !== ''),
    useApi('listProfiles', { market, addresses: second }, second !== ''),
  ]
  return new Map(parts.flatMap(({ body }) => body?.profiles ?? []).map((profile) => [profile.address, profile]))
}
