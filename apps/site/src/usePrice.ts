import { formatDuration } from '@svc/protocol'
import { useApi } from './api.ts'
import { useMarket } from './useMarket.ts'

/** The price of TOK. */
export interface Price {
  usdPerTok: number
  /** How old the price is, in a sentence. */
  description: string
}

/** The price of TOK in the market's feed, or null if there is none that can be used. */
export function usePrice(): Price | null {
  const { body } = useApi('getTokPrice', { market: useMarket() })
  if (!body || body.usdPerTok === null || body.updatedAt === null) return null
  const age = Math.max(0, Math.floor(Date.now() / 1000) - body.updatedAt)
  return {
    usdPerTok: Number(body.usdPerTok),
    description: `1 TOK = ${body.usdPerTok} USD, ${formatDuration(age)} ago`,
  }
}
