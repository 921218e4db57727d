import { claimPolicies, type TaskTerms, taskScopes } from '@svc/protocol'
import { type Address, zeroAddress } from 'viem'
import type { Args, Call } from '../../../test/model/facts.ts'
import { listMovements, type Movement } from '../../../test/model/money.ts'
import { step } from '../../../test/model/step.ts'
import { tables } from '../../../test/model/tables.ts'
import {
  type Arbitrator,
  type Dispute,
  newDispute,
  type Task,
  type Terms,
  type World,
} from '../../../test/model/world.ts'
import { type Frame, Refused, readAgent, readMarketEntry } from './frame.ts'
import { createDisputeEntry, type DisputeEntry, type TaskEntry } from './state.ts'

// The model in test/model decides what a call does. For each call it gets a world of one task and the wallets that the
// call may concern. What it changed is written back to the stores; the callers of `perform` emit the contracts' events.

/** What a call did to a task. */
export interface Performed {
  frame: Frame
  id: bigint
  /** The task before the call; of a new task, the task itself. */
  before: Readonly<TaskEntry>
  task: Readonly<TaskEntry>
  dispute: Readonly<DisputeEntry>
  /** In the model's order, which is not always the order of the contracts' logs. */
  movements: readonly Movement[]
}

const run = step(tables)
/** The number of the only task in a world that the model gets. */
const taskId = 1
/** Simulated wallets never run out of tokens. */
const plenty = 10n ** 40n
/** The model's name for the treasury. */
const treasury = 'treasury'

/** Performs a call on a task. Throws `Refused` if the model refuses it. */
export function perform(
  frame: Frame,
  operation: string,
  id: bigint,
  args: Args = {},
  world = buildTaskWorld(frame, id),
): Performed {
  const before = frame.state.tasks.get(id)
  const after = runModel(world, { operation, caller: frame.from, taskId, args })
  return store(frame, id, before as TaskEntry, after)
}

/** Performs `post` or `create`, which store a new task. */
export function performEntry(frame: Frame, operation: 'post' | 'create', terms: TaskTerms, args: Args): Performed {
  const { poster } = terms
  const read = parseTaskTerms(terms)
  const wallets = [frame.from, poster, ...(args.worker ? [args.worker as Address] : [])]
  const call = { operation, caller: frame.from, args: { ...args, poster, terms: read } }
  const after = runModel(buildWorld(frame, wallets, null), call)
  const own = frame.state.own.edit('own')
  own.taskCount += 1n
  const entry = Object.assign(frame.state.tasks.edit(own.taskCount), read, {
    poster,
    arbitrator: read.arbitrator as Address | null,
    total: after.tasks[taskId]?.total ?? 0n,
    postedAt: frame.now,
    postedBlock: frame.block,
    termsHash: frame.digests.terms(terms),
    terms,
  })
  return store(frame, own.taskCount, entry, after)
}

/** Performs a call on a wallet's own deposit or bond, or a pause. */
export function performForWallet(frame: Frame, operation: string, wallet: Address, args: Args = {}): void {
  storeWallets(frame, runModel(buildWorld(frame, [wallet], null), { operation, caller: wallet, args }))
}

/** Builds the world for a call on a task, with these arbitrators besides the bench. A task that does not exist is left out. */
export function buildTaskWorld(frame: Frame, id: bigint, arbitrators: readonly Address[] = []): World {
  const entry = frame.state.tasks.get(id)
  if (!entry) return buildWorld(frame, [frame.from], null)
  const dispute = frame.state.disputes.get(id)
  const bench = dispute?.bench.map(({ arbitrator }) => arbitrator) ?? []
  const named = [entry.poster, entry.worker, entry.arbitrator].filter((wallet) => wallet !== null)
  return buildWorld(frame, [frame.from, ...named, ...bench], readTask(entry, dispute), arbitrators)
}

function runModel(world: World, call: Call): World {
  const outcome = run(world, call)
  if ('error' in outcome) throw new Refused(outcome.error)
  return outcome.world
}

function buildWorld(
  frame: Frame,
  wallets: readonly Address[],
  task: Task | null,
  arbitrators: readonly Address[] = [],
): World {
  const world: World = {
    now: frame.now,
    params: frame.params,
    entriesPaused: readMarketEntry(frame).paused,
    tok: {},
    usdc: {},
    deposits: { [treasury]: readAgent(frame, frame.treasury).deposit },
    reserved: {},
    liveClaims: {},
    arbitrators: {},
    withdrawable: {},
    tasks: task ? [null, task] : [null],
  }
  for (const wallet of wallets) {
    if (wallet in world.liveClaims) continue
    const { deposit, reserved, liveClaims, awards } = readAgent(frame, wallet)
    world.tok[wallet] = plenty
    world.usdc[wallet] = plenty
    world.deposits[wallet] = deposit
    world.reserved[wallet] = reserved
    world.liveClaims[wallet] = liveClaims
    world.withdrawable[wallet] = awards
  }
  // A draw goes by the order of registration, so the named arbitrators come first.
  for (const wallet of [...arbitrators, ...wallets]) {
    const arbitrator = frame.state.arbitrators.get(wallet)
    if (arbitrator) world.arbitrators[wallet] = arbitrator
  }
  return world
}

