import { claimResource, type Receipt, receiptTypedData, type TaskId } from '@svc/protocol'
import { type Address, type Hex, hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** The key that readiness receipts are signed with. */
export interface ReceiptKey {
  address: Address
  /** As a DID, for those who verify receipts elsewhere. */
  did: string
  issue: (taskId: TaskId, payer: Address, issuedAt: number) => Promise<Receipt>
}

/** The operator's key, or a new one that lives as long as the process. */
export function createReceiptKey(
  key: Hex | undefined,
  { baseUrl, chainId }: { baseUrl: string; chainId: number },
): ReceiptKey {
  const account = privateKeyToAccount(key ?? generatePrivateKey())
  const network = `eip155:${chainId}`
  return {
    address: account.address,
    did: `did:pkh:${network}:${account.address}`,
    async issue(taskId, payer, issuedAt) {
      const resourceUrl = claimResource(baseUrl, taskId)
      const payload = { version: 1 as const, network, resourceUrl, payer, issuedAt, transaction: '' }
      return { format: 'eip712', payload, signature: await account.signTypedData(receiptTypedData({ payload })) }
    },
  }
}

/** What a receipt signs: the same for every signature that can be made of it. */
export const receiptDigest = (receipt: Receipt): Hex => hashTypedData(receiptTypedData(receipt))
