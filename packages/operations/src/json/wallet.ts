import { entryDeposit, pauseThreshold, recommendedDeposit } from '@svc/protocol'
import { market } from '@svc/protocol/internal/base'
import { pauseRule } from '@svc/protocol/internal/tasks'
import * as z from 'zod'
import { metaJson } from './meta.ts'
import { reputationCounts } from './reputation.ts'
import { addressText, amountText, count, momentOrNull } from './scalars.ts'

/** Where a deposit stands against the lines of USD 8, 25 and 45. */
export const depositLines = ['paused', 'below-entry', 'below-recommended', 'ready'] as const

/** The line that a deposit is at, in USDC units. */
export function findDepositLine(deposit: bigint): (typeof depositLines)[number] {
  if (deposit < pauseThreshold) return 'paused'
  if (deposit < entryDeposit) return 'below-entry'
  return deposit < recommendedDeposit ? 'below-recommended' : 'ready'
}

/** Everything that a market knows about a wallet. */
export const walletJson = z.object({
  address: addressText.describe('Address of the wallet.'),
  market: market.check(z.describe('Market that the figures are for.')),
  tokWei: amountText.describe('TOK in the wallet, in wei.'),
  usdcUnits: amountText.describe('USDC in the wallet, in units (6 decimals).'),
  deposit: z
    .object({
      usdcUnits: amountText.describe('Deposit, in USDC units.'),
      reservedUnits: amountText.describe('Part reserved by live tasks, in USDC units.'),
      freeUnits: amountText.describe('Part not reserved, in USDC units. An entry needs USD 25 of it.'),
      withdrawableUnits: amountText.describe(
        'Part that can be withdrawn now, in USDC units: while anything is reserved, USD 12 less than what is free.',
      ),
      line: z.enum(depositLines).describe(`How the deposit compares with the limits of USD 8, 25 and 45. ${pauseRule}`),
    })
    .describe('Deposit in this market.'),
  creditsWei: amountText.describe('Action Credits, in wei (18 decimals).'),
  stakedTokWei: amountText.describe('Staked, in TOK wei.'),
  rewardsTokWei: amountText.describe('Staking rewards to claim, in TOK wei.'),
  payoutsTokWei: amountText.describe('Waiting in the escrow vault for withdrawal, in TOK wei.'),
  awardsTokWei: amountText.describe('Waiting in arbitration for withdrawal, in TOK wei.'),
  reputation: z
    .object({ score: count.describe('Reputation score.'), ...reputationCounts })
    .describe('Reputation in this market.'),
  arbitrator: z
    .nullable(
      z.object({
        bondTokWei: amountText.describe('Bond, in TOK wei.'),
        lockedTokWei: amountText.describe('Part of the bond that open cases lock, in TOK wei.'),
        openCases: count.describe('Cases that it sits on.'),
        resolved: count.describe('Cases that it ruled on.'),
        timedOut: count.describe('Cases in which it was silent.'),
        overturned: count.describe('Rulings that the final court overturned.'),
        unbondAt: momentOrNull.describe('When the bond can be withdrawn, in unix seconds; null if not requested.'),
      }),
    )
    .describe('The wallet as an arbitrator; null if it never was one.'),
  meta: metaJson,
})

export type WalletJson = z.infer<typeof walletJson>
