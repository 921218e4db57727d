import { BrokenTranscriptError, MessageRefusedError, type SignedMessage } from '@svc/protocol/negotiation'
import type { Address } from 'viem'
import type { Transport } from '../transport/transport.ts'
import type { Book } from './book.ts'
import { DamagedFileError } from './transcriptFile.ts'

/** What came in while one waited. */
export interface Received {
  accepted: SignedMessage[]
  /** Messages that were here already. */
  known: number
  /** Why others were refused; of many only the first hundred. */
  refused: string[]
}

/**
 * Takes messages from a transport into the book until `count` were accepted or the signal ends the wait. A message leaves the
 * transport only when it is on the disk or refused.
 */
export async function receive(
  { book, transport, me, only }: { book: Book; transport: Transport; me: Address; only?: Address | undefined },
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<Received> {
  const received: Received = { accepted: [], known: 0, refused: [] }
  const enough = new AbortController()
  for await (const { text, from, done } of transport.receive(AbortSignal.any([signal, enough.signal]))) {
    try {
      const { known, messages } = await book.take(text, { me, from, only })
      const last = messages.at(-1)
      if (known) received.known++
      else if (last) received.accepted.push(last)
    } catch (error) {
      const reason = reasonOf(error)
      if (received.refused.length < maxRefused) received.refused.push(reason)
    }
    await done()
    if (received.accepted.length >= count) break
  }
  enough.abort()
  return received
}

const maxRefused = 100

/** Why a message is refused. A transcript that is broken here must not keep other negotiations waiting; anything else is no refusal. */
function reasonOf(error: unknown): string {
  if (error instanceof MessageRefusedError) return error.reason
  if (error instanceof BrokenTranscriptError || error instanceof DamagedFileError) {
    return `its transcript here is broken. ${error.message}`
  }
  throw error
}
