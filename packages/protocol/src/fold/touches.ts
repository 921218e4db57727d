import type { Address } from 'viem'
import type { EventKind, MarketEvent, MarketEvents } from './event.ts'
import { inOrder } from './ledger.ts'

/** The key of an entity within its market. */
export type EntityKey =
  | `task:${bigint}`
  | `dispute:${bigint}`
  | `agent:${Address}`
  | `arbitrator:${Address}`
  | `reserve:${bigint}:${Address}`
  | `pair:${Address}:${Address}`
  | 'union'

/** The keys of entities. */
export const keys = {
  task: (number: bigint): EntityKey => `task:${number}`,
  dispute: (number: bigint): EntityKey => `dispute:${number}`,
  agent: (address: Address): EntityKey => `agent:${address}`,
  arbitrator: (address: Address): EntityKey => `arbitrator:${address}`,
  reserve: (task: bigint, agent: Address): EntityKey => `reserve:${task}:${agent}`,
  pair: (one: Address, other: Address): EntityKey => {
    const [lower, higher] = inOrder(one, other)
    return `pair:${lower}:${higher}`
  },
}

/**
 * The keys of every entity that a complete event changes, each once: what an index loads, applies the event to and writes,
 * and whose history the event belongs to.
 */
export function touched(event: MarketEvent): readonly EntityKey[] {
  const list = touches[event.kind] as (event: MarketEvent) => readonly EntityKey[]
  const found = list(event)
  return found.length > 1 ? [...new Set(found)] : found
}

type Touches = { readonly [kind in EventKind]: (event: MarketEvents[kind]) => readonly EntityKey[] }

/** For events that change no entity: what they say is said again by another event, or is no part of any record. */
export const nothing = (): readonly EntityKey[] => []

const ofTask = ({ args }: { args: { taskId: bigint } }) => [keys.task(args.taskId)]
const ofDispute = ({ args }: { args: { taskId: bigint } }) => [keys.dispute(args.taskId)]
const ofAccount = ({ args }: { args: { account: Address } }) => [keys.agent(args.account)]
const ofArbitrator = ({ args }: { args: { arbitrator: Address } }) => [keys.arbitrator(args.arbitrator)]
const ofUnion = () => ['union'] as const
const ofReserve = ({ args: { taskId, agent } }: { args: { taskId: bigint; agent: Address } }) => [
  keys.agent(agent),
  keys.reserve(taskId, agent),
]
const withWorker = ({ args }: { args: { taskId: bigint; worker: Address } }) => [
  keys.task(args.taskId),
  keys.agent(args.worker),
]
/** Ends of a task do not say whose claim they end. */
const withLastWorker = ({ args, facts }: { args: { taskId: bigint }; facts?: { worker?: Address } }) =>
  facts?.worker ? [keys.task(args.taskId), keys.agent(facts.worker)] : [keys.task(args.taskId)]
const payment = ({ args }: { args: { taskId: bigint; to: Address; deferred: boolean } }) =>
  args.deferred ? [keys.task(args.taskId), keys.agent(args.to)] : [keys.task(args.taskId)]

