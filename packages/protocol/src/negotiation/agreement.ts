import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import { canonicalizeJson } from '../base/canonicalJson.ts'
import { SvcError } from '../base/svcError.ts'
import type { TermsDocument } from '../terms/terms.ts'
import type { ChainOptions } from './chain.ts'
import { maxMessages, type SignedMessage } from './envelope.ts'
import { foldTranscript } from './fold.ts'
import type { Acceptance, Negotiation, NegotiationPhase, Party } from './state.ts'

/** The maximum size of an agreement file, in characters. */
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
  /** The acceptances in the form that `create` of the registry takes. */
  acceptances: Record<Party, Acceptance>
  negotiationId: string
  /** The number of messages, followed by the hash of the last one. */
  length: number
  head: Hex
  phase: NegotiationPhase
  /** The task id that a party named; null if none was named. */
  taskId: string | null
}

/**
 * Formats the file that proves an agreement to anyone. Throws {@link BrokenTranscriptError} for a broken transcript and
 * {@link InvalidAgreementError} if not both parties accepted.
 *
 * @example
 * ```ts
 * await writeFile('agreement.json', await formatAgreement(messages, { chainId }))
 * ```
 */
export async function formatAgreement(messages: readonly SignedMessage[], options: ChainOptions): Promise<string> {
  const { settlementDigest } = extractAgreement(
    await foldTranscript(messages, { ...options, domains: options.domains ?? 'any' }),
  )
  const text = `${canonicalizeJson({ format: 'svc-agreement-v1', settlementDigest, messages })}\n`
  if (text.length > maxAgreementLength) throw new InvalidAgreementError(tooLong)
  return text
}

/**
 * Verifies an agreement file without trusting any part of it: changing any byte makes it invalid. `digest` is the settlement
 * digest of the task on chain. As in every transcript, the last messages can be missing unless `head` is given. Throws
 * {@link InvalidAgreementError}, or {@link BrokenTranscriptError} with the position of the broken message.
 *
 * @example
 * ```ts
 * const { terms, poster, worker } = await verifyAgreement(text, { digest })
 * ```
 */
export async function verifyAgreement(
  text: string,
  { digest, head, verifySignature }: Pick<ChainOptions, 'head' | 'verifySignature'> & { digest?: Hex | undefined } = {},
): Promise<Agreement> {
  const { settlementDigest, messages } = parseAgreementFile(text)
  const agreement = extractAgreement(
    // The acceptances are signed by the wallets themselves, so any sign-in counts for the messages around them.
    await foldTranscript(messages, { chainId: readChainId(messages), head, verifySignature, domains: 'any' }),
  )
  if (agreement.settlementDigest !== settlementDigest) {
    throw new InvalidAgreementError(
      `it names digest ${settlementDigest}, but its messages agree on ${agreement.settlementDigest}.`,
    )
  }
  if (digest !== undefined && agreement.settlementDigest !== digest.toLowerCase()) {
    throw new InvalidAgreementError(`it is about digest ${settlementDigest}, not ${digest}.`)
  }
  return agreement
}

function parseAgreementFile(text: string) {
  if (text.length > maxAgreementLength) throw new InvalidAgreementError(tooLong)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new InvalidAgreementError('it is not JSON.')
  }
  const { success, data } = z.safeParse(file, json)
  if (!success) throw new InvalidAgreementError('it is not an svc-agreement-v1 object with messages.')
  if (canonicalText(json) !== text)
    throw new InvalidAgreementError('it is not canonical JSON (RFC 8785) followed by one line feed.')
  return data
}

function canonicalText(json: unknown): string | null {
  try {
    return `${canonicalizeJson(json)}\n`
  } catch {
    // A lone surrogate.
    return null
  }
}

/** Reads the chain id from the proposal. A wrong one makes every signature invalid. */
function readChainId([first]: readonly unknown[]): number {
  const { success, data } = z.safeParse(proposal, first)
  return success ? data.envelope.payload.terms.chainId : 0
}

const proposal = z.object({
  envelope: z.object({ payload: z.object({ terms: z.object({ chainId: z.int() }) }) }),
})

function extractAgreement({ terms, parties, acceptances, ...rest }: Negotiation): Agreement {
  const { poster, worker } = acceptances
  if (!poster || !worker) {
    throw new InvalidAgreementError(
      `the negotiation is ${rest.phase}, but both parties must have accepted the same terms.`,
    )
  }
  const { settlementDigest } = terms
  const { negotiationId, length, head, phase, taskId } = rest
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

/** Thrown for a file that proves no agreement, for a reason other than a broken message. */
export class InvalidAgreementError extends SvcError {
  override name = 'InvalidAgreementError'

  constructor(reason: string) {
    super('INVALID_AGREEMENT', `The file does not prove an agreement: ${reason}`)
  }
}
