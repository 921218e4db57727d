import * as z from 'zod'
import { walletJson } from '../json/wallet.ts'
import { defineCall } from '../operation.ts'
import { address, market } from '../params.ts'

export const getWallet = defineCall('getWallet', {
  summary: 'Show a wallet: balances, deposit, credits, stake, reputation, bond, and what it can withdraw.',
  tag: 'wallet',
  input: z.object({ address, market }),
  output: walletJson,
  errors: ['CHAIN_UNREACHABLE'],
})
