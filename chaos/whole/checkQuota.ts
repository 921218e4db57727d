import { getLogs, toViemLog } from '@svc/chain'
import { markets, postingPlans } from '@svc/protocol'
import { paymentGatewayAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { decodePlanId, type PostingTier } from '@svc/protocol/internal/money'
import { parseEventLogs } from 'viem'
import { expectSame, type FinalState } from './finalState.ts'

const secondsPerDay = 86_400

/** Checks that every wallet's quota follows from the posts and payments on chain, for each day with a post. */
export async function checkQuota(final: FinalState): Promise<void> {
  const { chain, provider, services, wallets, http } = final
  for (const market of markets) {
    const { taskRegistry, paymentGateway } = chain.deployments.markets[market]
    const range = { from: 0n, to: chain.head().number }
    const logs = await getLogs(provider.rpc, { address: taskRegistry }, range)
    const posts = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs: logs.map(toViemLog) })
    const paid = await getLogs(provider.rpc, { address: paymentGateway }, range)
    const payments = parseEventLogs({ abi: paymentGatewayAbi, eventName: 'PlanPurchased', logs: paid.map(toViemLog) })
    const timeByBlock = new Map(logs.map(({ blockNumber, blockTimestamp }) => [blockNumber, blockTimestamp ?? 0]))
    const toDay = (seconds: number) => Math.floor(seconds / secondsPerDay)
    const days = [...new Set(posts.map(({ blockNumber }) => toDay(timeByBlock.get(blockNumber) ?? 0)))]
    for (const day of days) {
      const now = day * secondsPerDay + secondsPerDay / 2
      await services.setClock(now)
      for (const { address } of wallets) {
        const used = posts.filter(
          ({ args, blockNumber }) => args.poster === address && toDay(timeByBlock.get(blockNumber) ?? 0) === day,
        ).length
        const plans = payments
          .filter(({ args }) => args.beneficiary === address && Number(args.paidUntil) > now)
          .map(({ args }) => decodePlanId(args.planId))
        const plan = postingPlans.findLast(({ id }) => id === 'free' || plans.some((plan) => plan === id))
        const tier: PostingTier = plan?.id ?? 'free'
        const limit = plan?.dailyLimit ?? 0
        for (const url of services.apiUrls) {
          const { body } = await http.requestUntil(
            'api',
            [`${url}/api/posting/quota?market=${market}&address=${address}`],
            {},
            ({ status }) => status === 200,
          )
          const { tier: saidTier, used: saidUsed, limit: saidLimit, canPost } = body
          expectSame(
            final,
            `the quota of ${address} in ${market} on day ${day}`,
            { tier: saidTier, used: saidUsed, limit: saidLimit, canPost },
            { tier, used, limit, canPost: used < limit },
          )
        }
      }
    }
  }
}
