import type { BlockRef, Deployments, MarketReader } from '@svc/chain'
import type { Question } from '@svc/reads'
import { createChainQueue } from '@svc/serve'
import { expect, test } from 'vitest'
import { createAnswerCache } from './answers.ts'
import { createReads } from './reads.ts'

const block = (number: bigint): BlockRef => ({ number, hash: `0x${number}`, timestamp: Number(number) })

test('an answer that was kept is not given once the index has fallen behind', async () => {
  let head = block(100n)
  const indexed = { ...block(100n), digest: '0xdd' as const, version: '0xdd', halted: null, entriesEnded: false }
  const watch = { head: () => head, indexed: () => indexed, changed: async () => {}, stop: async () => {} }
  const [index, direct] = [{} as MarketReader, {} as MarketReader]
  const answers = createAnswerCache({
    reads: createReads({ watch, index, direct }),
    watch,
    deployments: {} as Deployments,
    chainQueue: createChainQueue(),
  })
  const question: Question = {
    key: 'x',
    market: 'micro',
    partial: false,
    costly: false,
    unindexed: false,
    chainCost: 1,
    run: async (reader) => ({ body: {}, block: reader === index ? indexed : head }),
  }
  expect(await answers(question, '')).toMatchObject({ path: 'index', blockNumber: 100n })
  head = block(151n)
  expect(await answers(question, '')).toMatchObject({ path: 'chain', blockNumber: 151n })
})

/** A question whose answer is at the block that `readAt` gives for each read of the chain. */
const askChain = (readAt: () => bigint): Question => ({
  key: 'x',
  market: 'micro',
  partial: false,
  costly: false,
  unindexed: false,
  chainCost: 1,
  run: async () => ({ body: {}, block: block(readAt()) }),
})

/** Answers without an index; `now` advances by a second whenever something waits. */
function createBareAnswers(head: () => BlockRef) {
  let time = 0
  const now = () => time
  const changed = async (ms: number) => {
    time += Math.min(ms, 1_000)
  }
  const watch = { head, indexed: () => null, changed, stop: async () => {} }
  const [index, direct] = [{} as MarketReader, {} as MarketReader]
  const reads = createReads({ watch, index, direct, now })
  return createAnswerCache({ reads, watch, deployments: {} as Deployments, chainQueue: createChainQueue(), now })
}

test('R5: without an index, a cached answer older than minBlock is read again', async () => {
  let newest = 100n
  const answers = createBareAnswers(() => block(newest))
  const question = askChain(() => newest)
  expect(await answers(question, '')).toMatchObject({ blockNumber: 100n })
  newest = 101n
  expect(await answers(question, '', { minBlock: 101 })).toMatchObject({ blockNumber: 101n })
})

test('R5: a provider that is behind is asked again, and never answers for a later block', async () => {
  const behind = [100n, 101n]
  const answers = createBareAnswers(() => block(101n))
  const question = askChain(() => behind.shift() ?? 101n)
  expect(await answers(question, '', { minBlock: 101 })).toMatchObject({ blockNumber: 101n })
  const stuck = askChain(() => 100n)
  await expect(createBareAnswers(() => block(101n))(stuck, '', { minBlock: 101 })).rejects.toMatchObject({
    code: 'BLOCK_NOT_REACHED',
    status: 503,
  })
})

test('an answer that depends on time is rendered once until its moment has passed, and again if the chain goes back', async () => {
  let at = 0n
  let renders = 0
  const indexed = () => ({ ...block(at), digest: '0xdd' as const, version: '0xdd', halted: null, entriesEnded: false })
  const watch = { head: () => block(at), indexed, changed: async () => {}, stop: async () => {} }
  const index = {} as MarketReader
  const answers = createAnswerCache({
    reads: createReads({ watch, index, direct: index }),
    watch,
    deployments: {} as Deployments,
    chainQueue: createChainQueue(),
  })
  const question: Question = {
    key: 'x',
    market: 'micro',
    partial: false,
    costly: false,
    unindexed: false,
    chainCost: 1,
    run: async () => {
      renders++
      const phase = at <= 100n ? 'before' : 'after'
      return { body: { phase }, validUntil: phase === 'before' ? 100 : null, block: block(at) }
    },
  }
  const read = async () => {
    const { body, blockNumber } = await answers(question, '')
    expect(blockNumber).toBe(at)
    return JSON.parse(Buffer.from(body as Uint8Array).toString()).phase
  }
  for (at = 1n; at <= 100n; at++) expect(await read()).toBe('before')
  expect(renders).toBe(1)
  for (at = 101n; at <= 200n; at++) expect(await read()).toBe('after')
  expect(renders).toBe(2)
  at = 100n
  expect(await read()).toBe('before')
  expect(renders).toBe(3)
})

test('an answer is rendered again when entries end, although no event tells', async () => {
  let entriesEnded = false
  let renders = 0
  const indexed = () => ({ ...block(1n), digest: '0xdd' as const, version: '0xdd', halted: null, entriesEnded })
  const watch = { head: () => block(1n), indexed, changed: async () => {}, stop: async () => {} }
  const index = {} as MarketReader
  const answers = createAnswerCache({
    reads: createReads({ watch, index, direct: index }),
    watch,
    deployments: {} as Deployments,
    chainQueue: createChainQueue(),
  })
  const run = async () => ({ body: { renders: ++renders }, block: block(1n) })
  const question: Question = {
    key: 'x',
    market: 'micro',
    partial: false,
    costly: false,
    unindexed: false,
    chainCost: 1,
    run,
  }
  for (let count = 0; count < 3; count++) await answers(question, '')
  expect(renders).toBe(1)
  entriesEnded = true
  for (let count = 0; count < 3; count++) await answers(question, '')
  expect(renders).toBe(2)
})
