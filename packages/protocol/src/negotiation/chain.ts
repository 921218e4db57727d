import { type Hex, zeroHash } from 'viem'
import { hashEnvelope, parseMessage } from './envelope.ts'
import { assertAllowed, BrokenTranscriptError, MessageRefusedError } from './messageErrors.ts'
import { type SealDomains, verifySeal } from './seal.ts'
import { type VerifySignature, verifyKeySignature } from './signatures.ts'
import type { ChainEnd } from './state.ts'

export interface ChainOptions {
  /** The chain of the terms. Signatures for another chain are invalid. */
  chainId: number
  /**
   * The hash of the last message that the reader has seen before: it must be in the transcript. Without it, missing messages
   * at the end cannot be noticed, because the beginning of a chain is a valid chain.
   */
  head?: Hex | undefined
  /** By default only signatures of keys are accepted. For contract wallets, see `createSignatureVerifier`. */
  verifySignature?: VerifySignature | undefined
  /**
   * The domains whose sign-ins count for messages that a device key signed. Without it, such messages are rejected. `any` is for
   * proofs that rest on the signatures of wallets inside of the messages.
   */
  domains?: SealDomains | undefined
  /** Verifies signatures of device keys; by default without remembering. */
  verifyDeviceSignature?: VerifySignature | undefined
}

/**
 * Starts the chain of a new negotiation. The id must be a new UUID.
 *
 * @example
 * ```ts
 * const envelope = buildEnvelope(startChain(crypto.randomUUID()), draft)
 * ```
 */
export function startChain(negotiationId: string): ChainEnd {
  return { negotiationId, length: 0, head: zeroHash }
}

/** Verifies that a message is the next one of a chain, complete and signed by its sender. Returns the new end. */
export async function verifyLink(end: ChainEnd | null, value: unknown, options: ChainOptions): Promise<ChainEnd> {
  const message = parseMessage(value)
  const { negotiationId, sequence, previousHash } = message.envelope
  const { length, head, ...before } = end ?? startChain(negotiationId)
  assertAllowed(negotiationId === before.negotiationId, 'it belongs to another negotiation.')
  assertAllowed(sequence === length + 1, `its sequence is ${sequence}, but the next one is ${length + 1}.`)
  assertAllowed(previousHash === head, 'its previousHash is not the hash of the previous message.')
  assertAllowed(message.hash === hashEnvelope(message.envelope), 'its hash is not the hash of its envelope.')
  const { verifySignature } = options
  assertAllowed(
    await verifySeal(message, { ...options, verifySignature: verifySignature ?? verifyKeySignature }),
    verifySignature
      ? 'it was not signed by its sender.'
      : "it was not signed by its sender's key. To verify a contract wallet, set an RPC provider.",
  )
  return { negotiationId, length: sequence, head: message.hash }
}

/**
 * Verifies that messages form one chain, unchanged and each signed by its sender, but not that they follow the rules: for
 * that, see {@link foldTranscript}. Throws {@link BrokenTranscriptError}.
 *
 * @example
 * ```ts
 * const { length, head } = await verifyChain(messages, { chainId })
 * ```
 */
export async function verifyChain(messages: readonly unknown[], options: ChainOptions): Promise<ChainEnd> {
  return walkTranscript<ChainEnd>(messages, options.head, (end, message) => verifyLink(end, message, options))
}

/** Runs `step` on each message, reports the position of a rejected one, and checks that the expected head is included. */
export async function walkTranscript<End extends ChainEnd>(
  messages: readonly unknown[],
  head: Hex | undefined,
  step: (end: End | null, message: unknown) => Promise<End>,
): Promise<End> {
  let end: End | null = null
  let hasHead = head === undefined
  for (const [index, message] of messages.entries()) {
    try {
      end = await step(end, message)
    } catch (error) {
      if (error instanceof MessageRefusedError) throw new BrokenTranscriptError(index + 1, error.reason)
      throw error
    }
    hasHead ||= end.head === head
  }
  if (!end) throw new BrokenTranscriptError(1, 'it is missing, because the transcript is empty.')
  if (!hasHead) {
    throw new BrokenTranscriptError(
      end.length + 1,
      `it is missing: message ${head} was seen before but is not in the transcript.`,
    )
  }
  return end
}
