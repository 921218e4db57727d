import type { ClaimPolicy, DisputeEnding, MarketParams, TaskState } from '@svc/protocol'
import type { DisputeFacts, TaskScope } from '@svc/protocol/internal/tasks'

/** The wallet that is the final court of every market of the model. */
export const finalCourt = 'finalCourt'

/** What both parties agree on. The model does not check ranges; the contract's own tests do. */
export interface Terms {
  scope: TaskScope
  claimPolicy: ClaimPolicy
  amounts: readonly bigint[]
  durations: readonly number[]
  reviewWindow: number
  maxRevisions: number
  claimDeadline: number
  /** Named before any work, or null. */
  arbitrator: string | null
  /** Whose receipt a delivery needs for silence to pay, or null. */
  store: string | null
}

/** The last dispute of a task, as far as the task does not say it. */
export interface Dispute extends Omit<DisputeFacts, 'poster' | 'worker'> {
  ending: DisputeEnding
  appealed: boolean
  openedAt: number
  /** The share that the case ended with. */
  workerBps: bigint
  /** The disputed milestone. */
  amount: bigint
  /** What the poster put up to open the case. */
  stake: bigint
}

export interface Task {
  terms: Terms
  state: TaskState
  poster: string
  worker: string | null
  current: number
  revisions: number
  claimedAt: number
  fundedAtClaim: boolean
  deadline: number
  reviewEnd: number
  /** The store signed for the delivery in review. */
  receipted: boolean
  /** The poster has ended the work. */
  underNotice: boolean
  /** Whom the poster lets claim without a signed permit. */
  allowedWorker: string | null
  workerBps: bigint
  ruled: boolean
  total: bigint
  funded: bigint
  released: bigint
  refunded: bigint
  /** What the task reserves of each wallet's deposit. */
  reserves: Record<string, bigint>
  /** What the escrow vault holds of each party's TOK until it is let go. */
  exitDeposits: Record<string, bigint>
  dispute: Dispute
}

export interface Arbitrator {
  bond: bigint
  /** What open cases lock of the bond. */
  locked: bigint
  unbondAt: number
  openCases: number
  resolved: number
  timedOut: number
  overturned: number
  slashed: bigint
}

/** One market: plain data, never changed in place. Wallets and contracts are names. */
export interface World {
  now: number
  params: MarketParams
  entriesPaused: boolean
  /**
   * TOK by wallet. `escrowVault` holds budgets and exit deposits, `arbitration` bonds and openers' stakes; `stakingVault`,
   * `treasury` and `finalCourt` are wallets too. Every transfer succeeds: deferred payments are for the contracts' own tests.
   */
  tok: Record<string, bigint>
  /** USDC by wallet; `depositVault` is one. */
  usdc: Record<string, bigint>
  deposits: Record<string, bigint>
  /** The part of each deposit that tasks reserve. */
  reserved: Record<string, bigint>
  arbitrators: Record<string, Arbitrator>
  /** Tasks by number, from 1; place 0 is empty. */
  tasks: readonly (Task | null)[]
}

/** What a wallet starts with. */
export interface Funds {
  tok?: bigint
  usdc?: bigint
  deposit?: bigint
  /** What it has bonded as an arbitrator. */
  bond?: bigint
}

/** A dispute before it is opened. */
export const newDispute = (): Dispute => ({
  number: 0,
  phase: 'NONE',
  ending: 'NONE',
  openedByPoster: false,
  posterSpoke: false,
  workerSpoke: false,
  posterProposal: null,
  workerProposal: null,
  named: null,
  judge: null,
  ruled: false,
  forWorker: false,
  appealed: false,
  offerBps: 0n,
  askBps: 0n,
  workerBps: 0n,
  openedAt: 0,
  consentEnd: 0,
  evidenceEnd: 0,
  rulingEnd: 0,
  appealEnd: 0,
  courtEnd: 0,
  amount: 0n,
  stake: 0n,
})

/** A wallet that never bonded anything. */
export const newArbitrator: Arbitrator = {
  bond: 0n,
  locked: 0n,
  unbondAt: 0,
  openCases: 0,
  resolved: 0,
  timedOut: 0,
  overturned: 0,
  slashed: 0n,
}

/** A market without tasks. */
export function newWorld(params: MarketParams, now: number, wallets: Readonly<Record<string, Funds>>): World {
  const world: World = {
    now,
    params,
    entriesPaused: false,
    tok: { escrowVault: 0n, stakingVault: 0n, arbitration: 0n, treasury: 0n },
    usdc: { depositVault: 0n },
    deposits: {},
    reserved: {},
    arbitrators: {},
    tasks: [null],
  }
  for (const [wallet, { tok, usdc, deposit, bond }] of Object.entries(wallets)) {
    if (tok) world.tok[wallet] = tok
    if (usdc) world.usdc[wallet] = usdc
    if (deposit) {
      world.deposits[wallet] = deposit
      world.usdc.depositVault = (world.usdc.depositVault ?? 0n) + deposit
    }
    if (bond) {
      world.arbitrators[wallet] = { ...newArbitrator, bond }
      world.tok.arbitration = (world.tok.arbitration ?? 0n) + bond
    }
  }
  return world
}

/** A task before it exists: the terms, in state NONE. */
export function newTask(terms: Terms, poster: string): Task {
  return {
    terms,
    state: 'NONE',
    poster,
    worker: null,
    current: 0,
    revisions: 0,
    claimedAt: 0,
    fundedAtClaim: false,
    deadline: 0,
    reviewEnd: 0,
    receipted: false,
    underNotice: false,
    allowedWorker: null,
    workerBps: 0n,
    ruled: false,
    total: terms.amounts.reduce((sum, amount) => sum + amount, 0n),
    funded: 0n,
    released: 0n,
    refunded: 0n,
    reserves: {},
    exitDeposits: {},
    dispute: newDispute(),
  }
}

/** Advances the clock. */
export const wait = (world: World, seconds: number): World => ({ ...world, now: world.now + seconds })

/** What the escrow holds for a task. */
export const heldOf = ({ funded, released, refunded }: Pick<Task, 'funded' | 'released' | 'refunded'>): bigint =>
  funded - released - refunded

/** The amount of a milestone; nothing beyond the last. */
export const amountOf = (task: Task, milestone: number): bigint => task.terms.amounts[milestone] ?? 0n
