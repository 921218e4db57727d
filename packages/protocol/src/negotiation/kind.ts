import type { Address, Hex } from 'viem'
import type * as z from 'zod/mini'
import type { Negotiation, Party } from './state.ts'

/** Where and by whom a payload was sent. */
export interface Situation {
  /** Before the message. */
  state: Negotiation
  /** The party that sent it, or whose supervisor did. */
  party: Party
  sender: Address
  chainId: number
  /** Unix seconds, as the sender says. */
  sentAt: number
  isSigned: (hash: Hex, signature: Hex) => Promise<boolean>
}

/** What a message can change besides the phase, which is for the rules to say. */
export type Changes = Partial<
  Pick<Negotiation, 'terms' | 'acceptances' | 'taskId' | 'milestone' | 'revisions' | 'cancels' | 'links'>
>

/** A kind of message: the form of its payload, and what it changes or why it is refused. */
export interface Kind<Payload> {
  payload: z.ZodMiniType<Payload, unknown>
  apply(payload: Payload, situation: Situation): Changes | Promise<Changes>
}
