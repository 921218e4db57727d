import type { Provider } from '@svc/chain'
import { x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import type { Network } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { type Abi, createWalletClient, custom, type Hex, publicActions, type VerifyTypedDataParameters } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** How long to wait for a payment to be mined. */
const confirmationTimeoutMs = 30_000

/** Settles payments on chain in this process, with a key that only pays gas. */
export function createFacilitator({ rpc, client }: Provider, key: Hex): FacilitatorClient {
  const account = privateKeyToAccount(key)
  const wallet = createWalletClient({
    account,
    chain: client.chain,
    transport: custom({ request: ({ method, params }) => rpc.request(method, params ?? []) }, { retryCount: 0 }),
    pollingInterval: 250,
  }).extend(publicActions)
  const client402: Parameters<typeof toFacilitatorEvmSigner>[0] = {
    address: account.address,
    getCode: wallet.getCode,
    readContract: (args) => wallet.readContract({ ...args, abi: args.abi as Abi }),
    sendTransaction: wallet.sendTransaction,
    // The library's types for typed data are wider than viem's.
    verifyTypedData: (args) => wallet.verifyTypedData(args as VerifyTypedDataParameters),
    waitForTransactionReceipt: wallet.waitForTransactionReceipt,
    writeContract: (args) => wallet.writeContract({ ...args, abi: args.abi as Abi }),
  }
  const signer = toFacilitatorEvmSigner(client402, { confirmationTimeoutMs })
  const facilitator = new x402Facilitator().register(`eip155:${client.chain.id}`, new ExactEvmScheme(signer))
  return {
    // Drop the node's messages: they would be sent out in a header.
    async verify(payload, requirements) {
      const { invalidMessage: _, ...verdict } = await facilitator.verify(payload, requirements)
      return verdict
    },
    async settle(payload, requirements) {
      const { errorMessage: _, ...verdict } = await facilitator.settle(payload, requirements)
      return verdict
    },
    async getSupported() {
      const { kinds, ...supported } = facilitator.getSupported()
      return { ...supported, kinds: kinds.map((kind) => ({ ...kind, network: kind.network as Network })) }
    },
  }
}
