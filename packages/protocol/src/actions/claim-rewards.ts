import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'

export const claimRewards = defineAction({
  name: 'claim-rewards',
  verb: 'Claim rewards',
  title: 'Claim Union rewards',
  done: 'Claimed the rewards',
  explain: "Pays out your share of the Union's rewards.",
  input: z.strictObject({ market }),
  contract: 'stakingVault',
  functions: ['claimRewards()'],
  proof: ['RewardsClaimed'],
})
