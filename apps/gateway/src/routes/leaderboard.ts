import { agentJsonOf, verifierJsonOf } from '@svc/protocol/http'
import { reputationFormula } from '@svc/protocol/records'
import { limit, market, minBlock } from '@svc/serve'
import { defineRead } from '../route.ts'

/** GET /v1/leaderboard/reputation: wallets with a reputation, best first, and the formula that ranks them. */
export const reputation = defineRead({
  path: '/v1/leaderboard/reputation',
  query: { market, limit, minBlock },
  wide: true,
  marketOf: ({ market }) => market,
  async read({ market, limit }, { reader }) {
    const { agents, block } = await reader.listAgents(market, limit)
    return { body: { agents: agents.map(agentJsonOf), formula: reputationFormula }, block }
  },
})

/** GET /v1/leaderboard/verifiers: arbitrators, largest bond first. */
export const verifiers = defineRead({
  path: '/v1/leaderboard/verifiers',
  query: { market, limit, minBlock },
  marketOf: ({ market }) => market,
  async read({ market, limit }, { reader }) {
    const { arbitrators, block } = await reader.listArbitrators(market, limit)
    return { body: { verifiers: arbitrators.map(verifierJsonOf) }, block }
  },
})
