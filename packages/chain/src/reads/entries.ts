import { type ContractName, decodeLog, type MarketEvent, marketAbis } from '@svc/protocol/fold'
import { ChainReadError } from '../errors.ts'
import type { RawLog } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { TimelineEntry } from '../reader.ts'

/** The contracts that emit a market's events. */
export const emitters = Object.keys(marketAbis) as readonly ContractName[]

/** Decodes a log to its event and its timeline entry. Throws if it is not a log of the market's contracts. */
export async function decodeTimelineEntry(
  { client }: Provider,
  log: RawLog,
  contracts: MarketAddresses,
): Promise<{ event: MarketEvent; entry: TimelineEntry }> {
  const { blockNumber, logIndex, transactionHash } = log
  const timestamp = log.blockTimestamp ?? Number((await client.getBlock({ blockNumber })).timestamp)
  const contract = emitters.find((name) => contracts[name].toLowerCase() === log.address.toLowerCase())
  const event = contract && decodeLog(contract, { ...log, block: { number: Number(blockNumber), timestamp } })
  if (!event)
    throw new ChainReadError(`The provider returned a log of ${log.address}, which is not a contract of the market.`, {
      retryable: true,
    })
  const { name, args } = event
  return { event, entry: { name, contract, args, blockNumber, logIndex, transactionHash, timestamp } }
}
