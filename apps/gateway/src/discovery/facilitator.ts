import type { Provider } from '@svc/chain'
import { x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, custom, type Hex, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** So long a payment may take to be mined. */
const confirmationTimeoutMs = 30_000

/** Carries payments to the chain in this process, with a key that pays the gas and holds nothing else. */
export function createFacilitator({ rpc, client }: Provider, key: Hex): FacilitatorClient {
  const account = privateKeyToAccount(key)
  const wallet = createWalletClient({
    account,
    chain: client.chain,
    transport: custom({ request: ({ method, params }) => rpc.request(method, params ?? []) }, { retryCount: 0 }),
    pollingInterval: 250,
  }).extend(publicActions)
  // viem's client does all that the signer asks for; its own types are only narrower.
  const signer = toFacilitatorEvmSigner({ ...wallet, address: account.address } as never, { confirmationTimeoutMs })
  const facilitator = new x402Facilitator().register(`eip155:${client.chain.id}`, new ExactEvmScheme(signer))
  return {
    // What a node said stays here: its words go out in a header otherwise.
    async verify(payload, requirements) {
      const { invalidMessage: _, ...verdict } = await facilitator.verify(payload, requirements)
      return verdict
    },
    async settle(payload, requirements) {
      const { errorMessage: _, ...verdict } = await facilitator.settle(payload, requirements)
      return verdict
    },
    getSupported: async () => facilitator.getSupported() as never,
  }
}
