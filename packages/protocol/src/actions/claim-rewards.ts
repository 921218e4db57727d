import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'

export const claimRewards = defineAction({
  name: 'claim-rewards',
  summary: "Take your share of the Union's rewards.",
  input: z.strictObject({ market }),
  contract: 'stakingVault',
  functions: ['claimRewards()'],
  proof: ['RewardsClaimed'],
})
