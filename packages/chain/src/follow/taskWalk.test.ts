import { expect, test } from 'vitest'
import type { TaskListing } from './taskListing.ts'
import { createTaskWalk, type TaskWalk } from './taskWalk.ts'

function createListing(name: 'chain' | 'api', pages: readonly (readonly bigint[])[]) {
  const asked: (string | null)[] = []
  const listing: TaskListing = {
    name,
    async listPage(_, cursor) {
      asked.push(cursor)
      const at = Number(cursor ?? 0)
      return { numbers: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : null }
    },
  }
  return { listing, asked }
}

async function walkOnce(walk: TaskWalk): Promise<bigint[]> {
  const numbers: bigint[] = []
  do numbers.push(...(await walk.next()))
  while (walk.isWalking())
  return numbers
}

test('lists all pages, rests, and starts again', async () => {
  let now = 0
  const { listing } = createListing('chain', [[5n, 4n], [3n, 2n], [1n]])
  const walk = createTaskWalk({ market: 'micro', chain: listing, restMs: 100, now: () => now })
  expect(await walkOnce(walk)).toEqual([5n, 4n, 3n, 2n, 1n])
  expect(walk.isComplete()).toBe(true)
  now = 99
  expect(await walk.next()).toEqual([])
  now = 100
  expect(await walkOnce(walk)).toEqual([5n, 4n, 3n, 2n, 1n])
})

test('prefers the API, asks the chain every sixth time, and after an error of the API', async () => {
  let isDown = false
  const chain = createListing('chain', [[2n], [1n]])
  const api = createListing('api', [[2n]])
  const listPage: TaskListing['listPage'] = (market, cursor) =>
    isDown ? Promise.reject(new Error('down')) : api.listing.listPage(market, cursor)
  const errors: Error[] = []
  const walk = createTaskWalk({
    market: 'micro',
    chain: chain.listing,
    api: { name: 'api', listPage },
    restMs: 0,
    onFallback: (error) => errors.push(error),
  })
  for (let times = 0; times < 7; times++) await walkOnce(walk)
  expect([api.asked.length, chain.asked.length]).toEqual([6, 2])
  isDown = true
  expect(await walkOnce(walk)).toEqual([2n, 1n])
  expect(errors).toHaveLength(1)
})
