import { buildReceiptTypedData, type Receipt, type TaskId } from '@svc/protocol'
import { formatClaimResource } from '@svc/protocol/internal/money'
import { type Address, type Hex, hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** The key that signs readiness receipts. */
export interface ReceiptKey {
  address: Address
  /** The key as a DID, for verification by third parties. */
  did: string
  issue: (taskId: TaskId, payer: Address, issuedAt: number) => Promise<Receipt>
}

/** Uses the operator's key, or generates one for the life of the process. */
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
      const resourceUrl = formatClaimResource(baseUrl, taskId)
      const payload = { version: 1 as const, network, resourceUrl, payer, issuedAt, transaction: '' }
      return { format: 'eip712', payload, signature: await account.signTypedData(buildReceiptTypedData({ payload })) }
    },
  }
}

/** The digest that a receipt signs: the same for every valid signature over it. */
export const receiptDigest = (receipt: Receipt): Hex => hashTypedData(buildReceiptTypedData(receipt))
