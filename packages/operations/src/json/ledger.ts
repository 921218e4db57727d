import type { Ledger } from '@svc/protocol/internal/money'
import * as z from 'zod'
import { amountText, count } from './scalars.ts'

/** A wallet's money in the tasks of one market. */
export const ledgerJson = z.object({
  buyer: z
    .object({
      fundedTokWei: amountText.describe('Put in escrow in total, in TOK wei.'),
      lockedTokWei: amountText.describe('In escrow now and not disputed, in TOK wei.'),
      releasedTokWei: amountText.describe('Paid to workers, in TOK wei.'),
      refundedTokWei: amountText.describe('Refunded to the wallet, in TOK wei.'),
      disputedTokWei: amountText.describe('In escrow in disputed tasks, in TOK wei.'),
      taskCount: count.describe('Tasks that the wallet posted.'),
    })
    .describe('The wallet as a poster.'),
  worker: z
    .object({
      lockedTokWei: amountText.describe('In escrow for the wallet and not disputed, in TOK wei.'),
      releasedTokWei: amountText.describe('Paid to the wallet, in TOK wei.'),
      disputedTokWei: amountText.describe('In escrow in disputed tasks, in TOK wei.'),
      taskCount: count.describe('Tasks that the wallet worked on.'),
    })
    .describe('The wallet as a worker.'),
})

export type LedgerJson = z.infer<typeof ledgerJson>

/** A ledger on the wire. */
export function formatLedger({ buyer, worker }: Ledger): LedgerJson {
  return {
    buyer: {
      fundedTokWei: String(buyer.funded),
      lockedTokWei: String(buyer.locked),
      releasedTokWei: String(buyer.released),
      refundedTokWei: String(buyer.refunded),
      disputedTokWei: String(buyer.disputed),
      taskCount: buyer.taskCount,
    },
    worker: {
      lockedTokWei: String(worker.locked),
      releasedTokWei: String(worker.released),
      disputedTokWei: String(worker.disputed),
      taskCount: worker.taskCount,
    },
  }
}
