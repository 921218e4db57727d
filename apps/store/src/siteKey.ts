import { fetchSiteConfig } from '@svc/serve'
import { type Address, getAddress, isAddressEqual } from 'viem'

export interface SiteKeyOptions {
  apiUrl: string
  /** The wallet that signs receipts here. */
  own: Address
  onAnswer: (differs: boolean) => void
  onError: (error: Error) => void
}

/** Looks which store the site names. Receipts of another key would not count for the tasks that it posts. */
export async function checkSiteKey({ apiUrl, own, onAnswer, onError }: SiteKeyOptions): Promise<void> {
  try {
    const { store } = await fetchSiteConfig(apiUrl, 'standard')
    onAnswer(store !== null && !isAddressEqual(getAddress(store.address), own))
  } catch (error) {
    onError(error as Error)
  }
}
