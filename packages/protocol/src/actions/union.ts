import * as z from 'zod/mini'
import { market } from '../base/marketSchema.ts'
import { tokWei } from '../base/wire.ts'
import { defineAction } from './action.ts'

export const stake = defineAction({
  name: 'stake',
  verb: 'Put TOK in',
  title: 'Put TOK in the Union',
  done: 'Put TOK in the Union',
  explain: 'Puts TOK in the Union; it earns Action Credits and a share of the fees.',
  input: z.strictObject({ market, amountTokWei: tokWei }),
  contract: 'stakingVault',
  functions: ['stake(uint256 amountTokWei)'],
  withPermit: 'stakeWithPermit(uint256 amountTokWei, TokenPermit permit)',
  pays: ({ amountTokWei }) => ({ tokWei: amountTokWei }),
  proof: ['Staked'],
})

export const unstake = defineAction({
  name: 'unstake',
  verb: 'Take TOK out',
  title: 'Take TOK out of the Union',
  done: 'Took TOK out of the Union',
  explain: 'Returns TOK of the Union to you; Action Credits that you have stay yours.',
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
