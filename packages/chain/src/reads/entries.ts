import { type ContractName, decodeLog, type MarketEvent, marketAbis } from '@svc/protocol/fold'
import { ChainReadError } from '../errors.ts'
import type { RawLog } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { TimelineEntry } from '../reader.ts'

/** The contracts that emit a market's events. */
export const emitters = Object.keys(marketAbis) as readonly ContractName[]

/** The event of a log, and its line in a timeline. Refuses a log that is none of the market's. */
export async function entryOf(
  { client }: Provider,
  log: RawLog,
  contracts: MarketAddresses,
): Promise<{ event: MarketEvent; entry: TimelineEntry }> {
  const { blockNumber, logIndex, transactionHash } = log
  const timestamp = log.blockTimestamp ?? Number((await client.getBlock({ blockNumber })).timestamp)
  const contract = emitters.find((name) => contracts[name].toLowerCase() === log.address.toLowerCase())
  const event = contract && decodeLog(contract, { ...log, block: { number: Number(blockNumber), timestamp } })
  if (!event) throw new ChainReadError(`A log of ${log.address} is none that was asked for.`, { retryable: true })
  const { name } = event
  return { event, entry: { name, contract, blockNumber, logIndex, transactionHash, timestamp } }
}
