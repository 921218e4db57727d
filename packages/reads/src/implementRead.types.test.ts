import type { BlockRef } from '@svc/chain'
import { formatLedger, operations } from '@svc/operations'
import { expect, test } from 'vitest'
import { implementRead } from './implementRead.ts'

// `tsc` checks this file: a mistake that it no longer finds is an unused `@ts-expect-error`.

const block: BlockRef = { number: 1n, hash: '0x', timestamp: 1 }
const share = { funded: 1n, locked: 0n, released: 0n, refunded: 0n, disputed: 0n, taskCount: 1 }
const ledger = formatLedger({ buyer: share, worker: share })

const right = implementRead(operations.getLedger)({
  run: async ({ address, market }) => ({ body: { address, market, ...ledger }, block }),
})

implementRead(operations.getLedger)({
  // @ts-expect-error a misspelt field
  run: async ({ address, market }) => ({ body: { adress: address, market, ...ledger }, block }),
})

implementRead(operations.getLedger)({
  // @ts-expect-error a missing field
  run: async ({ address }) => ({ body: { address, ...ledger }, block }),
})

implementRead(operations.getLedger)({
  // @ts-expect-error a field too many
  run: async ({ address, market }) => ({ body: { address, market, ...ledger, more: 1 }, block }),
})

implementRead(operations.getLedger)({
  // @ts-expect-error a bigint where JSON has text
  run: async ({ address, market }) => ({
    body: { address, market, ...ledger, buyer: { ...ledger.buyer, fundedTokWei: 1n } },
    block,
  }),
})

implementRead(operations.listOpenTasks)({
  // @ts-expect-error a list without nextCursor
  run: async () => ({ body: { tasks: [] }, block }),
})

implementRead(operations.listOpenTasks)({
  // @ts-expect-error text without its marks
  run: async () => ({ parts: ['{"tasks":['], meta: { nextCursor: null }, block }),
})

// @ts-expect-error the id names the market: marketOf is needed
implementRead(operations.getTask)({ run: async () => ({ parts: [], marks: new Uint8Array(), block }) })

// @ts-expect-error a call is not a read
implementRead(operations.quotePlan)

test('the handler carries the name of its operation', () => {
  const name: 'getLedger' = right.operation.name
  expect(name).toBe('getLedger')
})
