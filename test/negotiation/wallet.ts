import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A wallet that nobody else has: its key, wherever it turns up, came from the one process that was given it. */
export interface Wallet {
  key: Hex
  address: Hex
}

/** A new wallet with nothing. */
export function newWallet(): Wallet {
  const key = generatePrivateKey()
  return { key, address: privateKeyToAccount(key).address }
}
