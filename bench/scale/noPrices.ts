import type { ChainOnlyReads } from '@svc/index'

const noPrice = () => {
  throw new Error('This bench has no chain to read prices from.')
}

/** Prices come from a chain, and these benches have none. */
export const noPrices: ChainOnlyReads = { getPlanQuote: noPrice, getTokPrice: noPrice }
