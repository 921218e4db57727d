import { once } from 'node:events'
import type { BlockRef, EventEntry } from '@svc/chain'
import { expect, test } from 'vitest'
import { createFanOut } from './fanOut.ts'
import type { Tail } from './tail.ts'

const createBlock = (number: number): BlockRef => ({ number: BigInt(number), hash: `0x0${number}`, timestamp: number })
const createEvent = (block: number): EventEntry => ({
  name: 'TaskFunded',
  contract: 'taskRegistry',
  args: { taskId: 1n },
  task: 1n,
  blockNumber: BigInt(block),
  blockHash: `0x0${block}`,
  logIndex: 0,
  transactionHash: '0x01',
  timestamp: block,
})
const current = (block: number) =>
  ({ kind: 'current', block: createBlock(block), place: { block: BigInt(block), logIndex: 0 } }) as const

test('a subscriber that joins behind the feed gets what the feed has read since', async () => {
  // What has read from the end is at block 2; what resumes from a position is at block 1 still.
  const tail: Tail = async function* (_market, from, signal) {
    yield current(1)
    if (from === undefined) {
      yield { kind: 'event', event: createEvent(2) }
      yield current(2)
    }
    if (!signal.aborted) await once(signal, 'abort')
  }
  const subscribe = createFanOut({ tail, quietMs: 50 })
  const stop = new AbortController()
  const first = subscribe('micro', undefined, stop.signal)
  await first.next()
  const resumed = subscribe('micro', { block: 1n, logIndex: 0, mark: null }, stop.signal)
  expect((await resumed.next()).value).toEqual({ kind: 'event', event: createEvent(2) })
  stop.abort()
  await Promise.all([first.next(), resumed.next()])
})
