import {
  type BlockRef,
  getLogs,
  type MarketDeployment,
  type Provider,
  type Providers,
  type RawLog,
  readAtHead,
} from '@svc/chain'
import type { Market } from '@svc/protocol'
import { decodeLog, type MarketEvent } from '@svc/protocol/fold'
import { type Address, pad } from 'viem'
import { type Figure, type FigureName, figures } from './figures.ts'

export interface WalletRecord {
  block: BlockRef
  /** In chain order, newest last. */
  events: readonly MarketEvent[]
}

const emitters = ['reputationRegistry', 'arbitration'] as const

/** Reads the events behind one figure of a wallet from the chain. */
export function readRecord(
  providers: Providers,
  { markets, startBlock }: MarketDeployment,
  market: Market,
  wallet: Address,
  figure: FigureName,
): Promise<WalletRecord> {
  const contracts = markets[market]
  return readAtHead(providers, async (provider, block) => {
    const range = { from: startBlock, to: block.number }
    const topic = pad(wallet)
    const address = emitters.map((name) => contracts[name])
    const logs: RawLog[] = []
    // One after the other: the first learns what the provider allows, and refuses for all.
    for (const rest of [[topic], [null, topic], [null, null, topic]])
      logs.push(...(await getLogs(provider.rpc, { address, topics: [null, ...rest] }, range)))
    const events = await Promise.all(logs.map((log) => decodeRecordEvent(provider, log)))
    const uniqueEvents = unique(events)
    const { counts }: Figure = figures[figure]
    return { events: uniqueEvents.filter((event, index) => counts(event, wallet, uniqueEvents.slice(0, index))) }
  })

  async function decodeRecordEvent({ client }: Provider, log: RawLog) {
    const { blockNumber } = log
    const timestamp = log.blockTimestamp ?? Number((await client.getBlock({ blockNumber })).timestamp)
    const contract = emitters.find((name) => contracts[name].toLowerCase() === log.address.toLowerCase())
    const event = contract && decodeLog(contract, { ...log, block: { number: Number(blockNumber), timestamp } })
    return event ?? null
  }
}

/** Removes duplicates: an event that names a wallet twice is found twice. */
function unique(events: readonly (MarketEvent | null)[]): MarketEvent[] {
  const byPlace = new Map(
    events.flatMap((event) => (event ? [[`${event.block.number} ${event.logIndex}`, event]] : [])),
  )
  return [...byPlace.values()].toSorted((a, b) => a.block.number - b.block.number || a.logIndex - b.logIndex)
}
