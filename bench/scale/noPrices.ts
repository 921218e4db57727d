import type { Unindexed } from '@svc/index'

/** Prices come from a chain, and here is none. */
export const noPrices: Unindexed = {
  getPlanQuote: () => {
    throw new Error('There is no chain to read prices from.')
  },
}
