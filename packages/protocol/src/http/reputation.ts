import * as z from 'zod/mini'
import type { AgentRecord } from '../records/agent.ts'
import { reputationScore } from '../reputation.ts'
import { metaJson } from './meta.ts'
import { addressText, amountText, count } from './scalars.ts'

/** A wallet with a reputation. */
const agentJson = z.object({
  address: addressText,
  /** By `formula`, from the other fields alone. */
  score: count,
  /** As poster and as worker. */
  completed: count,
  completedAsPoster: count,
  completedAsWorker: count,
  /** Earned as a worker, and paid as a poster. */
  releasedTokWei: amountText,
  paidTokWei: amountText,
  disputesWon: count,
  disputesLost: count,
  leaves: count,
  dismissals: count,
  lapses: count,
  distinctCounterparties: count,
})

export type AgentJson = z.infer<typeof agentJson>

/** Wallets with a reputation, best first. */
export const reputationJson = z.object({ agents: z.array(agentJson), formula: z.string(), meta: metaJson })

/** An agent on the wire. */
export function agentJsonOf(agent: AgentRecord): AgentJson {
  const { address, completedAsPoster, completedAsWorker, disputesWon, disputesLost, leaves, dismissals, lapses } = agent
  return {
    address,
    score: reputationScore(agent),
    completed: completedAsPoster + completedAsWorker,
    completedAsPoster,
    completedAsWorker,
    releasedTokWei: String(agent.earned),
    paidTokWei: String(agent.paid),
    disputesWon,
    disputesLost,
    leaves,
    dismissals,
    lapses,
    distinctCounterparties: agent.distinctCounterparties,
  }
}
