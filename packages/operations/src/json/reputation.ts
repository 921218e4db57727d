import { type AgentRecord, computeReputationScore } from '@svc/protocol/records'
import * as z from 'zod'
import { metaJson } from './meta.ts'
import { addressText, amountText, count } from './scalars.ts'

/** The reputation of a wallet in one market: numbers of what it did. */
export const reputationCounts = {
  completedAsPoster: count.describe('Tasks completed as poster.'),
  completedAsWorker: count.describe('Tasks completed as worker.'),
  distinctCounterparties: count.describe('Different wallets it completed tasks with.'),
  disputesWon: count.describe('Disputes won by a ruling.'),
  disputesLost: count.describe('Disputes lost by a ruling, or given up.'),
  leaves: count.describe('Tasks it left as worker.'),
  dismissals: count.describe('Workers it dismissed as poster after the vet window, or gave notice.'),
  lapses: count.describe('Deadlines it missed.'),
}

/** A wallet with a reputation. */
export const agentJson = z.object({
  address: addressText.describe('Address of the wallet.'),
  score: count.describe('Score by `formula`, computed from the other fields.'),
  completed: count.describe('Tasks completed as poster and as worker.'),
  ...reputationCounts,
  earnedTokWei: amountText.describe('Earned as a worker, in TOK wei.'),
  paidTokWei: amountText.describe('Paid as a poster, in TOK wei.'),
})

export type AgentJson = z.infer<typeof agentJson>

/** Wallets with a reputation, best first. */
export const reputationJson = z.object({
  agents: z.array(agentJson).describe('Wallets with a reputation, best first.'),
  formula: z.string().describe('How the score is computed.'),
  meta: metaJson,
})

/** The records of the wallets that were asked for. */
export const profilesJson = z.object({
  profiles: z.array(agentJson).describe('Each wallet once, in the order of `addresses`. Unknown wallets have zeros.'),
  formula: reputationJson.shape.formula,
  meta: metaJson,
})

/** An agent on the wire. */
export function formatAgent(agent: AgentRecord): AgentJson {
  const { address, completedAsPoster, completedAsWorker, disputesWon, disputesLost, leaves, dismissals, lapses } = agent
  return {
    address,
    score: computeReputationScore(agent),
    completed: completedAsPoster + completedAsWorker,
    completedAsPoster,
    completedAsWorker,
    earnedTokWei: String(agent.earned),
    paidTokWei: String(agent.paid),
    disputesWon,
    disputesLost,
    leaves,
    dismissals,
    lapses,
    distinctCounterparties: agent.distinctCounterparties,
  }
}
