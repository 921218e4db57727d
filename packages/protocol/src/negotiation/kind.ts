import type { Address, Hex } from 'viem'
import type * as z from 'zod/mini'
import type { Negotiation, Party } from './state.ts'

/** The context of a payload: who sent it, and in which negotiation. */
export interface Situation {
  /** The negotiation before the message. */
  state: Negotiation
  /** The party that sent it, or whose supervisor sent it. */
  party: Party
  sender: Address
  chainId: number
  /** Unix seconds, as claimed by the sender. */
  sentAt: number
  isSigned: (hash: Hex, signature: Hex) => Promise<boolean>
}

/** What a message can change besides the phase, which follows from the rules. */
export type Changes = Partial<
  Pick<Negotiation, 'terms' | 'acceptances' | 'taskId' | 'milestone' | 'revisions' | 'cancels' | 'links'>
>

/** A kind of message: the schema of its payload, and what it changes. `apply` throws if the message is rejected. */
export interface Kind<Payload> {
  payload: z.ZodMiniType<Payload, unknown>
  apply(payload: Payload, situation: Situation): Changes | Promise<Changes>
}
