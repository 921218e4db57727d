import type { Address, Hex } from 'viem'

/** When a proof was signed. A proof opens one session, so a device that opens two in a second adds a nonce. */
interface ProofTime {
  /** Unix seconds. */
  issuedAt: number
  /** Letters and digits. */
  nonce?: string | undefined
}

const formatTime = ({ issuedAt, nonce }: ProofTime): string =>
  `Time: ${new Date(issuedAt * 1_000).toISOString()}${nonce === undefined ? '' : `\nNonce: ${nonce}`}`

/**
 * Builds the text that a device key signs with `personal_sign` to open a session at a store. A key statement is public, so it
 * alone must not open one; the proof is bound to the store and to a time.
 *
 * @example
 * ```ts
 * const text = buildSessionProof({ store, statement: hashStatement(message), issuedAt })
 * const proof = { issuedAt, signature: await device.signMessage({ message: text }) }
 * ```
 */
export function buildSessionProof({
  store,
  statement,
  issuedAt,
  nonce,
}: {
  /** The wallet that signs the store's receipts. */
  store: Address
  /** The hash of the key statement that names the device key. */
  statement: Hex
} & ProofTime): string {
  return `Open a session at the store ${store}\nStatement: ${statement}\n${formatTime({ issuedAt, nonce })}`
}

/**
 * Builds the text that a device key signs to open a session for notifications and settings. It is bound to the domain of the
 * statement, so that a proof for one market, or for a store, opens no session at the notifier of another.
 *
 * @example
 * ```ts
 * const text = buildNotifyProof({ domain: 'market.example', statement: hashStatement(message), issuedAt })
 * ```
 */
export function buildNotifyProof({
  domain,
  statement,
  issuedAt,
  nonce,
}: {
  /** The domain that the statement names. */
  domain: string
  /** The hash of the key statement that names the device key. */
  statement: Hex
} & ProofTime): string {
  return `Open a session for notifications of ${domain}\nStatement: ${statement}\n${formatTime({ issuedAt, nonce })}`
}
