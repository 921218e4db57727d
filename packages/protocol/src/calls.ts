import { type Address, encodeFunctionData, erc20Abi, type Hex, isAddressEqual, maxUint256 } from 'viem'
import type { ActionContracts, AnyAction } from './action.ts'
import { actions } from './actions/index.ts'
import { accessFee, actionCredit } from './amounts.ts'
import { decodeAction, encodeAction } from './callData.ts'
import { type Cost, costOf } from './cost.ts'
import type { Market } from './market.ts'

/** One call in the shape of EIP-5792, for a wallet to send. */
export interface Call {
  to: Address
  value: '0x0'
  data: Hex
}

/** What of a wallet decides whether an allowance must be given first. */
export interface Purse {
  /** TOK that the payment gateway may take already. */
  tokAllowance: bigint
  /** USDC that these may take already. */
  usdcAllowance: { depositVault: bigint; paymentGateway: bigint }
  /** Action Credits; a whole one pays an access fee. */
  credits: bigint
}

const empty: Purse = { tokAllowance: 0n, usdcAllowance: { depositVault: 0n, paymentGateway: 0n }, credits: 0n }

/**
 * The calls of an action, in order: allowances of exactly what it takes where they are missing, then the call itself. Never
 * more is allowed than this one action needs, and a wide enough allowance is left as it is.
 */
export function callsOf(
  action: AnyAction,
  input: Record<string, unknown>,
  {
    from,
    contracts,
    purse = empty,
    cost = costOf(action, input, { from }),
  }: {
    from: Address
    contracts: ActionContracts
    purse?: Purse
    cost?: Cost
  },
): Call[] {
  const { usdc } = action.pays?.(input) ?? {}
  const tok = cost.tokWei + (cost.fee && purse.credits < actionCredit ? accessFee : 0n)
  return [
    ...(tok > purse.tokAllowance ? [approval(contracts.tokToken, contracts.paymentGateway, tok)] : []),
    ...(usdc && usdc.amount > purse.usdcAllowance[usdc.spender]
      ? [approval(contracts.usdc, contracts[usdc.spender], usdc.amount)]
      : []),
    call(contracts[action.contract], encodeAction(action, input, contracts)),
  ]
}

/** An allowance found before a call. */
export interface Approval {
  token: 'tok' | 'usdc'
  spender: 'depositVault' | 'paymentGateway'
  amount: bigint
}

/** What a list of calls does: the allowances it gives, and the action at its end with its input. */
export interface DecodedCalls {
  market: Market
  approvals: Approval[]
  action: AnyAction
  input: Record<string, unknown>
}

/** Reads calls back. Null unless they are exactly one action of one market, after allowances to that market's contracts. */
export function decodeCalls(
  calls: readonly Call[],
  markets: Readonly<Record<Market, ActionContracts>>,
): DecodedCalls | null {
  for (const [market, contracts] of Object.entries(markets) as [Market, ActionContracts][]) {
    const approvals = calls.slice(0, -1).map((each) => decodeApproval(each, contracts))
    if (!approvals.every((approval) => approval !== null)) continue
    for (const action of actions) {
      const last = calls.at(-1)
      if (!last || !isAddressEqual(last.to, contracts[action.contract])) continue
      const input = decodeAction(action, last.data, { market, contracts })
      if (input) return { market, approvals, action, input }
    }
  }
  return null
}

/** An allowance to one of the contracts that take money, by the very calldata that gives it. */
function decodeApproval({ to, data }: Call, contracts: ActionContracts): Approval | null {
  for (const token of ['tok', 'usdc'] as const) {
    for (const spender of ['depositVault', 'paymentGateway'] as const) {
      const amount = BigInt(`0x${data.slice(74) || '0'}`)
      const expected = approval(
        contracts[token === 'tok' ? 'tokToken' : 'usdc'],
        contracts[spender],
        amount & maxUint256,
      )
      if (isAddressEqual(expected.to, to) && expected.data === data.toLowerCase()) return { token, spender, amount }
    }
  }
  return null
}

const approval = (token: Address, spender: Address, amount: bigint) =>
  call(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }))
const call = (to: Address, data: Hex): Call => ({ to, value: '0x0', data })
