import { claimPolicies, type TaskTerms, taskScopes } from '@svc/protocol'
import { type Address, zeroAddress } from 'viem'
import type { Args, Call } from '../../model/facts.ts'
import { listMovements, type Movement } from '../../model/money.ts'
import { step } from '../../model/step.ts'
import { tables } from '../../model/tables.ts'
import {
  type Arbitrator,
  type Dispute,
  finalCourt,
  newDispute,
  type Task,
  type Terms,
  type World,
} from '../../model/world.ts'
import { type Frame, Refused, readAgent, readMarketEntry } from './frame.ts'
import { createDisputeEntry, type DisputeEntry, type TaskEntry } from './state.ts'

// The model in ../../model decides what a call does. For each call it gets a world of one task and the wallets that the
// call may concern. What it changed is written back to the stores; the callers of `perform` emit the contracts' events.

/** What a call did to a task. */
export interface Performed {
  frame: Frame
  id: bigint
  /** The task before the call; of a new task, the task itself. */
  before: Readonly<TaskEntry>
  task: Readonly<TaskEntry>
  dispute: Readonly<DisputeEntry>
  /** What the poster had put up for the case before the call. */
  stakeBefore: bigint
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
export function perform(frame: Frame, operation: string, id: bigint, args: Args = {}): Performed {
  const before = frame.state.tasks.get(id)
  const call = { operation, caller: nameCaller(frame), taskId, args }
  const after = runModel(buildTaskWorld(frame, id), call)
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
    store: read.store as Address | null,
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

/** Builds the world for a call on a task. A task that does not exist is left out. */
function buildTaskWorld(frame: Frame, id: bigint): World {
  const entry = frame.state.tasks.get(id)
  if (!entry) return buildWorld(frame, [frame.from], null)
  const dispute = frame.state.disputes.get(id)
  const judge = dispute?.judge ?? null
  const named = [entry.poster, entry.worker, entry.arbitrator, judge].filter((wallet) => wallet !== null)
  return buildWorld(frame, [frame.from, ...named], readTask(entry, dispute))
}

/** The model knows the final court by a name of its own. */
const nameCaller = ({ from, finalCourt: court }: Frame): string => (from === court ? finalCourt : from)

function runModel(world: World, call: Call): World {
  const outcome = run(world, call)
  if ('error' in outcome) throw new Refused(outcome.error)
  return outcome.world
}

function buildWorld(frame: Frame, wallets: readonly Address[], task: Task | null): World {
  const world: World = {
    now: frame.now,
    params: frame.params,
    entriesPaused: readMarketEntry(frame).paused,
    tok: {},
    usdc: {},
    deposits: {
      [treasury]: readAgent(frame, frame.treasury).deposit,
      [finalCourt]: readAgent(frame, frame.finalCourt).deposit,
    },
    reserved: {},
    arbitrators: {},
    tasks: task ? [null, task] : [null],
  }
  for (const wallet of wallets) {
    if (wallet in world.reserved || wallet === frame.finalCourt) continue
    const { deposit, reserved } = readAgent(frame, wallet)
    world.tok[wallet] = plenty
    world.usdc[wallet] = plenty
    world.deposits[wallet] = deposit
    world.reserved[wallet] = reserved
  }
  for (const wallet of wallets) {
    const arbitrator = frame.state.arbitrators.get(wallet)
    if (arbitrator) world.arbitrators[wallet] = arbitrator
  }
  return world
}

function store(frame: Frame, id: bigint, before: Readonly<TaskEntry>, after: World): Performed {
  const task = after.tasks[taskId] as Task
  const { state, current, revisions, claimedAt, fundedAtClaim, deadline, reviewEnd, receipted, underNotice } = task
  const { ruled, funded, released, refunded } = task
  const stakeBefore = frame.state.disputes.get(id)?.stake ?? 0n
  const disputed = before.state === 'DISPUTED' || state === 'DISPUTED'
  const worker = task.worker as Address | null
  const entry = Object.assign(frame.state.tasks.edit(id), {
    state,
    worker,
    current,
    revisions,
    claimedAt,
    fundedAtClaim,
    deadline,
    reviewEnd,
    receipted,
    underNotice,
    allowedWorker: task.allowedWorker as Address | null,
    ruled,
    funded,
    released,
    refunded,
    workerBps: Number(task.workerBps),
    posterReserve: task.reserves[task.poster] ?? 0n,
    workerReserve: worker ? (task.reserves[worker] ?? 0n) : 0n,
    posterExitDeposit: task.exitDeposits[task.poster] ?? 0n,
    workerExitDeposit: worker ? (task.exitDeposits[worker] ?? 0n) : 0n,
  })
  if (disputed) storeDispute(frame, id, task)
  storeWallets(frame, after)
  const addressOf = (name: string) =>
    name === treasury ? frame.treasury : name === finalCourt ? frame.finalCourt : name
  const movements = listMovements(after).map((each) => ({
    ...each,
    wallet: addressOf(each.wallet),
    ...(each.to && { to: addressOf(each.to) }),
  }))
  const dispute = frame.state.disputes.get(id) ?? createDisputeEntry()
  return { frame, id, before, task: entry, dispute, stakeBefore, movements }
}

function storeWallets(frame: Frame, after: World): void {
  const { agents, arbitrators } = frame.state
  for (const [name, wallet] of [
    [treasury, frame.treasury],
    [finalCourt, frame.finalCourt],
  ] as const) {
    const deposit = after.deposits[name] ?? 0n
    if (deposit !== readAgent(frame, wallet).deposit) agents.edit(wallet).deposit = deposit
  }
  for (const wallet of Object.keys(after.reserved) as Address[]) {
    const agent = readAgent(frame, wallet)
    const { [wallet]: deposit = 0n } = after.deposits
    const { [wallet]: reserved = 0n } = after.reserved
    const isUnchanged = agent.deposit === deposit && agent.reserved === reserved
    if (!isUnchanged) Object.assign(agents.edit(wallet), { deposit, reserved })
  }
  for (const [wallet, arbitrator] of Object.entries(after.arbitrators) as [Address, Arbitrator][]) {
    if (arbitrator !== arbitrators.get(wallet)) Object.assign(arbitrators.edit(wallet), arbitrator)
  }
}

function storeDispute({ state }: Frame, id: bigint, { poster, worker, dispute }: Task): void {
  const { number: round, offerBps, askBps, workerBps, ...same } = dispute
  const entry = state.disputes.edit(id)
  if (entry.round !== round) Object.assign(entry, createDisputeEntry(), { poster, worker })
  Object.assign(entry, same, {
    round,
    offerBps: Number(offerBps),
    askBps: Number(askBps),
    workerBps: Number(workerBps),
  })
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
    store: terms.store === zeroAddress ? null : terms.store,
  }
}

function readTask(entry: Readonly<TaskEntry>, dispute: Readonly<DisputeEntry> | undefined): Task {
  const { poster, worker, posterReserve, workerReserve, posterExitDeposit, workerExitDeposit } = entry
  return {
    terms: entry,
    state: entry.state,
    poster,
    worker,
    current: entry.current,
    revisions: entry.revisions,
    claimedAt: entry.claimedAt,
    fundedAtClaim: entry.fundedAtClaim,
    deadline: entry.deadline,
    reviewEnd: entry.reviewEnd,
    receipted: entry.receipted,
    underNotice: entry.underNotice,
    allowedWorker: entry.allowedWorker,
    workerBps: BigInt(entry.workerBps),
    ruled: entry.ruled,
    total: entry.total,
    funded: entry.funded,
    released: entry.released,
    refunded: entry.refunded,
    reserves: { [poster]: posterReserve, ...(worker && { [worker]: workerReserve }) },
    exitDeposits: { [poster]: posterExitDeposit, ...(worker && { [worker]: workerExitDeposit }) },
    dispute: dispute ? readDispute(dispute) : newDispute(),
  }
}

function readDispute({ round, offerBps, askBps, workerBps, ...same }: Readonly<DisputeEntry>): Dispute {
  const { poster: _poster, worker: _worker, ...rest } = same
  return {
    ...rest,
    number: round,
    offerBps: BigInt(offerBps),
    askBps: BigInt(askBps),
    workerBps: BigInt(workerBps),
  }
}
