import { formatAmount } from '@svc/protocol'
import { reputationFormula } from '@svc/protocol/internal/people'
import { computeReputationScore } from '@svc/protocol/records'
import { z } from 'zod'
import { address, buildMeta, market, meta, toTokFields } from '../fields.ts'
import { defineTool } from '../tool.ts'

export const getAgentReputation = defineTool({
  name: 'svc_get_agent_reputation',
  title: 'Reputation of a wallet',
  description: 'The contracts’ record of a wallet in one market, its score, and the formula of the score.',
  input: z.strictObject({ address, market }),
  output: z.looseObject({
    score: z.int().describe('Reputation score.'),
    formula: z.string().describe('How the score is computed.'),
    meta,
  }),
  async run({ address, market }, { reader }) {
    const { agent, block } = await reader.getAgent(market, address)
    return {
      address,
      score: computeReputationScore(agent),
      formula: reputationFormula,
      completedAsPoster: agent.completedAsPoster,
      completedAsWorker: agent.completedAsWorker,
      distinctCounterparties: agent.distinctCounterparties,
      disputesWon: agent.disputesWon,
      disputesLost: agent.disputesLost,
      leaves: agent.leaves,
      dismissals: agent.dismissals,
      lapses: agent.lapses,
      ...toTokFields('earned', agent.earned),
      ...toTokFields('paid', agent.paid),
      ...toTokFields('staked', agent.staked),
      depositUsdcUnits: String(agent.deposit),
      deposit: formatAmount(agent.deposit, 'usdc'),
      meta: buildMeta(block),
    }
  },
})
