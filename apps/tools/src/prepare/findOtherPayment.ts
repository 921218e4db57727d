import { type PrepareJsonQuery, prepareActionJson, SwapRefusedError } from '@svc/chain'
import { formatAmount } from '@svc/protocol'
import type { Markets } from '../market.ts'

/** Finds what a refused action would take in USDC alone: "30.02 USDC, at most 30.07 USDC". Null if that would not help either. */
export async function findOtherPayment(
  { providers, places }: Pick<Markets, 'providers' | 'places'>,
  query: PrepareJsonQuery,
): Promise<string | null> {
  const hasPool = Object.values(places.markets).some(({ swap }) => swap)
  if (!hasPool || query.payFrom === 'usdc') return null
  const prepared = await prepareActionJson(providers, places, { ...query, payFrom: 'usdc' }).catch((error: unknown) => {
    if (error instanceof SwapRefusedError) return null
    throw error
  })
  const { total } = prepared?.simulation.status === 'succeeds' ? prepared : {}
  if (!total) return null
  const [now, maximum] = [total.usdc, total.mostUsdc].map((amount) => formatAmount(BigInt(amount), 'usdc'))
  return now === maximum ? `${now}` : `${now}, at most ${maximum},`
}
