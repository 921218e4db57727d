import { type Deployments, SwapRefusedError } from '@svc/chain'
import type { PreparedJson } from '@svc/operations'
import { formatAmount } from '@svc/protocol'

/** Finds what a refused action would take in USDC alone: "30.02 USDC, at most 30.07 USDC". Null if that would not help either. */
export async function findOtherPayment(
  { swapPool }: Pick<Deployments, 'swapPool'>,
  prepareInUsdc: () => Promise<PreparedJson>,
): Promise<string | null> {
  if (!swapPool) return null
  const prepared = await prepareInUsdc().catch((error: unknown) => {
    if (error instanceof SwapRefusedError) return null
    throw error
  })
  const { total } = prepared?.simulation.status === 'succeeds' ? prepared : {}
  if (!total) return null
  const [now, maximum] = [total.usdc, total.mostUsdc].map((amount) => formatAmount(BigInt(amount), 'usdc'))
  return now === maximum ? `${now}` : `${now}, at most ${maximum},`
}
