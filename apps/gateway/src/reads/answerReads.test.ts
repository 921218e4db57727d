import type { BlockRef, Deployments, MarketReader } from '@svc/chain'
import type { Question } from '@svc/reads'
import { expect, test } from 'vitest'
import { createAnswerRead } from './answerReads.ts'
import { createHead } from './head.ts'

const block = (number: bigint): BlockRef => ({ number, hash: `0x${number}`, timestamp: Number(number) })

test('R5: an answer is never older than minBlock, even if a provider is behind', async () => {
  const answerRead = createAnswerRead({
    head: createHead(async () => block(101n)),
    reader: {} as MarketReader,
    deployments: {} as Deployments,
    maxWaitMs: 400,
  })
  const ask = (key: string, blocks: bigint[]): Question => ({
    key,
    market: 'micro',
    partial: false,
    costly: false,
    unindexed: false,
    chainCost: 1,
    run: async () => ({ body: {}, block: block(blocks.shift() ?? 100n) }),
  })
  expect(await answerRead(ask('behind once', [100n, 101n]), 101)).toMatchObject({ blockNumber: 101n })
  await expect(answerRead(ask('stuck', []), 101)).rejects.toMatchObject({ code: 'BLOCK_NOT_REACHED', status: 503 })
})
