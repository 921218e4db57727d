import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { milestone, storageReceipt } from '../wire.ts'

/** The store itself can do this, or anyone who has its receipt. */
export const attachReceipt = defineAction({
  name: 'attach-receipt',
  verb: 'Attach receipt',
  title: "Attach the store's receipt",
  done: 'Attached the receipt',
  explain:
    "Attaches the store's receipt to a delivery; the review starts again, and without an answer the worker is paid.",
  operation: { task: 'attachReceipt' },
  input: z.strictObject({ taskId, milestone, receipt: storageReceipt }),
  contract: 'taskRegistry',
  functions: ['attachReceipt(uint256 taskId, uint256 milestone, Receipt receipt)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  deadline: 'review',
  proof: ['DeliveryReceipted'],
})
