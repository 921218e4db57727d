import type { Market } from '@svc/protocol'
import { type Address, getAddress } from 'viem'
import { useApi } from '../api.ts'

/** The store of a market. */
export interface StoreInfo {
  /** The wallet that signs its receipts. */
  address: Address
  baseUrl: string
}

/** The store of a market: null if it has none, undefined until that is known. */
export function useStore(market: Market): StoreInfo | null | undefined {
  const { body } = useApi('getSiteConfig', { market })
  if (!body) return undefined
  const { store } = body
  return store && { address: getAddress(store.address), baseUrl: new URL(store.url, location.origin).href }
}