/** One row for each event of each contract; tsc refuses a missing one. */
export const touches: Touches = {
  'taskRegistry.TaskPosted': ofTask,
  'taskRegistry.TaskCreated': withWorker,
  'taskRegistry.TaskClaimed': withWorker,
  'taskRegistry.TaskActivated': ofTask,
  'taskRegistry.WorkerDismissed': withWorker,
  'taskRegistry.WorkerLeft': withWorker,
  'taskRegistry.MilestoneDelivered': ofTask,
  'taskRegistry.RevisionRequested': ofTask,
  'taskRegistry.MilestoneReleased': ofTask,
  'taskRegistry.TaskCompleted': withLastWorker,
  'taskRegistry.TaskCancelled': ofTask,
  'taskRegistry.TaskExpired': withLastWorker,
  'taskRegistry.TaskMutuallyCancelled': withLastWorker,
  'taskRegistry.DisputeOpened': ofTask,
  'taskRegistry.DisputeConceded': ofTask,
  'taskRegistry.TaskResolved': withLastWorker,
  // The vault's Funded says it again.
  'taskRegistry.TaskFunded': nothing,
  'taskRegistry.NonceInvalidated': nothing,
  'taskRegistry.Paused': nothing,
  'taskRegistry.Unpaused': nothing,
  'taskRegistry.GuardianSet': nothing,
  'taskRegistry.OwnershipTransferStarted': nothing,
  'taskRegistry.OwnershipTransferred': nothing,
  'taskRegistry.EIP712DomainChanged': nothing,

  // The scope is part of the terms; the text is no part of the record, which has its hash.
  'taskScopeRegistry.TaskScopeSet': nothing,
  'taskScopeRegistry.TaskTextPublished': nothing,

  'escrowVault.Funded': ofTask,
  'escrowVault.Released': payment,
  'escrowVault.Refunded': payment,
  'escrowVault.Withdrawn': ofAccount,

  'depositVault.ToppedUp': ({ args }) => [keys.agent(args.agent)],
  'depositVault.Withdrawn': ({ args }) => [keys.agent(args.agent)],
  'depositVault.Reserved': ofReserve,
  'depositVault.Unreserved': ofReserve,
  'depositVault.Penalised': (event) => [...ofReserve(event), keys.agent(event.args.to)],

  // What a fee moves is in the Union's RewardAdded and CreditSpent; a plan is no part of any record.
  'paymentGateway.AccessFeePaid': nothing,
  'paymentGateway.PlanPurchased': nothing,

  'stakingVault.StakingActivated': ofUnion,
  'stakingVault.Accrued': ofUnion,
  'stakingVault.RewardAdded': ofUnion,
  'stakingVault.Staked': ({ args }) => ['union', keys.agent(args.account)],
  'stakingVault.Unstaked': ({ args }) => ['union', keys.agent(args.account)],
  // Credits and rewards of a wallet grow with time: they are read from the chain, not kept.
  'stakingVault.RewardsClaimed': nothing,
  'stakingVault.CreditSpent': nothing,
  // Follows from Accrued.
  'stakingVault.CreditIssuanceClosed': nothing,
  'stakingVault.OwnershipTransferStarted': nothing,
  'stakingVault.OwnershipTransferred': nothing,

  'arbitration.ArbitratorRegistered': ofArbitrator,
  'arbitration.UnbondRequested': ofArbitrator,
  'arbitration.Unbonded': ofArbitrator,
  'arbitration.ArbitratorSlashed': (event) => [
    ...ofDispute(event),
    ...ofArbitrator(event),
    ...[event.facts?.poster, event.facts?.worker].flatMap((party) => (party ? [keys.agent(party)] : [])),
  ],
  'arbitration.Withdrawn': ofAccount,
  'arbitration.CaseOpened': ofDispute,
  'arbitration.ArbitratorProposed': ofDispute,
  'arbitration.DrawScheduled': ofDispute,
  'arbitration.PanelSeated': (event) => [...ofDispute(event), ...event.args.panel.map(keys.arbitrator)],
  'arbitration.EvidenceSubmitted': ofDispute,
  'arbitration.VoteCast': (event) => [...ofDispute(event), ...ofArbitrator(event)],
  'arbitration.Ruled': ofDispute,
  'arbitration.Escalated': ofDispute,
  'arbitration.PanelReplaced': ofDispute,
  'arbitration.CaseClosed': ofDispute,
  'arbitration.CaseWithdrawn': (event) => [...ofDispute(event), ...(event.facts?.waiting ?? []).map(keys.arbitrator)],

  'reputationRegistry.PaymentRecorded': ({ args: { poster, worker } }) => [
    keys.agent(poster),
    keys.agent(worker),
    keys.pair(poster, worker),
  ],
  'reputationRegistry.CompletionRecorded': ({ args }) => [keys.agent(args.poster), keys.agent(args.worker)],
  'reputationRegistry.LeaveRecorded': ({ args }) => [keys.agent(args.worker)],
  'reputationRegistry.DismissalRecorded': ({ args }) => [keys.agent(args.poster)],
  'reputationRegistry.LapseRecorded': ofAccount,
  'reputationRegistry.DisputeRecorded': ({ args }) => [keys.agent(args.winner), keys.agent(args.loser)],
}
