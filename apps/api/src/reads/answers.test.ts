import type { At, BlockRef, MarketReader } from '@svc/chain'
import { type Content, defineRead } from '@svc/reads'
import { expect, test } from 'vitest'
import { createAnswers } from './answers.ts'
import { createReads } from './reads.ts'

const block = (number: bigint): BlockRef => ({ number, hash: `0x${number}`, timestamp: Number(number) })

test('an answer that was kept is not given once the index has fallen behind', async () => {
  let head = block(100n)
  const indexed = { ...block(100n), digest: '0xdd' as const, halted: null }
  const watch = { head: () => head, indexed: () => indexed, changed: async () => {}, stop: async () => {} }
  const [index, direct] = [{} as MarketReader, {} as MarketReader]
  const answers = createAnswers({ reads: createReads({ watch, index, direct }), watch, places: {} as never })
  const route = defineRead({
    path: '/x',
    summary: '',
    tag: 'market',
    query: {},
    answer: {} as never,
    marketOf: () => 'micro',
    read: async (_, reader): Promise<At<Content>> => ({ body: {}, block: reader === index ? indexed : head }),
  })
  expect(await answers(route, {})).toMatchObject({ path: 'index', blockNumber: 100n })
  head = block(151n)
  expect(await answers(route, {})).toMatchObject({ path: 'direct', blockNumber: 151n })
})
