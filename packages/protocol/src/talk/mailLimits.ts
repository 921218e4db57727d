import { maxMessageBytes } from '../negotiation/envelope.ts'

/** Every limit of mailboxes. Sizes are in bytes, times in seconds, and a day is the last 24 hours. */
export const mailLimits = {
  /** A signed message. */
  lineBytes: maxMessageBytes,
  /** A sealed message: age adds a header for each key. */
  sealedBytes: 270_336,
  /** A first message to a wallet that has not answered: about 2 kB of text, and its signature, statement and keys. */
  firstContactBytes: 8_192,
  /** The text of a first message. */
  firstContactText: 2_000,
  /** Applications of a wallet for one task that have not been answered. They do not count as first messages. */
  applications: 3,
  /** Wallets that a wallet may write to for the first time in a day. */
  newContacts: 20,
  /** Messages that a wallet may send in a day, and their bytes. */
  items: 200,
  dayBytes: 10_000_000,
  /** Messages of strangers that wait in one mailbox. */
  waitingStrangers: 500,
  /** Questions and applications of wallets that are not established, for one open task. */
  waitingNewcomers: 100,
  blocks: 1_000,
  /** About what a row costs besides its message. */
  rowBytes: 200,
  /** Messages in one answer. */
  page: 50,
  retention: 180 * 86_400,
} as const
