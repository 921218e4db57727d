import { market as marketName } from '@svc/protocol'
import * as z from 'zod'
import { ledgerJson } from '../json/ledger.ts'
import { metaJson } from '../json/meta.ts'
import { addressText } from '../json/scalars.ts'
import { defineRead } from '../operation.ts'
import { address, market } from '../params.ts'

export const getLedger = defineRead('getLedger', {
  summary: 'Show what a wallet has funded, locked, released and disputed, as poster and as worker.',
  description: 'Computed from tasks only. It is not a balance that the wallet can withdraw, and contains no receipts.',
  tag: 'wallet',
  chainCost: 12,
  input: z.object({ address, market }),
  output: z.object({
    address: addressText.describe('Wallet of the ledger.'),
    market: marketName.check(z.describe('Market of the ledger.')),
    ...ledgerJson.shape,
    meta: metaJson,
  }),
  errors: ['INVALID_ADDRESS'],
})
