import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { tokWei } from '../wire.ts'

export const unstake = defineAction({
  name: 'unstake',
  verb: 'Unstake',
  title: 'Unstake TOK',
  done: 'Unstaked TOK',
  explain: 'Returns staked TOK to you; Action Credits that you have stay yours.',
  input: z.strictObject({ market, amountTokWei: tokWei }),
  contract: 'stakingVault',
  functions: ['unstake(uint256 amountTokWei)'],
  proof: ['Unstaked'],
})
