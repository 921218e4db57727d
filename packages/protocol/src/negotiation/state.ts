import type { Address, Hex } from 'viem'
import type { DisputePhase, TaskState } from '../tasks/states.ts'
import type { TaskId } from '../tasks/taskId.ts'
import type { TermsDocument } from '../terms/terms.ts'

/** The phases of a negotiation. */
export const negotiationPhases = [
  'EMPTY',
  'OFFERED',
  'HALF_ACCEPTED',
  'AGREED',
  'DELIVERED',
  'DISPUTED',
  'DONE',
  'CANCELLED',
  'VETOED',
] as const

export type NegotiationPhase = (typeof negotiationPhases)[number]

/** The two parties of a negotiation. */
export type Party = 'poster' | 'worker'

/** A party's signed acceptance, in the form that `create` of the registry takes. */
export interface Acceptance {
  nonce: bigint
  expiry: bigint
  data: Hex
}

/** The end of a transcript: where its next message goes. */
export interface ChainEnd {
  negotiationId: string
  /** Number of messages so far. */
  length: number
  /** Hash of the last message; 32 zero bytes before the first. */
  head: Hex
}

/** The states in which both parties can cancel a task together. */
export const cancellableStates = ['CLAIMED', 'ACTIVE', 'DISPUTED'] as const satisfies readonly TaskState[]

export type CancellableState = (typeof cancellableStates)[number]

/** A party's signed offer to cancel the task, as the registry's `mutualCancel` takes it. */
export interface MutualCancelPayload {
  taskId: TaskId
  settlementDigest: Hex
  milestone: bigint
  /** Where the task stands: the registry accepts the signature only there. */
  state: CancellableState
  /** Unix seconds; zero if nothing is in review. */
  reviewEnd: bigint
  disputePhase: DisputePhase
  /** The worker's share of the money in escrow, in basis points. */
  workerBps: bigint
  nonce: bigint
  /** Unix seconds. */
  expiry: bigint
  signature: Hex
}

/** What a party says about its identity: an XMTP inbox, a supervising wallet, or an ERC-8004 agent. */
export type IdentityLinkPayload =
  | { relation: 'xmtp'; subject: string }
  | { relation: 'supervisor'; subject: Address }
  | { relation: 'erc8004'; subject: string }

/** The state of a negotiation: the current terms, who accepted them, and the progress of the work. */
export interface Negotiation extends ChainEnd {
  phase: NegotiationPhase
  parties: Record<Party, Address>
  /** The current offer. It cannot change after both accepted it. */
  terms: TermsDocument
  /** The acceptances of the current offer. An acceptance of an earlier offer still binds its signer on chain until it expires or its nonce is used. */
  acceptances: { [Each in Party]?: Acceptance }
  /** The task id that was named last. Only the chain shows whether it is right. */
  taskId: string | null
  /** The index of the current milestone; the number of milestones if all are accepted. */
  milestone: number
  /** Revisions requested on the current milestone. */
  revisions: number
  /** The last offer of each party to cancel. */
  cancels: { [Each in Party]?: MutualCancelPayload }
  /** What the parties claim about themselves, not verified. */
  links: readonly (IdentityLinkPayload & { party: Party })[]
}
