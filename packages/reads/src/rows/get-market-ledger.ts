import { market as marketName } from '@svc/protocol'
import { addressText, ledgerJson, ledgerJsonOf, metaJson } from '@svc/protocol/http'
import { address, market, minBlock } from '@svc/serve'
import { z } from 'zod'
import { defineRead } from '../read.ts'

/** GET /api/get-market-ledger: a wallet's money in the tasks of one market. */
export const getMarketLedger = defineRead({
  path: '/api/get-market-ledger',
  summary: 'Show what a wallet has funded, locked, released and disputed, as poster and as worker.',
  description: 'Rebuilt from tasks alone: no balance that the wallet could withdraw, no receipts.',
  tag: 'wallet',
  query: { address, market, minBlock },
  answer: z.object({ address: addressText, market: marketName, ...ledgerJson.shape, meta: metaJson }),
  errors: { 400: ['INVALID_ADDRESS'] },
  marketOf: ({ market }) => market,
  async read({ address, market }, reader) {
    const { ledger, block } = await reader.getLedger(market, address)
    return { body: { address, market, ...ledgerJsonOf(ledger) }, block }
  },
})
