import { formatLedger, operations } from '@svc/operations'
import { implementRead } from './implementRead.ts'
import { readTaskPage } from './market.ts'

export const listTasksByPoster = implementRead(operations.listTasksByPoster)({
  run: ({ address, ...input }, reader) => readTaskPage(reader, { of: 'poster', wallet: address }, input),
})

export const listTasksByWorker = implementRead(operations.listTasksByWorker)({
  run: ({ address, ...input }, reader) => readTaskPage(reader, { of: 'worker', wallet: address }, input),
})

export const getLedger = implementRead(operations.getLedger)({
  async run({ address, market }, reader) {
    const { ledger, block } = await reader.getLedger(market, address)
    return { body: { address, market, ...formatLedger(ledger) }, block }
  },
})
