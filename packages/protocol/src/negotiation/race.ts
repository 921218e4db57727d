import { getAddress } from 'viem'
import type { ChainOptions } from './chain.ts'
import type { Envelope, SignedMessage } from './envelope.ts'
import { applyMessage, findRole, foldTranscript } from './fold.ts'
import { assertAllowed } from './messageErrors.ts'
import type { Negotiation, Party } from './state.ts'

/**
 * Returns how many messages of a transcript stay before a message that arrived: all of them, unless both sides wrote at the
 * same time. Then the message of the party that did not write the one before stands, and what was written after it is dropped.
 * No date and no hash decides, because its author chooses them. So both sides come to the same transcript, in whichever order
 * the messages arrive. Throws {@link MessageRefusedError} if the message does not stand, or if its author tells two stories.
 *
 * @example
 * ```ts
 * const kept = messages.slice(0, await countKept(messages, arrived, { chainId }))
 * const negotiation = await foldTranscript([...kept, arrived], { chainId })
 * ```
 */
export async function countKept(
  messages: readonly SignedMessage[],
  arrived: SignedMessage,
  options: Omit<ChainOptions, 'head'>,
): Promise<number> {
  const { sequence, previousHash } = arrived.envelope
  const place = sequence - 1
  const [previous, rivals] = [messages[place - 1], messages.slice(place)]
  if (!previous || rivals.length === 0 || previous.hash !== previousHash) return messages.length
  const before = await foldTranscript(messages.slice(0, place), options)
  // Only a valid message says something about its author.
  await applyMessage(before, arrived, options)
  const author = findParty(before, arrived.envelope)
  const proof = 'The two signed messages prove it: keep both.'
  assertAllowed(
    !rivals.slice(0, 1).some(({ envelope }) => isFrom(before, envelope, author)),
    `its author has already sent another message ${sequence}. ${proof}`,
  )
  assertAllowed(
    !rivals.some(({ envelope }) => isFrom(before, envelope, author)),
    `its author has already answered another message ${sequence}. ${proof}`,
  )
  assertAllowed(
    findParty(before, previous.envelope) !== author,
    `another message ${sequence} was written at the same time, and that one stands.`,
  )
  return place
}

const findParty = (before: Negotiation, { sender }: Envelope): Party =>
  findRole(before, getAddress(sender.evmAddress)).party

/** Whether a later message is from a party or its supervisor. One that is linked later is linked by a message of the party. */
function isFrom({ parties, links }: Negotiation, { sender }: Envelope, party: Party): boolean {
  const address = getAddress(sender.evmAddress)
  const supervises = (link: Negotiation['links'][number]) =>
    link.party === party && link.relation === 'supervisor' && link.subject === address
  return address === parties[party] || links.some(supervises)
}
