import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { tokWei } from '../wire.ts'

export const stake = defineAction({
  name: 'stake',
  verb: 'Stake',
  title: 'Stake TOK with the Union',
  done: 'Staked TOK',
  explain: 'Stakes TOK with the Union; it earns Action Credits and a share of the fees.',
  input: z.strictObject({ market, amountTokWei: tokWei }),
  contract: 'stakingVault',
  functions: ['stake(uint256 amountTokWei)'],
  withPermit: 'stakeWithPermit(uint256 amountTokWei, TokenPermit permit)',
  pays: ({ amountTokWei }) => ({ tokWei: amountTokWei }),
  proof: ['Staked'],
})
