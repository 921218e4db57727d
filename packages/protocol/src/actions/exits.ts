import * as z from 'zod/mini'
import { market } from '../base/marketSchema.ts'
import { nonce, payee, shareBps, signature } from '../base/wire.ts'
import { taskId } from '../tasks/taskIdSchema.ts'
import { defineAction } from './action.ts'

export const completeTask = defineAction({
  name: 'complete-task',
  verb: 'Approve all and pay',
  title: 'Approve everything and pay',
  done: 'Approved everything and paid',
  explain: 'Accepts all remaining milestones and pays the worker everything that is left in escrow.',
  operation: { task: 'complete' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['complete(uint256 taskId)'],
  proof: ['TaskCompleted'],
})

export const cancelTask = defineAction({
  name: 'cancel-task',
  verb: 'Cancel task',
  title: 'Cancel the task',
  done: 'Cancelled the task',
  explain: 'Cancels your unclaimed task and returns what is in escrow and your exit deposit to you.',
  operation: { task: 'cancel' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['cancel(uint256 taskId)'],
  proof: ['TaskCancelled'],
})

export const leaveTask = defineAction({
  name: 'leave-task',
  verb: 'Leave task',
  title: 'Leave the task',
  done: 'Left the task',
  explain:
    'Gives up the task you are working on; it costs your exit deposit, less than a missed deadline. If the poster has ended the work, close the task instead, which costs nothing.',
  operation: { task: 'leaveTask' },
  side: 'worker',
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['leaveTask(uint256 taskId)'],
  proof: ['WorkerLeft'],
})

export const dismissWorker = defineAction({
  name: 'dismiss-worker',
  verb: 'Remove worker',
  title: 'Remove the worker',
  done: 'Removed the worker',
  explain:
    'Removes the worker before the work has started, or ends work that is under way: the worker may then deliver what it has within the notice time, or stop free of charge, and a milestone paid afterwards is the last one. It costs your exit deposit and, after the vet window, a mark. An open task whose work has not started opens again and locks a new exit deposit.',
  operation: { task: 'dismiss' },
  side: 'poster',
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['dismiss(uint256 taskId)'],
  proof: ['WorkerDismissed', 'NoticeGiven'],
})

export const expireTask = defineAction({
  name: 'expire-task',
  verb: 'Close overdue task',
  title: 'Close an overdue task',
  done: 'Closed the overdue task',
  explain:
    'Ends a wait whose deadline has passed: an unclaimed task, a claim that was not started or a missed delivery; whoever missed a duty loses the exit deposit and a part of the reserve. A worker whose work the poster has ended need not wait, and loses nothing.',
  operation: { task: 'expire' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['expire(uint256 taskId)'],
  proof: ['TaskExpired'],
})

/** Both signatures name the worker's share, the settlement digest and where the task stands: an old signature ends nothing new. */
export const mutualCancel = defineAction({
  name: 'mutual-cancel',
  verb: 'Cancel by agreement',
  title: 'Cancel the task by agreement',
  done: 'Cancelled the task by agreement',
  explain:
    'Ends the task with the signatures of both parties and divides what is in escrow; both get their exit deposits back.',
  operation: { task: 'mutualCancel' },
  input: z.strictObject({ taskId, workerBps: shareBps, posterSignature: signature, workerSignature: signature }),
  contract: 'taskRegistry',
  functions: ['mutualCancel(uint256 taskId, uint256 workerBps, Signature posterSignature, Signature workerSignature)'],
  proof: ['TaskMutuallyCancelled'],
})

/** A payment that a wallet could not receive waits for it in the vault. */
export const withdrawPayout = defineAction({
  name: 'withdraw-payout',
  verb: 'Withdraw payout',
  title: 'Withdraw a payout',
  done: 'Withdrew the payout',
  explain: 'Pays out TOK that the escrow could not send to you: a payment, a refund or an exit deposit.',
  input: z.strictObject({ market, to: payee }),
  contract: 'escrowVault',
  functions: ['withdraw(address to)'],
  proof: ['Withdrawn'],
})

export const invalidateNonce = defineAction({
  name: 'invalidate-nonce',
  verb: 'Revoke signature',
  title: 'Revoke an unused signature',
  done: 'Revoked the signature',
  explain: 'Makes a signature of yours invalid that nobody has used yet.',
  input: z.strictObject({ market, nonce }),
  contract: 'taskRegistry',
  functions: ['invalidateNonce(uint256 nonce)'],
  proof: ['NonceInvalidated'],
})
