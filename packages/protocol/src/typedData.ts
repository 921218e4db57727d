import { type Address, type Hex, hashTypedData, type TypedDataDomain } from 'viem'
import type { Market } from './market.ts'

/** What both parties agree on, as the registry takes it. Enums are their index: see `taskScopes`, `claimPolicies`. */
export interface TaskTerms {
  poster: Address
  /** TOK wei of each milestone. */
  amounts: readonly bigint[]
  /** Seconds of each milestone, from the acceptance of the one before. */
  durations: readonly bigint[]
  reviewWindow: bigint
  maxRevisions: number
  /** The zero address: none named. */
  arbitrator: Address
  /** keccak256 of the task's text. */
  criteriaHash: Hex
  scope: number
  claimPolicy: number
  /** Unix seconds. */
  claimDeadline: bigint
  nonce: bigint
}

/** Where a signature is good: one registry of one chain. */
export interface SigningContext {
  chainId: number
  taskRegistry: Address
  market: Market
  /** The token tasks are paid in. */
  asset: Address
}

/** The structs of `TaskSigning.sol`, field by field. */
const termsTypes = {
  TaskTerms: [
    { name: 'market', type: 'string' },
    { name: 'poster', type: 'address' },
    { name: 'asset', type: 'address' },
    { name: 'amounts', type: 'uint256[]' },
    { name: 'durations', type: 'uint64[]' },
    { name: 'reviewWindow', type: 'uint64' },
    { name: 'maxRevisions', type: 'uint8' },
    { name: 'arbitrator', type: 'address' },
    { name: 'criteriaHash', type: 'bytes32' },
    { name: 'scope', type: 'uint8' },
    { name: 'claimPolicy', type: 'uint8' },
    { name: 'claimDeadline', type: 'uint64' },
    { name: 'nonce', type: 'uint256' },
  ],
  TaskSettlement: [
    { name: 'terms', type: 'TaskTerms' },
    { name: 'worker', type: 'address' },
  ],
} as const

const acceptanceTypes = {
  ...termsTypes,
  TaskAcceptance: [
    { name: 'settlement', type: 'TaskSettlement' },
    { name: 'party', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiry', type: 'uint64' },
  ],
} as const

const permitTypes = {
  ClaimPermit: [
    { name: 'taskId', type: 'uint256' },
    { name: 'worker', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiry', type: 'uint64' },
  ],
} as const

const cancelTypes = {
  MutualCancel: [
    { name: 'taskId', type: 'uint256' },
    { name: 'settlementDigest', type: 'bytes32' },
    { name: 'milestone', type: 'uint256' },
    { name: 'workerBps', type: 'uint256' },
    { name: 'party', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiry', type: 'uint64' },
  ],
} as const

/** The EIP-712 domain of a market's registry. */
export function taskDomain({ chainId, taskRegistry }: SigningContext): TypedDataDomain {
  return { name: 'Svc Task Market', version: '2', chainId, verifyingContract: taskRegistry }
}

/** The agreement itself: terms and worker. Its digest is the task's settlement digest. */
export function settlementTypedData(context: SigningContext, terms: TaskTerms, worker: Address) {
  return {
    domain: taskDomain(context),
    types: termsTypes,
    primaryType: 'TaskSettlement',
    message: settlement(context, terms, worker),
  } as const
}

/** What a party of a private task signs. */
export function acceptanceTypedData(
  context: SigningContext,
  acceptance: { terms: TaskTerms; worker: Address; party: Address; nonce: bigint; expiry: bigint },
) {
  const { terms, worker, ...message } = acceptance
  return {
    domain: taskDomain(context),
    types: acceptanceTypes,
    primaryType: 'TaskAcceptance',
    message: { settlement: settlement(context, terms, worker), ...message },
  } as const
}

/** What a poster signs to let one worker claim a task that asks for a permit. */
export function claimPermitTypedData(
  context: SigningContext,
  message: { taskId: bigint; worker: Address; nonce: bigint; expiry: bigint },
) {
  return { domain: taskDomain(context), types: permitTypes, primaryType: 'ClaimPermit', message } as const
}

/** What each party signs to end a live task with a share for the worker; bound to that worker and to the milestone in work. */
export function mutualCancelTypedData(
  context: SigningContext,
  message: {
    taskId: bigint
    settlementDigest: Hex
    milestone: bigint
    workerBps: bigint
    party: Address
    nonce: bigint
    expiry: bigint
  },
) {
  return { domain: taskDomain(context), types: cancelTypes, primaryType: 'MutualCancel', message } as const
}

/** The digest that names an agreement from chat to chain; the zero address as worker for an open task before its claim. */
export function settlementDigest(context: SigningContext, terms: TaskTerms, worker: Address): Hex {
  return hashTypedData(settlementTypedData(context, terms, worker))
}

const settlement = ({ market, asset }: SigningContext, terms: TaskTerms, worker: Address) => ({
  terms: { market, asset, ...terms },
  worker,
})
