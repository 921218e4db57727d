import type { Address, Hex } from 'viem'
import type { TermsDocument } from '../terms.ts'
import type { ChainEnd } from './chain.ts'
import type { IdentityLinkPayload } from './messages/identity-link.ts'
import type { MutualCancelPayload } from './messages/mutual-cancel.ts'

/** How far a negotiation is. */
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

/** The two who negotiate. */
export type Party = 'poster' | 'worker'

/** A party's signed acceptance, as the registry's `create` takes it. */
export interface Acceptance {
  nonce: bigint
  expiry: bigint
  data: Hex
}

/** What a transcript says so far: the standing terms, who accepted them, and how the work goes. */
export interface Negotiation extends ChainEnd {
  phase: NegotiationPhase
  parties: Record<Party, Address>
  /** The standing offer; frozen once both accepted it. */
  terms: TermsDocument
  /** Of the standing offer. One that a counter offer dropped still binds its signer on chain until it expires or its nonce is spent. */
  acceptances: { [Each in Party]?: Acceptance }
  /** The task id that was named last; what it stands for is for the chain to say. */
  taskId: string | null
  /** The index of the milestone in work; their number when all are accepted. */
  milestone: number
  /** Revisions asked for of the milestone in work. */
  revisions: number
  /** The last offer of each party to part. */
  cancels: { [Each in Party]?: MutualCancelPayload }
  /** What the parties say of themselves; nobody has checked it. */
  links: readonly (IdentityLinkPayload & { party: Party })[]
}
