import type { ChainOnlyReads } from '@svc/index'

/** Prices come from a chain, and these benches have none. */
export const noPrices: ChainOnlyReads = {
  getPlanQuote: () => {
    throw new Error('This bench has no chain to read prices from.')
  },
}
