import * as z from 'zod/mini'
import { entryDeposit, pauseThreshold, recommendedDeposit } from '../amounts.ts'
import { market } from '../market.ts'
import { metaJson } from './meta.ts'
import { addressText, amountText, count, momentOrNull } from './scalars.ts'

/** Where a deposit stands against the lines of USD 8, 25 and 45. */
export const depositLines = ['paused', 'below-entry', 'below-recommended', 'ready'] as const

/** The line that a deposit is at, in USDC units. */
export function depositLineOf(deposit: bigint): (typeof depositLines)[number] {
  if (deposit < pauseThreshold) return 'paused'
  if (deposit < entryDeposit) return 'below-entry'
  return deposit < recommendedDeposit ? 'below-recommended' : 'ready'
}

/** All that a market knows of a wallet. */
export const walletJson = z.object({
  address: addressText,
  market,
  /** In the wallet itself. */
  tokWei: amountText,
  usdcUnits: amountText,
  deposit: z.object({
    usdcUnits: amountText,
    reservedUnits: amountText,
    freeUnits: amountText,
    line: z.enum(depositLines),
  }),
  liveClaims: count,
  creditsWei: amountText,
  stakedTokWei: amountText,
  rewardsTokWei: amountText,
  /** TOK that waits to be withdrawn: from the escrow vault, and from arbitration. */
  payoutsTokWei: amountText,
  awardsTokWei: amountText,
  reputation: z.object({
    score: count,
    completedAsPoster: count,
    completedAsWorker: count,
    distinctCounterparties: count,
    disputesWon: count,
    disputesLost: count,
    leaves: count,
    dismissals: count,
    lapses: count,
  }),
  /** As an arbitrator; null for a wallet that never was one. */
  arbitrator: z.nullable(
    z.object({ bondTokWei: amountText, openCases: count, resolved: count, timedOut: count, unbondAt: momentOrNull }),
  ),
  meta: metaJson,
})

export type WalletJson = z.infer<typeof walletJson>
