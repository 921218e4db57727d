import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { amountText } from '../json/scalars.ts'
import { defineRead } from '../operation.ts'
import { market } from '../params.ts'

export const getUnion = defineRead('getUnion', {
  summary: "Show one market's Union vault: launch gate, network stake, Action Credits and reward reserve.",
  description: 'Amounts are read from the staking vault at the block of the response.',
  tag: 'market',
  chainCost: 3,
  input: z.object({ market }),
  output: z.object({
    source: z.literal('chain-rpc').describe('Read path: the chain RPC.'),
    stakingActive: z.boolean().describe('True once staking has been launched.'),
    totalStakedTok: amountText.describe('Staked by all wallets, in TOK wei.'),
    totalCreditsIssued: amountText.describe('Action Credits issued so far, in wei (18 decimals).'),
    creditsRemaining: amountText.describe('Action Credits that can still be issued, in wei (18 decimals).'),
    creditIssuanceClosed: z.boolean().describe('True once no more Action Credits are issued.'),
    rewardReserveTok: amountText.describe('Held for rewards, in TOK wei.'),
    meta: metaJson,
  }),
})
