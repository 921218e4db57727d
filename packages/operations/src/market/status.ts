import { market as marketName } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { amountText, momentOrNull } from '../json/scalars.ts'
import { tokPriceJson } from '../json/tokPrice.ts'
import { defineRead } from '../operation.ts'
import { market } from '../params.ts'

export const getMarketStatus = defineRead('getMarketStatus', {
  summary: 'Show whether one market takes new tasks and claims, and until when.',
  description:
    'The guardian can pause new tasks and claims, and the owner can announce their end. Running tasks go on under their rules: nothing stops a delivery, a payment, a dispute or a withdrawal.',
  tag: 'market',
  chainCost: 2,
  input: z.object({ market }),
  output: z.object({
    newTasks: z
      .enum(['open', 'paused', 'ended'])
      .describe('Whether new tasks and claims are accepted at the block of the answer.'),
    endsAt: momentOrNull.describe(
      'First second without new tasks and claims, for good, in unix seconds; null if no end is announced.',
    ),
    meta: metaJson,
  }),
})

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

export const getTokPrice = defineRead('getTokPrice', {
  summary: 'Show what a TOK is worth in USD.',
  description:
    'Read from the oracle that prices posting plans, always from the chain. It is for display: no task, deposit or payment depends on it. Without a usable price the answer is the same, with nulls and the reason.',
  tag: 'market',
  chainCost: 3,
  input: z.object({ market }),
  output: z.object({
    market: marketName.check(z.describe('Market of the price.')),
    ...tokPriceJson.shape,
    meta: metaJson,
  }),
})
