import { type Address, zeroAddress } from 'viem'
import type { EventKind, MarketEvent, MarketEvents } from './event.ts'
import { sortAddresses } from './reserve.ts'

/** The key of an entity within its market. */
export type EntityKey =
  | `task:${bigint}`
  | `dispute:${bigint}`
  | `agent:${Address}`
  | `arbitrator:${Address}`
  | `reserve:${bigint}:${Address}`
  | `pair:${Address}:${Address}`
  | 'union'
  | 'entries'

/** Builds the keys of entities. */
export const entityKeys = {
  task: (number: bigint): EntityKey => `task:${number}`,
  dispute: (number: bigint): EntityKey => `dispute:${number}`,
  agent: (address: Address): EntityKey => `agent:${address}`,
  arbitrator: (address: Address): EntityKey => `arbitrator:${address}`,
  reserve: (task: bigint, agent: Address): EntityKey => `reserve:${task}:${agent}`,
  pair: (one: Address, other: Address): EntityKey => {
    const [lower, higher] = sortAddresses(one, other)
    return `pair:${lower}:${higher}`
  },
}

/**
 * Lists the keys of all entities that a complete event changes, without duplicates. An index loads and writes these, and the
 * event belongs to their history.
 *
 * @example
 * ```ts
 * const keys = listAffectedEntities(completeEvent(event, read))
 * ```
 */
export function listAffectedEntities(event: MarketEvent): readonly EntityKey[] {
  const list = affectedEntities[event.kind] as (event: MarketEvent) => readonly EntityKey[]
  const found = list(event)
  return found.length > 1 ? [...new Set(found)] : found
}

type AffectedEntities = { readonly [kind in EventKind]: (event: MarketEvents[kind]) => readonly EntityKey[] }

/** For events that change no entity: another event says the same, or no record contains it. */
export const noEntities = (): readonly EntityKey[] => []

const ofTask = ({ args }: { args: { taskId: bigint } }) => [entityKeys.task(args.taskId)]
const ofDispute = ({ args }: { args: { taskId: bigint } }) => [entityKeys.dispute(args.taskId)]
const ofAccount = ({ args }: { args: { account: Address } }) => [entityKeys.agent(args.account)]
const ofArbitrator = ({ args }: { args: { arbitrator: Address } }) => [entityKeys.arbitrator(args.arbitrator)]
const ofUnion = () => ['union'] as const
const ofEntries = () => ['entries'] as const
const ofReserve = ({ args: { taskId, agent } }: { args: { taskId: bigint; agent: Address } }) => [
  entityKeys.task(taskId),
  entityKeys.agent(agent),
  entityKeys.reserve(taskId, agent),
]
const ofExitDeposit = ({ args: { taskId, agent } }: { args: { taskId: bigint; agent: Address } }) => [
  entityKeys.reserve(taskId, agent),
]
const withJudge = (event: { args: { taskId: bigint; judge: Address } }) => [
  ...ofDispute(event),
  entityKeys.arbitrator(event.args.judge),
]
const payment = ({ args }: { args: { taskId: bigint; to: Address; deferred: boolean } }) =>
  args.deferred ? [entityKeys.task(args.taskId), entityKeys.agent(args.to)] : [entityKeys.task(args.taskId)]