function store(frame: Frame, id: bigint, before: Readonly<TaskEntry>, after: World): Performed {
  const task = after.tasks[taskId] as Task
  const { state, current, revisions, claimedAt, deadline, reviewEnd, ruled, funded, released, refunded } = task
  const disputed = before.state === 'DISPUTED' || state === 'DISPUTED'
  const worker = task.worker as Address | null
  const entry = Object.assign(frame.state.tasks.edit(id), {
    state,
    worker,
    current,
    revisions,
    claimedAt,
    deadline,
    reviewEnd,
    ruled,
    funded,
    released,
    refunded,
    workerBps: Number(task.workerBps),
    posterReserve: task.reserves[task.poster] ?? 0n,
    workerReserve: worker ? (task.reserves[worker] ?? 0n) : 0n,
  })
  if (disputed) storeDispute(frame, id, task)
  storeWallets(frame, after)
  const movements = listMovements(after).map((each) => (each.to === treasury ? { ...each, to: frame.treasury } : each))
  const dispute = frame.state.disputes.get(id) ?? createDisputeEntry()
  return { frame, id, before, task: entry, dispute, movements }
}

function storeWallets(frame: Frame, after: World): void {
  const { agents, arbitrators } = frame.state
  const toTreasury = after.deposits[treasury] ?? 0n
  if (toTreasury !== readAgent(frame, frame.treasury).deposit) agents.edit(frame.treasury).deposit = toTreasury
  for (const wallet of Object.keys(after.liveClaims) as Address[]) {
    const agent = readAgent(frame, wallet)
    const { [wallet]: deposit = 0n } = after.deposits
    const { [wallet]: reserved = 0n } = after.reserved
    const { [wallet]: liveClaims = 0 } = after.liveClaims
    const { [wallet]: awards = 0n } = after.withdrawable
    const isUnchanged =
      agent.deposit === deposit &&
      agent.reserved === reserved &&
      agent.liveClaims === liveClaims &&
      agent.awards === awards
    if (!isUnchanged) Object.assign(agents.edit(wallet), { deposit, reserved, liveClaims, awards })
  }
  for (const [wallet, arbitrator] of Object.entries(after.arbitrators) as [Address, Arbitrator][]) {
    if (arbitrator !== arbitrators.get(wallet)) Object.assign(arbitrators.edit(wallet), arbitrator)
  }
}

function storeDispute({ state }: Frame, id: bigint, { poster, worker, dispute }: Task): void {
  const { number: round, workerBps, bench, appeals, posterProposal, workerProposal, sat, ...same } = dispute
  const entry = state.disputes.edit(id)
  if (entry.round !== round) Object.assign(entry, createDisputeEntry(), { poster, worker })
  Object.assign(entry, same, {
    round,
    workerBps: Number(workerBps),
    posterProposal,
    workerProposal,
    bench: bench.map((seat) => ({ ...seat, workerBps: Number(seat.workerBps) })),
    appeals: appeals.map((appeal) => ({ ...appeal, fromBps: Number(appeal.fromBps) })),
    sat,
  })
  if (entry.phase === 'EVIDENCE') entry.drawBlock = 0
}

function parseTaskTerms(terms: TaskTerms): Terms {
  return {
    scope: taskScopes[terms.scope] ?? 'OPEN',
    claimPolicy: claimPolicies[terms.claimPolicy] ?? 'ANYONE',
    amounts: terms.amounts,
    durations: terms.durations.map(Number),
    reviewWindow: Number(terms.reviewWindow),
    maxRevisions: terms.maxRevisions,
    claimDeadline: Number(terms.claimDeadline),
    arbitrator: terms.arbitrator === zeroAddress ? null : terms.arbitrator,
  }
}

function readTask(entry: Readonly<TaskEntry>, dispute: Readonly<DisputeEntry> | undefined): Task {
  const { poster, worker, posterReserve, workerReserve } = entry
  return {
    terms: entry,
    state: entry.state,
    poster,
    worker,
    current: entry.current,
    revisions: entry.revisions,
    claimedAt: entry.claimedAt,
    deadline: entry.deadline,
    reviewEnd: entry.reviewEnd,
    workerBps: BigInt(entry.workerBps),
    ruled: entry.ruled,
    total: entry.total,
    funded: entry.funded,
    released: entry.released,
    refunded: entry.refunded,
    reserves: { [poster]: posterReserve, ...(worker && { [worker]: workerReserve }) },
    dispute: dispute ? readDispute(dispute) : newDispute(),
  }
}

function readDispute({ round, workerBps, bench, appeals, sat, ...same }: Readonly<DisputeEntry>): Dispute {
  const { poster: _poster, worker: _worker, drawBlock: _block, drawn: _drawn, ...rest } = same
  return {
    ...rest,
    number: round,
    workerBps: BigInt(workerBps),
    bench: bench.map((seat) => ({ ...seat, workerBps: BigInt(seat.workerBps) })),
    appeals: appeals.map((appeal) => ({ ...appeal, fromBps: BigInt(appeal.fromBps) })),
    sat: [...sat],
  }
}
