import type { Address } from 'viem'

/** A message that arrived. Nothing in it is verified. */
export interface InboundMessage {
  text: string
  /** The wallets of the sender, as known by the transport; undefined if it does not know. */
  from?: readonly Address[]
  /** Removes it from the transport. Called only after it was stored or rejected. */
  done: () => Promise<void>
}

/** Carries messages between two parties: files, XMTP or a mailbox. It neither reads nor verifies them. */
export interface Transport {
  /** The sender's key on this transport, for the envelope; undefined if it has none. */
  publicKey?: string
  /** Sends one message to a wallet. */
  send: (to: Address, text: string) => Promise<void>
  /** Yields messages, oldest first, until the signal aborts. Messages that are not `done` can arrive again in another process. */
  receive: (signal: AbortSignal) => AsyncIterable<InboundMessage>
  close: () => Promise<void>
}
