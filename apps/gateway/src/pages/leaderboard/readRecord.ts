import { type BlockRef, getLogs, type MarketDeployment, type Provider, type Providers, readAtHead } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { decodeLog, type MarketEvent } from '@svc/protocol/fold'
import { type Address, pad, toEventSelector } from 'viem'
import { type Figure, type FigureName, figures } from './figures.ts'

export interface WalletRecord {
  block: BlockRef
  /** In chain order, newest last. */
  events: readonly MarketEvent[]
}

const emitters = ['reputationRegistry', 'arbitration'] as const
/** These events have no wallet among their topics. */
const unnamed = [
  toEventSelector('PanelSeated(uint256,uint256,address[],uint256,uint256)'),
  toEventSelector('CaseWithdrawn(uint256,bool)'),
]

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
    const named = [[topic], [null, topic], [null, null, topic]].map((rest) =>
      getLogs(provider.rpc, { address, topics: [null, ...rest] }, range),
    )
    const seated = getLogs(provider.rpc, { address: contracts.arbitration, topics: [unnamed] }, range)
    const logs = (await Promise.all([...named, seated])).flat()
    const events = await Promise.all(logs.map((log) => decodeRecordEvent(provider, log)))
    const own = unique(events).filter((event) => concernsWallet(event, wallet, events))
    const { counts }: Figure = figures[figure]
    return { events: own.filter((event, index) => counts(event, wallet, own.slice(0, index))) }
  })

  async function decodeRecordEvent({ client }: Provider, log: Awaited<ReturnType<typeof getLogs>>[number]) {
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

/** A panel concerns its members. A withdrawn case concerns the panel members who had not voted or been slashed. */
function concernsWallet(event: MarketEvent, wallet: Address, all: readonly (MarketEvent | null)[]): boolean {
  if (event.kind === 'arbitration.PanelSeated') return event.args.panel.includes(wallet)
  if (event.kind !== 'arbitration.CaseWithdrawn') return true
  const { taskId } = event.args
  const before = (each: MarketEvent | null) =>
    each !== null && (each.block.number - event.block.number || each.logIndex - event.logIndex) < 0
  const last = all
    .filter((each) => before(each) && each !== null)
    .findLast(
      (each) =>
        (each?.kind === 'arbitration.PanelSeated' && each.args.taskId === taskId && each.args.panel.includes(wallet)) ||
        ((each?.kind === 'arbitration.VoteCast' || each?.kind === 'arbitration.ArbitratorSlashed') &&
          each.args.taskId === taskId &&
          each.args.arbitrator === wallet),
    )
  return last?.kind === 'arbitration.PanelSeated'
}
