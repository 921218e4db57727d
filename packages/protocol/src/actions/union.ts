import * as z from 'zod/mini'
import { market } from '../base/marketSchema.ts'
import { tokWei } from '../base/wire.ts'
import { defineAction } from './action.ts'

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
