import type { Hex } from 'viem'
import type { ChainOptions } from './chain.ts'
import type { SignedMessage } from './envelope.ts'
import { applyMessage } from './fold.ts'
import { MessageRefusedError } from './messageErrors.ts'
import { countKept } from './race.ts'
import type { Negotiation } from './state.ts'

/** A negotiation that was put together from messages as they arrived. */
export interface MergedTranscript {
  messages: readonly SignedMessage[]
  /** Null if no proposal has arrived. */
  state: Negotiation | null
  /** Messages that were written at the same time as others, and do not stand. */
  dropped: readonly SignedMessage[]
  /** Why the other messages are not part of it. Some may only wait for messages that have not arrived. */
  refused: readonly { message: SignedMessage; reason: string }[]
}

/**
 * Puts a negotiation together from its messages, in any order and with duplicates: both sides come to the same transcript,
 * whichever transport brought which message. Races are settled by {@link countKept}.
 *
 * @example
 * ```ts
 * const { state, messages } = await mergeTranscript(arrived, { chainId, domains: ['market.example'] })
 * ```
 */
export async function mergeTranscript(
  arrived: readonly SignedMessage[],
  options: Omit<ChainOptions, 'head'>,
): Promise<MergedTranscript> {
  let messages: SignedMessage[] = []
  /** The negotiation after each message. */
  let states: Negotiation[] = []
  const dropped = new Map<Hex, SignedMessage>()
  const distinct = new Map(arrived.map((message) => [message.signature + message.hash, message]))
  let rest = [...distinct.values()].sort((a, b) => a.envelope.sequence - b.envelope.sequence)
  let refused: { message: SignedMessage; reason: string }[] = []
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    refused = []
    const next: SignedMessage[] = []
    for (const message of rest) {
      try {
        const kept = await countKept(messages, message, options)
        const state = await applyMessage(states[kept - 1] ?? null, message, options)
        for (const lost of messages.slice(kept)) dropped.set(lost.hash, lost)
        messages = [...messages.slice(0, kept), message]
        states = [...states.slice(0, kept), state]
        isChanged = true
      } catch (error) {
        if (!(error instanceof MessageRefusedError)) throw error
        refused.push({ message, reason: error.reason })
        next.push(message)
      }
    }
    rest = next
  }
  return { messages, state: states.at(-1) ?? null, dropped: [...dropped.values()], refused }
}
