import type { Deployments, Providers } from '@svc/chain'
import type { PaidPeriod } from '@svc/index'
import { unavailable } from '@svc/operations'
import { type Market, postingPlans } from '@svc/protocol'
import { paymentGatewayAbi } from '@svc/protocol/abis'
import { encodePlanId, paidPlans } from '@svc/protocol/internal/money'
import type { Address } from 'viem'

/** Reads until when a wallet's plans are paid for, at the chain's newest block. */
export type ReadChainPlans = (market: Market, wallet: Address) => Promise<PaidPeriod[]>

/** Reads paid plans from the contracts. */
export function createReadChainPlans(providers: Providers, { markets }: Deployments): ReadChainPlans {
  return async (market, wallet) => {
    const gateway = { address: markets[market].paymentGateway, abi: paymentGatewayAbi } as const
    const contracts = paidPlans.map(
      (plan) => ({ ...gateway, functionName: 'paidUntil', args: [wallet, encodePlanId(plan)] }) as const,
    )
    const found = await providers
      .read(({ client }) => client.multicall({ allowFailure: false, contracts }))
      .catch(() => {
        throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
      })
    return paidPlans.map((tier, index) => ({ tier, paidUntil: Number(found[index]) }))
  }
}

/** The best plan that is paid for at `now`; the free plan if none is. */
export function findActivePlan(periods: readonly PaidPeriod[], now: number) {
  const isPaid = (id: string) => periods.some(({ tier, paidUntil }) => tier === id && paidUntil > now)
  return postingPlans.findLast(({ id }) => isPaid(id)) ?? postingPlans[0]
}
