import * as z from 'zod'
import { walletJson } from '../json/wallet.ts'
import { defineCall } from '../operation.ts'
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
