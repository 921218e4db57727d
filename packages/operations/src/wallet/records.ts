import { market as marketName } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { ledgerJson } from '../json/ledger.ts'
import { metaJson } from '../json/meta.ts'
import { addressText } from '../json/scalars.ts'
import { trackRecordJson } from '../json/trackRecord.ts'
import { walletJson } from '../json/wallet.ts'
import { defineCall, defineRead } from '../operation.ts'
import { address, market } from '../params.ts'

export const getWallet = defineCall('getWallet', {
  summary: 'Show a wallet: balances, deposit, credits, stake, reputation, bond, and what it can withdraw.',
  description: 'Read from the chain at its newest block, not from the index.',
  tag: 'wallet',
  chainCost: 4,
  input: z.object({ address, market }),
  output: walletJson,
  errors: ['CHAIN_UNREACHABLE'],
})

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

export const getTrackRecord = defineRead('getTrackRecord', {
  summary: 'Show what a wallet did in one market: score, completed tasks, times to review and pay, disputes.',
  description:
    'Every number is computed from events of the chain, and `sources` says which. A wallet without a record has zeros. Without an index, a wallet with more tasks than the chain can be searched for is answered with 503 `INDEX_REQUIRED`.',
  tag: 'wallet',
  chainCost: 12,
  input: z.object({ address, market }),
  output: trackRecordJson.extend({ meta: metaJson }),
  errors: ['INVALID_ADDRESS', 'INDEX_REQUIRED'],
})
