import {
  claimPolicies,
  deriveTaskPhase,
  formatTaskId,
  type Market,
  marketParams,
  milestoneStates,
  taskPhases,
  taskScopes,
  taskStates,
} from '@svc/protocol'
import { market } from '@svc/protocol/internal/base'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import type { Address } from 'viem'
import * as z from 'zod'
import { addressText, amountText, count, hashText, moment, momentOrNull, orNull, taskIdText } from './scalars.ts'

/** The states a task that exists can have. */
const states = taskStates.filter((state) => state !== 'NONE')

/** One milestone of a task. */
export const milestoneJson = z.object({
  amountTokWei: amountText.describe('Pay for the milestone, in TOK wei.'),
  durationSeconds: count.describe('Time to deliver, in seconds from the start or the previous acceptance.'),
  state: z.enum(milestoneStates).describe('State of the milestone.'),
})

/** A task as every HTTP response shows it: the fields of the specification, then ours. */
export const taskJson = z
  .object({
    id: taskIdText.describe('Task id: v2:<market>:<number>.'),
    market: market.check(z.describe('Market of the task.')),
    registryAddress: addressText.describe("Address of the market's task registry."),
    state: z.enum(states).describe('State on the chain.'),
    totalAmountTokWei: amountText.describe('Sum of all milestones, in TOK wei.'),
    fundedTokWei: amountText.describe('Put in escrow so far, in TOK wei.'),
    releasedTokWei: amountText.describe('Paid to the worker so far, in TOK wei.'),
    worker: z.optional(addressText).describe('Address of the worker; absent while there is none.'),
    settlementDigest: z
      .optional(hashText)
      .describe('EIP-712 digest of the terms with the worker; absent while there is none.'),
    poster: addressText.describe('Address of the poster.'),
    refundedTokWei: amountText.describe('Refunded to the poster so far, in TOK wei.'),
    scope: z.enum(taskScopes).describe('Whether the task is open to the market or private between two wallets.'),
    claimPolicy: z
      .enum(claimPolicies)
      .describe('Who may claim: anyone, or whom the poster allowed or signed a permit for.'),
    allowedWorker: z
      .nullable(addressText)
      .describe(
        'Wallet that the poster lets claim without a signed permit; null if none, or if the task is not posted.',
      ),
    arbitrator: z
      .nullable(addressText)
      .describe(
        'Arbitrator named in the terms; null if none. In an open task it sits only if the worker names it too.',
      ),
    store: z
      .nullable(addressText)
      .describe('Store whose receipt a delivery needs before silence pays for it; null if silence always pays.'),
    receipted: z.boolean().describe('True if the store signed for the delivery under review.'),
    underNotice: z
      .boolean()
      .describe('True if the poster has ended the work: the worker may deliver what it has until `deadline`.'),
    milestones: z.array(milestoneJson).describe('The milestones in order.'),
    currentMilestone: count.describe('Index of the current milestone, from 0.'),
    maxRevisions: count.describe('Revisions that the poster may request per milestone.'),
    revisions: count.describe('Revisions requested on the current milestone.'),
    reviewWindowSeconds: count.describe('Time to review a delivery, in seconds.'),
    postedAt: moment.describe('When the task was posted, in unix seconds.'),
    postedBlock: count.describe('Block in which it was posted.'),
    claimDeadline: momentOrNull.describe(
      'Claim deadline in the terms, in unix seconds; null if not set. Claims end earlier: see `claimableUntil`.',
    ),
    claimedAt: momentOrNull.describe('When it was claimed, in unix seconds; null if it has no worker.'),
    fundedAtClaim: z
      .boolean()
      .describe(
        'True if all the money was there when the worker claimed. Otherwise funding it is a duty of the poster.',
      ),
    deadline: momentOrNull.describe('Delivery deadline of the current milestone, in unix seconds; null if not set.'),
    reviewEnd: momentOrNull.describe('End of the review window, in unix seconds; null if nothing is under review.'),
    workerBps: count.describe("The worker's share of the last split, in basis points."),
    ruled: z.boolean().describe('True if a dispute ended the task.'),
    // The only fields that change without an event. `serializeTask` relies on their being last.
    phase: z.enum(taskPhases).describe("What the task waits for, at the block's time."),
    claimableUntil: momentOrNull.describe(
      'Last second at which it can be claimed, in unix seconds; null if it cannot be claimed now. The market may pause or end its entries before. The claim policy says whether a claim needs a permit.',
    ),
  })
  .describe('A task.')

export type TaskJson = z.infer<typeof taskJson>

/** A task on the wire, at a block's time in unix seconds. */
export function formatTask(task: TaskSnapshot, market: Market, registryAddress: Address, now: number): TaskJson {
  return {
    id: formatTaskId({ market, number: task.number }),
    market,
    registryAddress,
    // A record is of a task that exists.
    state: task.state as TaskJson['state'],
    totalAmountTokWei: String(task.total),
    fundedTokWei: String(task.funded),
    releasedTokWei: String(task.released),
    // Without a worker, the digest on chain is not the one that a claim needs.
    ...(task.worker && { worker: task.worker, settlementDigest: task.settlementDigest }),
    poster: task.poster,
    refundedTokWei: String(task.refunded),
    scope: task.scope,
    claimPolicy: task.claimPolicy,
    allowedWorker: task.allowedWorker,
    arbitrator: task.arbitrator,
    store: task.store,
    receipted: task.receipted,
    underNotice: task.underNotice,
    milestones: task.milestones.map(({ amount, duration, state }) => ({
      amountTokWei: String(amount),
      durationSeconds: duration,
      state,
    })),
    currentMilestone: task.current,
    maxRevisions: task.maxRevisions,
    revisions: task.revisions,
    reviewWindowSeconds: task.reviewWindow,
    postedAt: task.postedAt,
    postedBlock: task.postedBlock,
    claimDeadline: orNull(task.claimDeadline),
    claimedAt: orNull(task.claimedAt),
    fundedAtClaim: task.fundedAtClaim,
    deadline: orNull(task.deadline),
    reviewEnd: orNull(task.reviewEnd),
    workerBps: task.workerBps,
    ruled: task.ruled,
    // Only a task that does not exist has no phase.
    phase: deriveTaskPhase(task, marketParams[market], now) ?? 'SETTLED',
    claimableUntil: now <= task.claimableUntil ? orNull(task.claimableUntil) : null,
  }
}
