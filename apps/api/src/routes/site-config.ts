import { market as marketName, postingPlans } from '@svc/protocol'
import { addressText, count } from '@svc/protocol/http'
import { market } from '@svc/serve'
import { z } from 'zod'
import { defineCall } from '../route.ts'

const names = [
  'tokToken',
  'taskRegistry',
  'depositVault',
  'escrowVault',
  'paymentGateway',
  'stakingVault',
  'usdOracle',
  'pricingPolicy',
  'usdc',
  'taskScopeRegistry',
  'arbitration',
  'reputationRegistry',
  'taskLens',
] as const

/** GET /api/site-config: where everything is. Clients read addresses here and hardcode none. */
export const siteConfig = defineCall({
  method: 'get',
  path: '/api/site-config',
  summary: 'Show the chain, the contracts of one market, and the posting plans.',
  tag: 'service',
  input: { market },
  answer: z.object({
    chainId: count,
    chainName: z.string(),
    rpcUrl: z.string(),
    market: marketName,
    contracts: z.object(Object.fromEntries(names.map((name) => [name, addressText]))),
    postingPlans: z.array(z.object({ id: z.enum(postingPlans.map(({ id }) => id)), dailyLimit: count })),
  }),
  async call({ market }, { places, publicRpcUrl }) {
    const { chainId, shared, markets } = places
    const all = { ...shared, ...markets[market] }
    return {
      chainId,
      chainName: chainId === 8453 ? 'Base' : `Chain ${chainId}`,
      rpcUrl: publicRpcUrl,
      market,
      contracts: Object.fromEntries(names.map((name) => [name, all[name]])),
      postingPlans,
    }
  },
})
