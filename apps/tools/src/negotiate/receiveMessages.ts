import {
  BrokenTranscriptError,
  MessageRefusedError,
  type SignedMessage,
  type Transport,
} from '@svc/protocol/negotiation'
import { DamagedFileError } from './transcriptFile.ts'
import type { ReceiveOptions, TranscriptStore } from './transcriptStore.ts'

/** The messages that arrived during the wait. */
export interface Received {
  accepted: SignedMessage[]
  /** Own messages that were written at the same time as an accepted one and do not stand. */
  dropped: SignedMessage[]
  /** The number of messages that were already stored. */
  known: number
  /** Why other messages were rejected; at most the first hundred. */
  refused: string[]
}

/**
 * Receives messages from a transport into the store until `count` are accepted or the signal aborts. A message is removed from
 * the transport only after it was written to disk or rejected.
 */
export async function receiveMessages(
  { store, transport, ...to }: { store: TranscriptStore; transport: Transport } & Omit<ReceiveOptions, 'from'>,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<Received> {
  const received: Received = { accepted: [], dropped: [], known: 0, refused: [] }
  const enough = new AbortController()
  for await (const { text, from, done } of transport.receive(AbortSignal.any([signal, enough.signal]))) {
    try {
      const { known, messages, dropped } = await store.receive(text, { ...to, from })
      const last = messages.at(-1)
      received.dropped.push(...dropped)
      if (known) received.known++
      else if (last) received.accepted.push(last)
    } catch (error) {
      const reason = describeRefusal(error)
      if (received.refused.length < maxRefused) received.refused.push(reason)
    }
    await done()
    if (received.accepted.length >= count) break
  }
  enough.abort()
  return received
}

const maxRefused = 100

/** Describes why a message is rejected. A broken local transcript must not block other negotiations. Other errors are rethrown. */
function describeRefusal(error: unknown): string {
  if (error instanceof MessageRefusedError) return error.reason
  if (error instanceof BrokenTranscriptError || error instanceof DamagedFileError) {
    return `the local transcript is broken. ${error.message}`
  }
  throw error
}
