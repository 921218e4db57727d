import type { Address, Hex, TypedDataDomain } from 'viem'
import { getChainProfile } from '../base/chains.ts'
import type { Market } from '../base/market.ts'
import { type ActionContracts, getContract } from './action.ts'
import { encodeAction } from './callData.ts'
import { type Approval, type Call, decodeCalls } from './calls.ts'

/** A signed allowance (ERC-2612), as the contracts take it. */
export interface TokenPermit {
  /** Unix seconds. */
  deadline: bigint
  v: number
  r: Hex
  s: Hex
}

/** How an approval and an action become one transaction: the allowance to sign, and the call that takes the signature. */
export interface PermitPlan {
  approval: Approval
  tokenAddress: Address
  spenderAddress: Address
  buildCall: (permit: TokenPermit) => Call
}

/**
 * Plans how to replace the approval in front of an action by a signature. Null if there is no approval, or if the contract takes
 * no permit for this action.
 *
 * @example
 * ```ts
 * const plan = planPermit(prepared.calls, markets)
 * ```
 */
export function planPermit(
  calls: readonly Call[],
  markets: Readonly<Record<Market, ActionContracts>>,
): PermitPlan | null {
  const decoded = decodeCalls(calls, markets)
  const { withPermit } = decoded?.action ?? {}
  const [approval, ...others] = decoded?.approvals ?? []
  if (!decoded || !withPermit || !approval || others.length > 0) return null
  const { action, input, market } = decoded
  const contracts = markets[market]
  const { tokWei, usdc } = action.pays?.(input) ?? {}
  // The contracts permit exactly what the action pays.
  if (approval.amount !== (approval.token === 'tok' ? tokWei : usdc?.amount)) return null
  return {
    approval,
    tokenAddress: contracts[approval.token === 'tok' ? 'tokToken' : 'usdc'],
    spenderAddress: getContract(contracts, approval.spender),
    buildCall: (permit) => ({
      to: getContract(contracts, action.contract),
      value: '0x0',
      data: encodeAction({ ...action, functions: [withPermit] }, { ...input, permit }, contracts),
    }),
  }
}

/** Returns the EIP-712 name and version of a token. */
const getTokenDomain = (token: Approval['token'], chainId: number) =>
  token === 'tok' ? { name: 'Tok', version: '1' } : { name: getChainProfile(chainId).usdcName, version: '2' }

const permitTypes = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/**
 * Returns the typed data that a wallet signs for a permit. The nonce is the token's `nonces(owner)`.
 *
 * @example
 * ```ts
 * const typedData = buildPermitTypedData(plan, { chainId, owner, nonce, deadline })
 * ```
 */
export function buildPermitTypedData(
  { approval, tokenAddress, spenderAddress }: Omit<PermitPlan, 'buildCall'>,
  { chainId, owner, nonce, deadline }: { chainId: number; owner: Address; nonce: bigint; deadline: bigint },
) {
  const domain: TypedDataDomain = {
    ...getTokenDomain(approval.token, chainId),
    chainId,
    verifyingContract: tokenAddress,
  }
  return {
    domain,
    types: permitTypes,
    primaryType: 'Permit',
    message: { owner, spender: spenderAddress, value: approval.amount, nonce, deadline },
  } as const
}
