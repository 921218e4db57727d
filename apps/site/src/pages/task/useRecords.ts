import type { Market } from '@svc/protocol'
import { useApi } from '../../api.ts'

/** Reads the records of wallets in a market. Returns a function that finds one; undefined until it is known. */
export function useRecords(market: Market, addresses: readonly (string | null | undefined)[]) {
  const wanted = [...new Set(addresses.filter((each) => typeof each === 'string'))]
  const { body } = useApi('listProfiles', { market, addresses: wanted.join(',') }, wanted.length > 0)
  return (address: string) => body?.profiles.find((each) => each.address.toLowerCase() === address.toLowerCase())
}

export type WalletRecord = NonNullable<ReturnType<ReturnType<typeof useRecords>>>
