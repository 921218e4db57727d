// Two of three providers leave out the same logs, always. What two agree on is then wrong, and only receipts show it.
import { setImmediate as yieldOnce } from 'node:timers/promises'
import { emptyDigest, extendDigest } from '@svc/index'
import { createNode, createSimulation, type SimNode, type Simulation } from '@svc/simulation/chain'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { listAddresses } from '../../apps/indexer/src/follow.ts'
import { followSimulation } from '../harness/followSimulation.ts'
import { createTestDatabase } from '../harness/postgres.ts'
import { startForTests } from '../harness/startForTests.ts'

const database = startForTests(createTestDatabase, 'drop')

/** Leaves out the logs of every third block, in receipts too. */
function createLiar(honest: SimNode): SimNode {
  const isHidden = ({ blockNumber }: { blockNumber: string }) => Number(blockNumber) % 3 === 0
  return {
    answer(method, params) {
      const answer = honest.answer(method, params)
      if (!('result' in answer) || !Array.isArray(answer.result)) return answer
      if (method === 'eth_getLogs') return { result: answer.result.filter((log) => !isHidden(log)) }
      if (method !== 'eth_getBlockReceipts') return answer
      return {
        result: answer.result.map((receipt) => ({
          ...receipt,
          logs: receipt.logs.filter((log: never) => !isHidden(log)),
        })),
      }
    },
  }
}

/** Returns the digest of all logs of the micro market, which the index must have. */
function computeDigest({ chain, places }: Simulation, to = chain.head().number): Hex {
  const addresses = new Set(listAddresses(places.markets.micro).map((address) => address.toLowerCase()))
  return chain.blocks
    .slice(0, to + 1)
    .flatMap(({ number, logs }) => logs.map((log) => ({ ...log, blockNumber: BigInt(number) })))
    .filter(({ address }) => addresses.has(address.toLowerCase()))
    .reduce((digest, log) => extendDigest(digest, log), emptyDigest)
}

// A full filter says nothing, so a block is written wrong at first, and the next audit finds it.
test.each([
  { filters: 'telling', fullBlooms: false, maxWrong: 0 },
  { filters: 'full', fullBlooms: true, maxWrong: 1 },
])(
  'with $filters filters the index follows the one that proves its logs',
  async ({ filters, fullBlooms, maxWrong }) => {
    const simulation = createSimulation({ receipts: true, seed: 11, fullBlooms })
    simulation.mine(10)
    const { chain } = simulation
    const honest = createNode(simulation)
    const doubted = new Set<string>()
    let [digest, corrected] = ['', 0]
    await followSimulation({
      simulation,
      url: database.url,
      market: 'micro',
      build: filters,
      nodes: [createLiar(honest), createLiar(honest), honest],
      auditEvery: 4n,
      async pause(why) {
        if (why === 'idle' && chain.head().number < 60) simulation.mine(1)
        await yieldOnce()
      },
      onDoubt: (provider, reason) => reason && doubted.add(provider),
      onProgress(progress, stop) {
        if (progress.kind === 'rolledBack') corrected++
        if (progress.kind !== 'caughtUp' || chain.head().number < 60) return
        if (progress.cursor.hash !== chain.head().hash) return
        digest = progress.cursor.digest
        stop()
      },
    })
    expect([...doubted].sort()).toEqual(['node 0', 'node 1'])
    expect(digest).toBe(computeDigest(simulation))
    expect(corrected).toBeLessThanOrEqual(maxWrong)
  },
)

// `chaos index --from 52`: the last provider that was not refuted was believed alone, and left out logs.
test('a provider that is alone because the other is refuted is believed only with a proof', async () => {
  const simulation = createSimulation({ receipts: true, seed: 12, fullBlooms: true })
  simulation.mine(60)
  const honest = createNode(simulation)
  const reversing: SimNode = {
    answer(method, params) {
      const answer = honest.answer(method, params)
      const isList = method === 'eth_getLogs' && 'result' in answer && Array.isArray(answer.result)
      return isList ? { result: (answer.result as unknown[]).toReversed() } : answer
    },
  }
  const stop = new AbortController()
  const wrong: bigint[] = []
  let pauses = 0
  await followSimulation({
    simulation,
    url: database.url,
    market: 'micro',
    build: 'alone',
    nodes: [reversing, createLiar(honest)],
    async pause() {
      if (++pauses > 40) stop.abort()
      await yieldOnce()
    },
    signal: stop.signal,
    onProgress(progress) {
      if (progress.kind !== 'appended') return
      const { number, digest } = progress.cursor
      if (digest !== computeDigest(simulation, Number(number))) wrong.push(number)
    },
  })
  expect(wrong).toEqual([])
})
