import type { Address } from 'viem'

/** One piece of text that arrived. Nothing in it was checked. */
export interface Arrival {
  text: string
  /** The wallets that the transport itself knows to be the sender's; undefined where it cannot know. */
  from?: readonly Address[]
  /** Lets go of it: it will not arrive again. Called only when it is in the transcript, or refused for good. */
  done: () => Promise<void>
}

/** What carries messages between two parties. It neither reads them nor vouches for them. */
export interface Transport {
  /** The sender's key on this transport, for the envelope; undefined where there is none. */
  publicKey?: string
  /** Hands one message over to a wallet. Throws `TransportError`. */
  send: (to: Address, text: string) => Promise<void>
  /** What arrives, oldest first, until the signal ends it. What was not `done` may arrive again in another process. */
  receive: (signal: AbortSignal) => AsyncIterable<Arrival>
  close: () => Promise<void>
}

/** A message could not be carried: nothing is wrong with it. */
export class TransportError extends Error {
  override name = 'TransportError'
}
