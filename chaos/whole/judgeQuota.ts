import { getLogs } from '@svc/chain'
import { markets, type PostingTier, planOfId, postingPlans } from '@svc/protocol'
import { paymentGatewayAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { parseEventLogs } from 'viem'
import { posted } from './call.ts'
import { demandSame, type Final } from './verdict.ts'

const secondsOfDay = 86_400

/** Whether the quota of every wallet is what the chain's posts and payments come to, on each day that somebody posted. */
export async function judgeQuota(final: Final): Promise<void> {
  const { chain, provider, crew, wallets, call } = final
  for (const market of markets) {
    const { taskRegistry, paymentGateway } = chain.deployments.markets[market]
    const range = { from: 0n, to: chain.head().number }
    const logs = await getLogs(provider.rpc, { address: taskRegistry }, range)
    const posts = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs: logs as never })
    const paid = await getLogs(provider.rpc, { address: paymentGateway }, range)
    const payments = parseEventLogs({ abi: paymentGatewayAbi, eventName: 'PlanPurchased', logs: paid as never })
    const timeOf = new Map(logs.map(({ blockNumber, blockTimestamp }) => [blockNumber, blockTimestamp ?? 0]))
    const dayOf = (seconds: number) => Math.floor(seconds / secondsOfDay)
    const days = [...new Set(posts.map(({ blockNumber }) => dayOf(timeOf.get(blockNumber) ?? 0)))]
    // What a reorganisation took off the chain and another block brought back must be brought again.
    for (const { args, transactionHash } of payments) {
      const body = {
        address: args.beneficiary,
        tier: planOfId(args.planId),
        txHash: transactionHash,
        payWith: args.asset === chain.deployments.shared.usdc ? 'usdc' : 'tok',
        market,
      }
      await call.until(
        'api',
        crew.apiUrls.map((url) => `${url}/api/posting/upgrade`),
        posted(body),
        ({ status }) => status === 200,
      )
    }
    for (const day of days) {
      const now = day * secondsOfDay + secondsOfDay / 2
      await crew.setClock(now)
      for (const { address } of wallets) {
        const used = posts.filter(
          ({ args, blockNumber }) => args.poster === address && dayOf(timeOf.get(blockNumber) ?? 0) === day,
        ).length
        const plans = payments
          .filter(({ args }) => args.beneficiary === address && Number(args.paidUntil) > now)
          .map(({ args }) => planOfId(args.planId))
        const plan = postingPlans.findLast(({ id }) => id === 'free' || plans.includes(id as never))
        const tier: PostingTier = plan?.id ?? 'free'
        const limit = plan?.dailyLimit ?? 0
        for (const url of crew.apiUrls) {
          const { body } = await call.until(
            'api',
            [`${url}/api/posting/quota?market=${market}&address=${address}`],
            {},
            ({ status }) => status === 200,
          )
          const { tier: saidTier, used: saidUsed, limit: saidLimit, canPost } = body
          demandSame(
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
