import * as z from 'zod/mini'
import type { Ledger } from '../ledger.ts'
import { amountText, count } from './scalars.ts'

/** A wallet's money in the tasks of one market. Locked: held and not disputed. */
export const ledgerJson = z.object({
  buyer: z.object({
    fundedTokWei: amountText,
    lockedTokWei: amountText,
    releasedTokWei: amountText,
    refundedTokWei: amountText,
    disputedTokWei: amountText,
    taskCount: count,
  }),
  worker: z.object({
    lockedTokWei: amountText,
    releasedTokWei: amountText,
    disputedTokWei: amountText,
    taskCount: count,
  }),
})

export type LedgerJson = z.infer<typeof ledgerJson>

/** A ledger on the wire. */
export function ledgerJsonOf({ buyer, worker }: Ledger): LedgerJson {
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
