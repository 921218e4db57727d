import { pauseThreshold } from '@svc/protocol'
import type { Entity } from '@svc/protocol/fold'
import { parseEntity } from '@svc/protocol/internal/fold'
import type { AgentRecord } from '@svc/protocol/records'
import type { Database } from '@svc/serve'
import { type Address, hexToBytes } from 'viem'

/** Creates the check whether a wallet may publish: it has a deposit in a market, or has completed a task there. */
export const createPublisherCheck =
  (database: Database) =>
  async (wallet: Address): Promise<boolean> => {
    const rows = await database(
      (sql) => sql<{ state: string }[]>`
        select state from market.agent where market in (0, 1) and key = ${Buffer.from(hexToBytes(wallet))}`,
    )
    return rows.some(({ state }) => takesPart(parseEntity(state)))
  }

function takesPart(agent: Entity): boolean {
  const { deposit, completedAsPoster, completedAsWorker } = agent as AgentRecord
  return deposit >= pauseThreshold || completedAsPoster + completedAsWorker > 0
}
