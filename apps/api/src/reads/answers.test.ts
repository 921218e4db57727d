import type { BlockRef, Deployments, MarketReader } from '@svc/chain'
import type { Question } from '@svc/reads'
import { expect, test } from 'vitest'
import { createAnswerCache } from './answers.ts'
import { createReads } from './reads.ts'

const block = (number: bigint): BlockRef => ({ number, hash: `0x${number}`, timestamp: Number(number) })

test('an answer that was kept is not given once the index has fallen behind', async () => {
  let head = block(100n)
  const indexed = { ...block(100n), digest: '0xdd' as const, halted: null }
  const watch = { head: () => head, indexed: () => indexed, changed: async () => {}, stop: async () => {} }
  const [index, direct] = [{} as MarketReader, {} as MarketReader]
  const answers = createAnswerCache({
    reads: createReads({ watch, index, direct }),
    watch,
    deployments: {} as Deployments,
  })
  const question: Question = {
    key: 'x',
    market: 'micro',
    timed: false,
    partial: false,
    costly: false,
    run: async (reader) => ({ body: {}, block: reader === index ? indexed : head }),
  }
  expect(await answers(question, undefined)).toMatchObject({ path: 'index', blockNumber: 100n })
  head = block(151n)
  expect(await answers(question, undefined)).toMatchObject({ path: 'direct', blockNumber: 151n })
})
