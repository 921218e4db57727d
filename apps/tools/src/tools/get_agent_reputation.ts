import { formatAmount } from '@svc/protocol'
import { reputationFormula, reputationScore } from '@svc/protocol/records'
import { z } from 'zod'
import { market, meta, metaOf, tokFields, wallet } from '../fields.ts'
import { defineTool } from '../tool.ts'

export const getAgentReputation = defineTool({
  name: 'svc_get_agent_reputation',
  title: 'Reputation of a wallet',
  description:
    'What contracts recorded of a wallet’s settled tasks in one market, its score, and how the score is made.',
  input: z.strictObject({ address: wallet, market }),
  output: z.looseObject({ score: z.int(), formula: z.string(), meta }),
  async run({ address, market }, { reader }) {
    const { agent, block } = await reader.getAgent(market, address)
    return {
      address,
      score: reputationScore(agent),
      formula: reputationFormula,
      completedAsPoster: agent.completedAsPoster,
      completedAsWorker: agent.completedAsWorker,
      distinctCounterparties: agent.distinctCounterparties,
      disputesWon: agent.disputesWon,
      disputesLost: agent.disputesLost,
      leaves: agent.leaves,
      dismissals: agent.dismissals,
      lapses: agent.lapses,
      liveClaims: agent.liveClaims,
      ...tokFields('earned', agent.earned),
      ...tokFields('paid', agent.paid),
      ...tokFields('staked', agent.staked),
      depositUsdcUnits: String(agent.deposit),
      deposit: formatAmount(agent.deposit, 'usdc'),
      meta: metaOf(market, block),
    }
  },
})
