import { claimPolicies, disputeEndings, disputePhases, milestoneStates, taskScopes, taskStates } from '@svc/protocol'
import type { arbitrationAbi, taskLensAbi } from '@svc/protocol/abis'
import type { DisputeRecord, TaskRecord } from '@svc/protocol/records'
import { type Address, type ContractFunctionReturnType, zeroAddress } from 'viem'
import { ChainReadError } from './errors.ts'

type TaskView = ContractFunctionReturnType<typeof taskLensAbi, 'view', 'tasksOf'>[number]
type Dispute = ContractFunctionReturnType<typeof arbitrationAbi, 'view', 'disputeOf'>

/** Converts a task that TaskLens returned; null if the task does not exist. */
export function parseTaskView({
  taskId,
  task,
  settlementDigest,
  funded,
  released,
  refunded,
  milestones,
}: TaskView): TaskRecord | null {
  const state = decodeEnum(taskStates, task.state)
  if (state === 'NONE') return null
  return {
    number: taskId,
    poster: task.poster,
    worker: toNullable(task.worker),
    state,
    scope: decodeEnum(taskScopes, task.scope),
    claimPolicy: decodeEnum(claimPolicies, task.claimPolicy),
    milestones: milestones.map(({ amount, duration, state: each }) => ({
      amount,
      duration,
      state: decodeEnum(milestoneStates, each),
    })),
    current: task.current,
    maxRevisions: task.maxRevisions,
    revisions: task.revisions,
    reviewWindow: task.reviewWindow,
    arbitrator: toNullable(task.arbitrator),
    store: toNullable(task.store),
    receipted: task.receipted,
    underNotice: task.underNotice,
    total: task.total,
    funded,
    released,
    refunded,
    settlementDigest,
    postedAt: task.postedAt,
    postedBlock: task.postedBlock,
    claimDeadline: task.claimDeadline,
    claimedAt: task.claimedAt,
    fundedAtClaim: task.fundedAtClaim,
    deadline: task.deadline,
    reviewEnd: task.reviewEnd,
    workerBps: task.workerBps,
    ruled: task.ruled,
  }
}

/** Converts a dispute that Arbitration returned; null if the task never had one. */
export function parseDisputeView(number: bigint, dispute: Dispute): DisputeRecord | null {
  const phase = decodeEnum(disputePhases, dispute.phase)
  if (phase === 'NONE') return null
  return {
    number,
    poster: dispute.poster,
    worker: dispute.worker,
    phase,
    ending: decodeEnum(disputeEndings, dispute.ending),
    round: dispute.number,
    openedByPoster: dispute.openedByPoster,
    posterSpoke: dispute.posterSpoke,
    workerSpoke: dispute.workerSpoke,
    ruled: dispute.ruled,
    forWorker: dispute.forWorker,
    appealed: dispute.appealed,
    judge: toNullable(dispute.judge),
    named: toNullable(dispute.named),
    posterProposal: toNullable(dispute.posterProposal),
    workerProposal: toNullable(dispute.workerProposal),
    offerBps: dispute.offerBps,
    askBps: dispute.askBps,
    workerBps: dispute.workerBps,
    amount: dispute.amount,
    stake: dispute.stake,
    openedAt: dispute.openedAt,
    consentEnd: dispute.consentEnd,
    evidenceEnd: dispute.evidenceEnd,
    rulingEnd: dispute.rulingEnd,
    appealEnd: dispute.appealEnd,
    courtEnd: dispute.courtEnd,
  }
}

/** The zero address stands for nobody. */
export const toNullable = (address: Address) => (address === zeroAddress ? null : address)

/** Returns the name of a Solidity enum value. Throws if the value is out of range. */
export function decodeEnum<T extends string>(names: readonly T[], index: number): T {
  const name = names[index]
  if (name === undefined)
    throw new ChainReadError(`The chain returned enum value ${index}, but the enum has only ${names.join(', ')}.`, {
      retryable: true,
    })
  return name
}
