import { countReadableBlocks, getLogs, scanLogs } from '../logs.ts'
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
  const recent = block.number - countReadableBlocks(provider.rpc, eventWindow) + 1n
  const from = after ? after.block : recent > startBlock ? recent : startBlock
  const last = from + eventWindow - 1n
  const end = last < block.number ? last : block.number
  const filter = { address: emitters.map((name) => contracts[name]) }
  // A page of later events may end early. The newest events are complete, or there is an error.
  const { logs, covered: to } = after
    ? await scanLogs(provider.rpc, filter, { from, to: end })
    : { logs: await getLogs(provider.rpc, filter, { from, to: end }), covered: end }
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
  const newest = events.at(-1)
  const scanned = to < block.number && page.length < limit ? { block: to, logIndex: endOfBlock } : null
  return {
    events,
    next: scanned ?? (newest ? { block: newest.blockNumber, logIndex: newest.logIndex } : (after ?? null)),
  }
}

const getEventTask = (args: object): bigint | null => (args as { taskId?: bigint }).taskId ?? null