/** One row for each event of each contract. A missing row is a type error. */
export const affectedEntities: AffectedEntities = {
  'taskRegistry.TaskPosted': ofTask,
  'taskRegistry.TaskCreated': ofTask,
  'taskRegistry.WorkerAllowed': ofTask,
  'taskRegistry.TaskClaimed': ofTask,
  'taskRegistry.TaskActivated': ofTask,
  'taskRegistry.WorkerDismissed': ofTask,
  'taskRegistry.NoticeGiven': ofTask,
  'taskRegistry.WorkerLeft': ofTask,
  'taskRegistry.MilestoneDelivered': ofTask,
  'taskRegistry.DeliveryReceipted': ofTask,
  'taskRegistry.RevisionRequested': ofTask,
  'taskRegistry.MilestoneReleased': ofTask,
  'taskRegistry.TaskCompleted': ofTask,
  'taskRegistry.TaskCancelled': ofTask,
  'taskRegistry.TaskExpired': ofTask,
  'taskRegistry.TaskMutuallyCancelled': ofTask,
  'taskRegistry.DisputeOpened': ofTask,
  'taskRegistry.DisputeConceded': ofTask,
  'taskRegistry.TaskResolved': ofTask,
  // The vault's Funded event has the same content.
  'taskRegistry.TaskFunded': noEntities,
  'taskRegistry.NonceInvalidated': noEntities,
  'taskRegistry.Paused': ofEntries,
  'taskRegistry.Unpaused': ofEntries,
  'taskRegistry.SunsetScheduled': ofEntries,
  'taskRegistry.GuardianSet': noEntities,
  'taskRegistry.OwnershipTransferStarted': noEntities,
  'taskRegistry.OwnershipTransferred': noEntities,

  // The scope is part of the terms. The record contains the hash of the text, not the text.
  'taskScopeRegistry.TaskScopeSet': noEntities,
  'taskScopeRegistry.TaskTextPublished': noEntities,

  'escrowVault.Funded': ofTask,
  'escrowVault.Released': payment,
  'escrowVault.Refunded': payment,
  'escrowVault.Withdrawn': ofAccount,
  'escrowVault.ExitDepositLocked': ofExitDeposit,
  'escrowVault.ExitDepositReturned': (event) =>
    event.args.deferred ? [...ofExitDeposit(event), entityKeys.agent(event.args.agent)] : ofExitDeposit(event),
  'escrowVault.ExitDepositSpent': ofExitDeposit,

  'depositVault.ToppedUp': ({ args }) => [entityKeys.agent(args.agent)],
  'depositVault.Withdrawn': ({ args }) => [entityKeys.agent(args.agent)],
  'depositVault.Reserved': ofReserve,
  'depositVault.Unreserved': ofReserve,
  'depositVault.Penalised': (event) => [...ofReserve(event), entityKeys.agent(event.args.to)],

  // Fees show in the Union's RewardAdded and CreditSpent. No record contains plans.
  'paymentGateway.AccessFeePaid': noEntities,
  'paymentGateway.PlanPurchased': noEntities,

  'stakingVault.StakingActivated': ofUnion,
  'stakingVault.Accrued': ofUnion,
  'stakingVault.RewardAdded': ofUnion,
  'stakingVault.Staked': ({ args }) => ['union', entityKeys.agent(args.account)],
  'stakingVault.Unstaked': ({ args }) => ['union', entityKeys.agent(args.account)],
  // Credits and rewards of a wallet grow with time, so they are read from the chain.
  'stakingVault.RewardsClaimed': noEntities,
  'stakingVault.CreditSpent': noEntities,
  // Follows from Accrued.
  'stakingVault.CreditIssuanceClosed': noEntities,
  'stakingVault.OwnershipTransferStarted': noEntities,
  'stakingVault.OwnershipTransferred': noEntities,

  'arbitration.ArbitratorRegistered': ofArbitrator,
  'arbitration.UnbondRequested': ofArbitrator,
  'arbitration.Unbonded': ofArbitrator,
  'arbitration.ArbitratorSlashed': ofArbitrator,
  'arbitration.Paid': ({ args }) => (args.deferred ? [entityKeys.agent(args.to)] : []),
  'arbitration.Withdrawn': ofAccount,
  'arbitration.CaseOpened': ofDispute,
  'arbitration.ArbitratorProposed': ofDispute,
  'arbitration.JudgeSeated': withJudge,
  // The event that frees the judge of its case changes the dispute.
  'arbitration.JudgeFreed': ({ args }) => [entityKeys.arbitrator(args.judge)],
  'arbitration.JudgeSteppedDown': ofDispute,
  'arbitration.EvidenceSubmitted': ofDispute,
  'arbitration.Ruled': withJudge,
  'arbitration.Escalated': ofDispute,
  'arbitration.CourtCalled': ofDispute,
  'arbitration.Decided': noEntities,
  'arbitration.CaseClosed': ofDispute,

  'reputationRegistry.PaymentRecorded': ({ args }) => [entityKeys.agent(args.poster), entityKeys.agent(args.worker)],
  'reputationRegistry.CompletionRecorded': ({ args: { poster, worker } }) => [
    entityKeys.agent(poster),
    entityKeys.agent(worker),
    entityKeys.pair(poster, worker),
  ],
  'reputationRegistry.LeaveRecorded': ({ args }) => [entityKeys.agent(args.worker)],
  'reputationRegistry.DismissalRecorded': ({ args }) => [entityKeys.agent(args.poster)],
  'reputationRegistry.LapseRecorded': ofAccount,
  // Without a ruling there is no winner.
  'reputationRegistry.DisputeRecorded': ({ args }) =>
    [args.winner, args.loser].filter((wallet) => wallet !== zeroAddress).map(entityKeys.agent),
}
