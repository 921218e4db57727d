import type { Address } from 'viem'
import * as z from 'zod'

const answer = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() })
const batch = z.object({ calls: z.array(z.looseObject({ to: z.string() })) })

/** A wallet outside the page that sends calls as one batch (EIP-5792). The chain has the key of its account, or plays it. */
export function createChainWallet(account: Address, rpcUrl: string) {
  const batches = new Map<string, unknown[]>()
  const rpc = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = answer.parse(await response.json())
    if (error) throw new Error(error.message)
    return result
  }
  const sendBatch = async (params: unknown) => {
    const sent: unknown[] = []
    for (const call of batch.parse(params).calls)
      sent.push(await rpc('eth_sendTransaction', [{ ...call, from: account, gas: '0x4c4b40' }]))
    const id = `batch-${batches.size + 1}`
    batches.set(id, sent)
    return { id }
  }
  const readStatus = async (id: string) => {
    const receipts = await Promise.all((batches.get(id) ?? []).map((hash) => rpc('eth_getTransactionReceipt', [hash])))
    const status = { version: '2.0.0', id, chainId: '0x2105', atomic: true }
    return receipts.includes(null) ? { ...status, status: 100 } : { ...status, status: 200, receipts }
  }
  return {
    /** Answers a request of a page. What it does not know is the chain's. */
    request: async (method: string, params: readonly unknown[]): Promise<unknown> => {
      if (method === 'wallet_getCapabilities') return { '0x2105': { atomic: { status: 'supported' } } }
      if (method === 'wallet_sendCalls') return sendBatch(params[0])
      if (method === 'wallet_getCallsStatus') return readStatus(String(params[0]))
      return rpc(method, params)
    },
  }
}
