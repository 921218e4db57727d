import { type Providers, RpcResponseError } from '@svc/chain'
import { explainError, extractRevertData } from '@svc/protocol/errors'
import type { Address, Hex } from 'viem'

/** Whether a call would succeed now. */
export type CallCheck =
  | { status: 'ready'; gas: bigint }
  /** It reverts. `pending`: only after transactions that wait for a block, so somebody else has probably sent it. */
  | { status: 'refused'; error: string; at: 'latest' | 'pending' }

/**
 * Simulates a call on the newest block, and on the pending one where the provider has it. The block's own number and time are
 * used, which is never too early: what succeeds then also succeeds in the next block, unless a deadline lies between.
 */
export function checkCall(
  providers: Providers,
  from: Address,
  { to, data }: { to: Address; data: Hex },
): Promise<CallCheck> {
  const call = { from, to, data }
  return providers.read(async ({ rpc }): Promise<CallCheck> => {
    const simulate = (method: 'eth_call' | 'eth_estimateGas', block: 'latest' | 'pending') =>
      rpc.request(method, [call, block]).then(
        (result) => ({ result }),
        (error: unknown) => {
          const reason = findRevert(error)
          if (reason === null) throw error
          return { reason }
        },
      )
    const latest = await simulate('eth_call', 'latest')
    if ('reason' in latest) return { status: 'refused', error: latest.reason, at: 'latest' }
    const pending = await simulate('eth_call', 'pending').catch((error: unknown) => {
      // Not every provider has a pending block.
      if (error instanceof RpcResponseError) return null
      throw error
    })
    if (pending && 'reason' in pending) return { status: 'refused', error: pending.reason, at: 'pending' }
    const estimate = await simulate('eth_estimateGas', 'latest')
    if ('reason' in estimate) return { status: 'refused', error: estimate.reason, at: 'latest' }
    return { status: 'ready', gas: addMargin(BigInt(String(estimate.result))) }
  })
}

/** The call may meet another state than the simulation did. Unused gas is not paid. */
const addMargin = (gas: bigint) => (gas * 13n) / 10n + 20_000n

/** Returns the name of the contract error that a call reverted with; null if it is another error. */
function findRevert(error: unknown): string | null {
  if (!(error instanceof RpcResponseError) || error.retryable) return null
  return explainError(extractRevertData(error) ?? '0x').name
}
