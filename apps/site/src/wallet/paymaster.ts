import { encodeFunctionData, erc20Abi, getAddress } from 'viem'
import { contracts } from '../deployments.ts'

declare const __PAYMASTER_URL__: string | null
declare const __PAYMASTER_CONTEXT__: Readonly<Record<string, unknown>> | null
declare const __PAYMASTER_SPENDER__: string | null

/** The paymaster that pays network fees (ERC-7677), if the operator has one. The wallet asks it, not this page. */
export const paymasterUrl = __PAYMASTER_URL__

/** The most that a paymaster may take for the fee of one batch, in USDC units: 0.10 USDC. */
export const maxFeeUsdc = 100_000n

/** Whether the paymaster takes the fee in USDC. */
export const takesUsdc = __PAYMASTER_SPENDER__ !== null

/** What the wallet tells the paymaster: its URL, and what its provider needs to know. */
export const paymasterService = {
  url: paymasterUrl,
  ...(__PAYMASTER_CONTEXT__ && { context: __PAYMASTER_CONTEXT__ }),
}

/** The calls in front of a batch: a paymaster that takes USDC may take the fee, and no more. It cannot be trusted with anything else. */
export function listPaymasterCalls() {
  if (__PAYMASTER_SPENDER__ === null) return []
  const args = [getAddress(__PAYMASTER_SPENDER__), maxFeeUsdc] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  return [{ to: contracts.standard.usdc, value: '0x0' as const, data }]
}
