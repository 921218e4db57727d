import * as z from 'zod/mini'
import { metaJson } from './meta.ts'
import { addressText, amountText, count, taskIdText } from './scalars.ts'
import { depositLines } from './wallet.ts'

/** A wallet's collateral in one market, in units of USDC. */
const solvencyJson = z.object({
  address: addressText,
  depositUsdc: amountText,
  /** Held by live tasks. */
  reservedUsdc: amountText,
  freeUsdc: amountText,
  liveClaims: count,
  line: z.enum(depositLines),
})

export type SolvencyJson = z.infer<typeof solvencyJson>

/** Who is solvent, lowest deposit first, and what tasks hold. */
export const treasuryJson = z.object({
  agents: z.array(solvencyJson),
  /** Of all wallets with a deposit or a live claim, also those that are not listed. */
  counts: z.object({ paused: count, 'below-entry': count, 'below-recommended': count, ready: count }),
  totalDepositsUsdc: amountText,
  escrow: z.object({
    heldTokWei: amountText,
    /** Of tasks that are over, waiting for their owners. */
    withdrawableTokWei: amountText,
    taskCount: count,
    /** Those that hold most. */
    tasks: z.array(z.object({ id: taskIdText, heldTokWei: amountText })),
  }),
  meta: metaJson,
})
