import { type BlockRef, type EventEntry, endOfBlock, eventWindow, type MarketReader } from '@svc/chain'
import { expect, test } from 'vitest'
import { completeReader } from './completeReader.ts'

const head: BlockRef = { number: 9_000n, hash: '0x9000', timestamp: 9_000 }
const eventAt = (block: number, logIndex = 0) => ({ blockNumber: BigInt(block), logIndex }) as EventEntry
/** At both ends of what is looked through at once, too. */
const all = [
  eventAt(3),
  eventAt(3, 1),
  eventAt(2_500),
  eventAt(5_000),
  eventAt(5_001),
  eventAt(7_000),
  eventAt(7_001),
  eventAt(9_000),
]

/** Looks through 2,000 blocks and no more, as the reader of the chain does. */
const reader = {
  head: async () => head,
  listEvents: async (_, { limit, after }) => {
    if (!after || after.block < 0n) throw new Error('Only pages after a place are asked for.')
    const to = after.block + eventWindow - 1n
    const seen = all.filter(
      ({ blockNumber, logIndex }) =>
        blockNumber <= to && (blockNumber > after.block || (blockNumber === after.block && logIndex > after.logIndex)),
    )
    const events = seen.slice(0, limit)
    const end = events.at(-1)
    const looked = to < head.number && events.length < limit ? { block: to, logIndex: endOfBlock } : null
    return { events, next: looked ?? (end ? { block: end.blockNumber, logIndex: end.logIndex } : after), block: head }
  },
} as Partial<MarketReader> as MarketReader

const complete = completeReader(reader, { startBlock: 0n })

test.each([1, 2, 3, 4, 5, 8, 50])('the newest %i events, however far apart they lie', async (limit) => {
  const { events, next } = await complete.listEvents('micro', { limit })
  expect(events).toEqual(all.slice(-limit))
  expect(next).toEqual({ block: 9_000n, logIndex: 0 })
})

test.each([1, 2, 3, 4, 8, 50])('%i events from the beginning on', async (limit) => {
  const { events } = await complete.listEvents('micro', { limit, after: { block: 0n, logIndex: 0 } })
  expect(events).toEqual(all.slice(0, limit))
})

test('events after the last are none, and the place stays', async () => {
  const after = { block: 9_000n, logIndex: 0 }
  expect(await complete.listEvents('micro', { limit: 5, after })).toMatchObject({ events: [], next: after })
})
