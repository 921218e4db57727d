import * as z from 'zod'
import { metaJson } from './meta.ts'
import { addressText, amountText, count, taskIdText } from './scalars.ts'
import { depositLines } from './wallet.ts'

/** A wallet's deposit in one market. */
const solvencyJson = z.object({
  address: addressText.describe('Address of the wallet.'),
  depositUsdc: amountText.describe('Deposit, in USDC units (6 decimals).'),
  reservedUsdc: amountText.describe('Part of the deposit reserved by live tasks, in USDC units.'),
  freeUsdc: amountText.describe('Part of the deposit not reserved, in USDC units.'),
  line: z.enum(depositLines).describe('How the deposit compares with the limits of USD 8, 25 and 45.'),
})

export type SolvencyJson = z.infer<typeof solvencyJson>

/** The deposits of wallets, lowest first, and what tasks hold. */
export const treasuryJson = z.object({
  agents: z.array(solvencyJson).describe('Wallets with a deposit, lowest deposit first.'),
  counts: z
    .object({
      paused: count.describe('Wallets with a deposit below USD 8, whose entries pause.'),
      'below-entry': count.describe('Wallets from USD 8 to below 25.'),
      'below-recommended': count.describe('Wallets from USD 25 to below 45.'),
      ready: count.describe('Wallets with USD 45 or more.'),
    })
    .describe('Number of wallets by deposit, including those that are not listed.'),
  totalDepositsUsdc: amountText.describe('Sum of all deposits, in USDC units (6 decimals).'),
  escrow: z
    .object({
      heldTokWei: amountText.describe('Held by tasks, in TOK wei.'),
      withdrawableTokWei: amountText.describe('Of ended tasks, waiting for withdrawal, in TOK wei.'),
      taskCount: count.describe('Tasks that hold money.'),
      tasks: z
        .array(
          z.object({
            id: taskIdText.describe('Task id.'),
            heldTokWei: amountText.describe('Held by this task, in TOK wei.'),
          }),
        )
        .describe('The tasks that hold most.'),
    })
    .describe('Money in escrow.'),
  meta: metaJson,
})
