import type { ChainClient } from '@svc/chain'
import { type Address, createClient, type Hex, http, isAddressEqual, numberToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { sendTransaction } from 'viem/actions'
import { AdminError } from '../adminError.ts'

/** A transaction to send. */
interface OutgoingCall {
  to: Address
  data: Hex
  gas: bigint
}

/** Something that signs and sends transactions of one address. */
export interface Signer {
  address: Address
  send: (call: OutgoingCall, nonce: number) => Promise<Hex>
}

/** Signs with a key in this process, and sends through a provider. */
export function createKeySigner(account: PrivateKeyAccount, client: ChainClient): Signer {
  return {
    address: account.address,
    send: (call, nonce) => sendTransaction(client, { account, chain: client.chain, ...call, nonce }),
  }
}

/**
 * Lets another program sign and send: Web3Signer, Clef, or a bridge to a Ledger. It must accept `eth_sendTransaction` for the
 * address.
 */
export function createRemoteSigner(url: string, address: Address, chainId: number): Signer {
  const client = createClient({ transport: http(url, { retryCount: 0, timeout: 300_000 }) })
  return {
    address,
    async send({ to, data, gas }, nonce) {
      const call = { from: address, to, data, gas: numberToHex(gas), nonce: numberToHex(nonce), value: '0x0' as const }
      return client.request({ method: 'eth_sendTransaction', params: [{ ...call, chainId: numberToHex(chainId) }] })
    },
  }
}

/** Throws unless the signer is the one that a plan or a contract names. */
export function assertSigner({ address }: Signer, expected: Address, role: string): void {
  if (!isAddressEqual(address, expected))
    throw new AdminError(`The signer is ${address}, but the ${role} is ${expected}. Use its keystore.`)
}
