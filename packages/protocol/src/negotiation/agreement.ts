import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import { canonicalJson } from '../canonicalJson.ts'
import type { TermsDocument } from '../terms.ts'
import type { ChainOptions } from './chain.ts'
import { maxMessages, type SignedMessage } from './envelope.ts'
import { foldTranscript } from './fold.ts'
import type { Acceptance, Negotiation, NegotiationPhase, Party } from './state.ts'

/** The largest agreement file, in characters. */
export const maxAgreementLength = 16_777_216

const file = z.strictObject({
  format: z.literal('svc-agreement-v1'),
  settlementDigest: z.string(),
  messages: z.array(z.unknown()).check(z.minLength(1), z.maxLength(maxMessages)),
})

/** What an agreement file proves. */
export interface Agreement {
  terms: TermsDocument
  settlementDigest: Hex
  poster: Address
  worker: Address
  /** As the registry's `create` takes them. */
  acceptances: Record<Party, Acceptance>
  negotiationId: string
  /** The number of messages, and the hash of the last one. */
  length: number
  head: Hex
  phase: NegotiationPhase
  /** The task that a party said it became; null where nobody said. */
  taskId: string | null
}

/** Writes the file that proves an agreement to anyone. Refuses a broken transcript, and one that both did not accept. */
export async function writeAgreement(messages: readonly SignedMessage[], options: ChainOptions): Promise<string> {
  const { settlementDigest } = agreementOf(await foldTranscript(messages, options))
  const text = `${canonicalJson({ format: 'svc-agreement-v1', settlementDigest, messages })}\n`
  if (text.length > maxAgreementLength) throw new InvalidAgreementError(tooLong)
  return text
}

/**
 * Reads an agreement file and believes nothing: a file with any byte changed is refused. `digest` is what the chain shows for
 * the task. As with every transcript, messages may be missing at its end, unless `head` is known. Throws
 * `InvalidAgreementError`, or `BrokenTranscriptError` with the position of the message that is broken.
 */
export async function verifyAgreement(
  text: string,
  { digest, head, verifySignature }: Pick<ChainOptions, 'head' | 'verifySignature'> & { digest?: Hex | undefined } = {},
): Promise<Agreement> {
  const { settlementDigest, messages } = parse(text)
  const agreement = agreementOf(await foldTranscript(messages, { chainId: chainIdOf(messages), head, verifySignature }))
  if (agreement.settlementDigest !== settlementDigest) {
    throw new InvalidAgreementError(
      `it names ${settlementDigest}, but its messages agree on ${agreement.settlementDigest}.`,
    )
  }
  if (digest !== undefined && agreement.settlementDigest !== digest.toLowerCase()) {
    throw new InvalidAgreementError(`it is about ${settlementDigest}, not about ${digest}.`)
  }
  return agreement
}

function parse(text: string) {
  if (text.length > maxAgreementLength) throw new InvalidAgreementError(tooLong)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new InvalidAgreementError('it is not JSON.')
  }
  const { success, data } = z.safeParse(file, json)
  if (!success) throw new InvalidAgreementError('it is not an object of format svc-agreement-v1 with messages.')
  if (canonicalText(json) !== text)
    throw new InvalidAgreementError('it is not canonical JSON (RFC 8785) and one line feed.')
  return data
}

function canonicalText(json: unknown): string | null {
  try {
    return `${canonicalJson(json)}\n`
  } catch {
    // Half a surrogate pair.
    return null
  }
}

/** The chain that the proposal says. A wrong one breaks every seal. */
function chainIdOf([first]: readonly unknown[]): number {
  const { success, data } = z.safeParse(proposal, first)
  return success ? data.envelope.payload.terms.chainId : 0
}

const proposal = z.object({
  envelope: z.object({ payload: z.object({ terms: z.object({ chainId: z.int() }) }) }),
})

function agreementOf({ terms, parties, acceptances, ...same }: Negotiation): Agreement {
  const { poster, worker } = acceptances
  if (!poster || !worker) {
    throw new InvalidAgreementError(`the negotiation is ${same.phase}: both parties must accept the same terms.`)
  }
  const { settlementDigest } = terms
  const { negotiationId, length, head, phase, taskId } = same
  return {
    terms,
    settlementDigest,
    ...parties,
    acceptances: { poster, worker },
    negotiationId,
    length,
    head,
    phase,
    taskId,
  }
}

const tooLong = `it is longer than ${maxAgreementLength} characters.`

/** A file that proves no agreement, though not because of one message. */
export class InvalidAgreementError extends Error {
  override name = 'InvalidAgreementError'

  constructor(reason: string) {
    super(`This file proves no agreement: ${reason}`)
  }
}
