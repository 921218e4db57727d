import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'
import { tokWei } from '../wire.ts'

export const unstake = defineAction({
  name: 'unstake',
  summary: 'Take staked TOK back; credits you have stay yours.',
  input: z.strictObject({ market, amountTokWei: tokWei }),
  contract: 'stakingVault',
  functions: ['unstake(uint256 amountTokWei)'],
  proof: ['Unstaked'],
})
