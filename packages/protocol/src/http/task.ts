import type { Address } from 'viem'
import * as z from 'zod/mini'
import type { Market } from '../market.ts'
import { market } from '../market.ts'
import type { TaskRecord } from '../records/task.ts'
import { claimPolicies, milestoneStates, taskScopes, taskStates } from '../states.ts'
import { formatTaskId } from '../taskId.ts'
import { addressText, amountText, count, hashText, moment, momentOrNull, orNull, taskIdText } from './scalars.ts'

/** The states a task that exists can have. */
const states = taskStates.filter((state) => state !== 'NONE')

/** A task as every HTTP answer shows it: the fields of the spec, then ours. */
export const taskJson = z.object({
  id: taskIdText,
  market,
  registryAddress: addressText,
  state: z.enum(states),
  totalAmountTokWei: amountText,
  fundedTokWei: amountText,
  releasedTokWei: amountText,
  /** There when the task has a worker. */
  worker: z.optional(addressText),
  /** Of the terms with today's worker. */
  settlementDigest: hashText,
  poster: addressText,
  refundedTokWei: amountText,
  scope: z.enum(taskScopes),
  claimPolicy: z.enum(claimPolicies),
  /** Named by the terms. */
  arbitrator: z.nullable(addressText),
  milestones: z.array(z.object({ amountTokWei: amountText, durationSeconds: count, state: z.enum(milestoneStates) })),
  /** The index of the milestone in work. */
  currentMilestone: count,
  maxRevisions: count,
  /** Asked for on the current milestone. */
  revisions: count,
  reviewWindowSeconds: count,
  postedAt: moment,
  postedBlock: count,
  claimDeadline: momentOrNull,
  claimedAt: momentOrNull,
  deadline: momentOrNull,
  reviewEnd: momentOrNull,
  /** The worker's share of the last split, in basis points. */
  workerBps: count,
  /** Whether a ruling ended the task. */
  ruled: z.boolean(),
})

export type TaskJson = z.infer<typeof taskJson>

/** A task record on the wire. */
export function taskJsonOf(task: TaskRecord, market: Market, registryAddress: Address): TaskJson {
  return {
    id: formatTaskId({ market, number: task.number }),
    market,
    registryAddress,
    // A record is of a task that exists.
    state: task.state as TaskJson['state'],
    totalAmountTokWei: String(task.total),
    fundedTokWei: String(task.funded),
    releasedTokWei: String(task.released),
    ...(task.worker && { worker: task.worker }),
    settlementDigest: task.settlementDigest,
    poster: task.poster,
    refundedTokWei: String(task.refunded),
    scope: task.scope,
    claimPolicy: task.claimPolicy,
    arbitrator: task.arbitrator,
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
    deadline: orNull(task.deadline),
    reviewEnd: orNull(task.reviewEnd),
    workerBps: task.workerBps,
    ruled: task.ruled,
  }
}
