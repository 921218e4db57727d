import { getLogs } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, EventPage, EventQuery } from '../reader.ts'
import { decodeTimelineEntry, emitters } from './entries.ts'

/** The most blocks that one page scans. The caller continues from the position that the page returns. */
export const eventWindow = 2_000n

/** A log index beyond every log of a block. It marks a page whose range was scanned but did not fill it. */
export const endOfBlock = 2 ** 31 - 1

/** Lists the events of a market in the order of the chain: those after a position, or the newest. */
export async function listEvents(
  provider: Provider,
  contracts: MarketAddresses,
  { limit, after }: EventQuery,
  block: BlockRef,
  startBlock: bigint,
): Promise<EventPage> {
  if (after && after.block > block.number) return { events: [], next: after }
  const recent = block.number - eventWindow + 1n
  const from = after ? after.block : recent > startBlock ? recent : startBlock
  const last = from + eventWindow - 1n
  const to = last < block.number ? last : block.number
  const logs = await getLogs(provider.rpc, { address: emitters.map((name) => contracts[name]) }, { from, to })
  const later = logs.filter(
    ({ blockNumber, logIndex }) => !after || blockNumber > after.block || logIndex > after.logIndex,
  )
  const page = after ? later.slice(0, limit) : later.slice(-limit)
  const events = await Promise.all(
    page.map(async (log) => {
      const { event, entry } = await decodeTimelineEntry(provider, log, contracts)
      return { ...entry, task: getEventTask(event.args), blockHash: log.blockHash }
    }),
  )
  const end = events.at(-1)
  const scanned = to < block.number && page.length < limit ? { block: to, logIndex: endOfBlock } : null
  return { events, next: scanned ?? (end ? { block: end.blockNumber, logIndex: end.logIndex } : (after ?? null)) }
}

const getEventTask = (args: object): bigint | null => (args as { taskId?: bigint }).taskId ?? null
