import { type Address, type Hex, hashTypedData, type TypedDataDomain } from 'viem'
import type { Market } from '../base/market.ts'

/** The terms of a task as the registry takes them. Enums are indexes into `taskScopes` and `claimPolicies`. */
export interface TaskTerms {
  poster: Address
  /** TOK wei of each milestone. */
  amounts: readonly bigint[]
  /** Seconds of each milestone, counted from the acceptance of the previous one. */
  durations: readonly bigint[]
  reviewWindow: bigint
  maxRevisions: number
  /** The zero address if no arbitrator is named. */
  arbitrator: Address
  /** The store that signs receipts for deliveries; the zero address if silence pays without one. */
  store: Address
  /** keccak256 of the task's text. */
  criteriaHash: Hex
  scope: number
  claimPolicy: number
  /** Unix seconds. */
  claimDeadline: bigint
  nonce: bigint
}

/** Where a signature is valid: one registry on one chain. */
export interface SigningContext {
  chainId: number
  taskRegistry: Address
  market: Market
  /** The token tasks are paid in. */
  asset: Address
}

/** The part of it that a signature over one task needs. */
export type RegistryContext = Pick<SigningContext, 'chainId' | 'taskRegistry'>

/** The structs of `Agreements.sol`, field by field. */
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
    { name: 'store', type: 'address' },
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
    { name: 'settlementDigest', type: 'bytes32' },
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
    { name: 'state', type: 'uint8' },
    { name: 'reviewEnd', type: 'uint256' },
    { name: 'disputePhase', type: 'uint8' },
    { name: 'workerBps', type: 'uint256' },
    { name: 'party', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiry', type: 'uint64' },
  ],
} as const

const receiptTypes = {
  StorageReceipt: [
    { name: 'taskId', type: 'uint256' },
    { name: 'milestone', type: 'uint256' },
    { name: 'revision', type: 'uint256' },
    { name: 'worker', type: 'address' },
    { name: 'proofHash', type: 'bytes32' },
    { name: 'size', type: 'uint64' },
    { name: 'until', type: 'uint64' },
  ],
} as const

/**
 * Builds the EIP-712 domain of a market's registry.
 *
 * @example
 * ```ts
 * const domain = buildTaskDomain(context)
 * ```
 */
export function buildTaskDomain({ chainId, taskRegistry }: RegistryContext): TypedDataDomain {
  return { name: 'Svc Task Market', version: '2', chainId, verifyingContract: taskRegistry }
}

/**
 * Builds the typed data of an agreement: terms and worker. Its hash is the settlement digest of the task.
 *
 * @example
 * ```ts
 * const typedData = buildSettlementTypedData(context, terms, worker)
 * ```
 */
export function buildSettlementTypedData(context: SigningContext, terms: TaskTerms, worker: Address) {
  return {
    domain: buildTaskDomain(context),
    types: termsTypes,
    primaryType: 'TaskSettlement',
    message: settlement(context, terms, worker),
  } as const
}

/**
 * Builds the typed data that a party of a private task signs to accept the terms.
 *
 * @example
 * ```ts
 * const data = await account.signTypedData(
 *   buildAcceptanceTypedData(context, { terms, worker, party: account.address, nonce, expiry }),
 * )
 * ```
 */
export function buildAcceptanceTypedData(
  context: SigningContext,
  acceptance: { terms: TaskTerms; worker: Address; party: Address; nonce: bigint; expiry: bigint },
) {
  const { terms, worker, ...message } = acceptance
  return {
    domain: buildTaskDomain(context),
    types: acceptanceTypes,
    primaryType: 'TaskAcceptance',
    message: { settlement: settlement(context, terms, worker), ...message },
  } as const
}

/**
 * Builds the typed data that a poster signs to let one worker claim a task that requires a permit.
 *
 * @example
 * ```ts
 * const data = await poster.signTypedData(buildClaimPermitTypedData(context, { taskId: 7n, settlementDigest, worker, nonce, expiry }))
 * ```
 */
export function buildClaimPermitTypedData(
  context: RegistryContext,
  message: { taskId: bigint; settlementDigest: Hex; worker: Address; nonce: bigint; expiry: bigint },
) {
  return { domain: buildTaskDomain(context), types: permitTypes, primaryType: 'ClaimPermit', message } as const
}

/**
 * Builds the typed data that each party signs to end a running task with a share for the worker. It is bound to the worker
 * (by the digest) and to where the task stands: an old signature ends nothing new.
 *
 * @example
 * ```ts
 * const data = await account.signTypedData(buildMutualCancelTypedData(context, { ...cancel, party: account.address }))
 * ```
 */
export function buildMutualCancelTypedData(
  context: RegistryContext,
  message: {
    taskId: bigint
    settlementDigest: Hex
    milestone: bigint
    /** An index into `taskStates`. */
    state: number
    /** Unix seconds; zero if nothing is in review. */
    reviewEnd: bigint
    /** An index into `disputePhases`. */
    disputePhase: number
    workerBps: bigint
    party: Address
    nonce: bigint
    expiry: bigint
  },
) {
  return { domain: buildTaskDomain(context), types: cancelTypes, primaryType: 'MutualCancel', message } as const
}

/**
 * Builds the typed data that a store signs for a delivery: it holds every byte and serves it to the poster.
 *
 * @example
 * ```ts
 * const signature = await store.signTypedData(buildStorageReceiptTypedData(context, receipt))
 * ```
 */
export function buildStorageReceiptTypedData(
  context: SigningContext,
  message: {
    taskId: bigint
    milestone: bigint
    revision: bigint
    worker: Address
    proofHash: Hex
    /** Bytes held. */
    size: bigint
    /** Unix seconds: until when they are served. */
    until: bigint
  },
) {
  return { domain: buildTaskDomain(context), types: receiptTypes, primaryType: 'StorageReceipt', message } as const
}

/**
 * Computes the settlement digest, which identifies an agreement from the first message to the payment. For an open task
 * without a claim, the worker is the zero address.
 *
 * @example
 * ```ts
 * const digest = computeSettlementDigest(context, terms, worker)
 * ```
 */
export function computeSettlementDigest(context: SigningContext, terms: TaskTerms, worker: Address): Hex {
  return hashTypedData(buildSettlementTypedData(context, terms, worker))
}

const settlement = ({ market, asset }: SigningContext, terms: TaskTerms, worker: Address) => ({
  terms: { market, asset, ...terms },
  worker,
})
