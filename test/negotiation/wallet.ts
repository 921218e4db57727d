import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A new random wallet. If its key appears anywhere, it leaked from the one process that has it. */
export interface Wallet {
  key: Hex
  address: Hex
}

/** Creates a new wallet without funds. */
export function createTestWallet(): Wallet {
  const key = generatePrivateKey()
  return { key, address: privateKeyToAccount(key).address }
}
