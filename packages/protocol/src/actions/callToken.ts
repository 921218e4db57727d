import { type Address, decodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { paymentGatewayAbi } from '../abis/paymentGateway.ts'
import type { Token } from '../money/units.ts'
import { type ActionContract, type ActionContracts, findContract } from './action.ts'
import { decodeSwap } from './swap.ts'

/**
 * Finds the one token that a call can move: deposits are USDC, a plan is paid in the token that the call names, everything
 * else is TOK. Undefined for a call to another contract, because a guess would show a wrong amount.
 *
 * @example
 * ```ts
 * findCallToken({ to: contracts.depositVault, data }, contracts) // 'usdc'
 * ```
 */
export function findCallToken({ to, data }: { to: Address; data: Hex }, contracts: ActionContracts): Token | undefined {
  const isTo = (...names: ActionContract[]) =>
    names.some((name) => {
      const address = findContract(contracts, name)
      return address && isAddressEqual(address, to)
    })
  if (isTo('usdc', 'depositVault')) return 'usdc'
  if (isTo('tokToken', 'taskRegistry', 'escrowVault', 'stakingVault', 'arbitration')) return 'tok'
  // The router pulls the token that the caller sells.
  if (isTo('swapRouter')) return decodeSwap('buy', data, contracts) ? 'usdc' : 'tok'
  if (!isTo('paymentGateway')) return undefined
  const asset = decodePlanAsset(data)
  if (asset && isAddressEqual(asset, contracts.usdc)) return 'usdc'
  return asset && isAddressEqual(asset, contracts.tokToken) ? 'tok' : undefined
}

/** Returns the token that a plan is bought with; null for any other calldata. */
function decodePlanAsset(data: Hex): Address | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: paymentGatewayAbi, data })
    return functionName === 'buyPlan' ? args[2] : null
  } catch {
    return null
  }
}
