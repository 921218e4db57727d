import { type Hex, zeroHash } from 'viem'
import { hashEnvelope, parseMessage } from './envelope.ts'
import { BrokenTranscriptError, demand, MessageRefusedError } from './refusal.ts'
import { verifySeal } from './seal.ts'
import { type VerifySignature, verifyKeySignature } from './signatures.ts'

/** Where the next message of a negotiation goes. */
export interface ChainEnd {
  negotiationId: string
  /** Messages so far. */
  length: number
  /** The hash of the last one; 32 zero bytes before the first. */
  head: Hex
}

export interface ChainOptions {
  /** The chain that the terms are for; seals of another one are no seals. */
  chainId: number
  /**
   * The hash of the last message that the reader remembers: it must be there. Without it a transcript whose last messages
   * were left out looks whole, for the beginning of a chain is a chain.
   */
  head?: Hex | undefined
  /** Key signatures only, unless told otherwise: see `orContractWallet`. */
  verifySignature?: VerifySignature | undefined
}

/** The end of a negotiation that has no message yet. Its id is a UUID that was never used. */
export function newChain(negotiationId: string): ChainEnd {
  return { negotiationId, length: 0, head: zeroHash }
}

/** Checks that a message is the next one of a chain, whole and signed by its sender; returns the new end. */
export async function checkLink(end: ChainEnd | null, value: unknown, options: ChainOptions): Promise<ChainEnd> {
  const message = parseMessage(value)
  const { negotiationId, sequence, previousHash } = message.envelope
  const { length, head, ...before } = end ?? newChain(negotiationId)
  demand(negotiationId === before.negotiationId, 'it belongs to another negotiation.')
  demand(sequence === length + 1, `its sequence is ${sequence} where ${length + 1} must follow.`)
  demand(previousHash === head, 'its previousHash is not the hash of the message before it.')
  demand(message.hash === hashEnvelope(message.envelope), 'its hash is not the hash of its envelope.')
  const { chainId, verifySignature } = options
  demand(
    await verifySeal(chainId, message, verifySignature ?? verifyKeySignature),
    verifySignature
      ? 'its sender did not sign it.'
      : "its sender's key did not sign it. For a contract wallet a chain must be asked.",
  )
  return { negotiationId, length: sequence, head: message.hash }
}

/**
 * Checks that messages are one chain, unchanged and each signed by its sender; not whether they obey the rules: see
 * `foldTranscript`. Throws `BrokenTranscriptError`.
 */
export async function checkChain(messages: readonly unknown[], options: ChainOptions): Promise<ChainEnd> {
  return walk<ChainEnd>(messages, options.head, (end, message) => checkLink(end, message, options))
}

/** Goes through a transcript with `step`, names the position where it is refused, and looks for the remembered head. */
export async function walk<End extends ChainEnd>(
  messages: readonly unknown[],
  head: Hex | undefined,
  step: (end: End | null, message: unknown) => Promise<End>,
): Promise<End> {
  let end: End | null = null
  let remembered = head === undefined
  for (const [index, message] of messages.entries()) {
    try {
      end = await step(end, message)
    } catch (error) {
      if (error instanceof MessageRefusedError) throw new BrokenTranscriptError(index + 1, error.reason)
      throw error
    }
    remembered ||= end.head === head
  }
  if (!end) throw new BrokenTranscriptError(1, 'it is missing, and so are all others.')
  if (!remembered) {
    throw new BrokenTranscriptError(end.length + 1, `it is missing: message ${head} was seen before and is not here.`)
  }
  return end
}
