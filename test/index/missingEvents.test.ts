import { setImmediate as yieldOnce } from 'node:timers/promises'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { MissingEntityError } from '@svc/protocol/internal/fold'
import { createNode, createSimulation, type SimNode } from '@svc/simulation/chain'
import { getAbiItem, toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import { MissingEventsError } from '../../apps/indexer/src/errors.ts'
import type { Progress } from '../../apps/indexer/src/follow.ts'
import { followSimulation } from '../harness/followSimulation.ts'
import { createTestDatabase } from '../harness/postgres.ts'

// Filters that match everything, as on a busy chain: they do not show that logs are missing.
const simulation = createSimulation({ receipts: true, seed: 4, fullBlooms: true })
simulation.mine(30)
const { chain, places } = simulation
const registry = places.markets.micro.taskRegistry.toLowerCase()
const posted = (['TaskPosted', 'TaskCreated'] as const).map((name) =>
  toEventSelector(getAbiItem({ abi: taskRegistryAbi, name })),
)
/** The first block that posts a task of the micro market. Later blocks change that task. */
const hidden =
  chain.blocks.find(({ logs }) =>
    logs.some(({ address, topics }) => address === registry && posted.some((selector) => selector === topics[0])),
  ) ?? expect.unreachable()

/** Follows the micro market at two providers that both leave out the logs of one block, until they are told to stop it. */
async function follow(
  { maxBlocks, hasReceipts = true }: { maxBlocks: number; hasReceipts?: boolean },
  onProgress: (progress: Progress, be: { honest: () => void; stop: () => void }) => void,
) {
  let lying = true
  const honest = createNode(simulation)
  const node: SimNode = {
    answer(method, params) {
      if (method === 'eth_getBlockReceipts' && !hasReceipts) return { result: null }
      const answer = honest.answer(method, params)
      if (!lying || method !== 'eth_getLogs' || !('result' in answer)) return answer
      return { result: (answer.result as { blockHash: string }[]).filter(({ blockHash }) => blockHash !== hidden.hash) }
    },
  }
  const database = await createTestDatabase()
  const beHonest = () => {
    lying = false
  }
  await followSimulation({
    simulation,
    url: database.url,
    market: 'micro',
    nodes: [node, node],
    maxBlocks,
    pause: () => yieldOnce(),
    onProgress: (progress, stop) => onProgress(progress, { honest: beHonest, stop }),
  })
  await database.drop()
}

test('logs that two providers leave out once are read again, without another writer taking over', async () => {
  const kinds: Progress['kind'][] = []
  let head = ''
  await follow({ maxBlocks: 500 }, (progress, { honest, stop }) => {
    kinds.push(progress.kind)
    if (progress.kind === 'stalled') {
      expect(progress.error).toBeInstanceOf(MissingEntityError)
      honest()
    }
    if (progress.kind !== 'caughtUp') return
    head = progress.cursor.hash
    stop()
  })
  expect(kinds.filter((kind) => kind === 'stalled' || kind === 'standby')).toEqual(['standby', 'stalled'])
  expect(head).toBe(chain.head().hash)
})

test('an index that misses the events of a written block reads it again, with a proof', async () => {
  const rollbacks: bigint[] = []
  let [last, head] = [0n, '']
  await follow({ maxBlocks: 1 }, (progress, { honest, stop }) => {
    if ('cursor' in progress) last = progress.cursor.number
    if (last >= hidden.number) honest()
    if (progress.kind === 'rolledBack') rollbacks.push(progress.cursor.number)
    if (progress.kind !== 'caughtUp') return
    head = progress.cursor.hash
    stop()
  })
  expect([rollbacks, head]).toEqual([[BigInt(hidden.number) - 1n], chain.head().hash])
})

test('without a proof, it says so after every pair was asked several times', async () => {
  const stalls: Error[] = []
  let last = 0n
  await follow({ maxBlocks: 1, hasReceipts: false }, (progress, { honest, stop }) => {
    if (progress.kind === 'appended') last = progress.cursor.number
    if (last >= hidden.number) honest()
    if (progress.kind !== 'stalled') return
    stalls.push(progress.error)
    if (progress.error instanceof MissingEventsError) stop()
  })
  expect(last).toBeGreaterThanOrEqual(hidden.number)
  expect(stalls.slice(0, -1).every((error) => error instanceof MissingEntityError)).toBe(true)
  expect(stalls).toHaveLength(12)
  expect(stalls.at(-1)?.message).toMatch(`Events up to block ${last} are missing in the index: `)
})
