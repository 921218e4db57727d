import { type Address, encodeFunctionData, erc20Abi, type Hex, isAddressEqual, maxUint256 } from 'viem'
import * as z from 'zod/mini'
import type { Market } from '../base/market.ts'
import type { Action, ActionContracts, AnyAction, InputSchema } from './action.ts'
import { type CallTarget, decodeAction, encodeAction } from './callData.ts'
import { type Cost, computeCost, computeWalletTok } from './cost.ts'
import { type ActionCall, type ActionInputs, type ActionName, actions } from './index.ts'

/** One call in the shape of EIP-5792, for a wallet to send. */
export interface Call {
  to: Address
  value: '0x0'
  data: Hex
}

/** What decides whether a wallet must give an allowance first. */
export interface WalletBalances {
  /** TOK that the payment gateway may already take. */
  tokAllowance: bigint
  /** USDC that these contracts may already take. */
  usdcAllowance: { depositVault: bigint; paymentGateway: bigint }
  /** Action Credits; a whole one pays an access fee. */
  credits: bigint
}

const empty: WalletBalances = { tokAllowance: 0n, usdcAllowance: { depositVault: 0n, paymentGateway: 0n }, credits: 0n }

/**
 * Returns the calls that carry out an action, with token approvals first where they are missing. Approves exactly what the
 * action spends, and leaves an allowance alone that is already large enough.
 *
 * @example
 * ```ts
 * const calls = buildCalls(actions['fund-task'], { taskId, amountTokWei: 5n }, { from, contracts })
 * ```
 */
export function buildCalls<Input extends InputSchema>(
  action: Action<string, Input>,
  input: z.output<Input>,
  {
    from,
    contracts,
    balances = empty,
    cost = computeCost(action, input, { from }),
  }: {
    from: Address
    contracts: ActionContracts
    balances?: WalletBalances
    cost?: Cost
  },
): Call[] {
  const { usdc } = action.pays?.(input) ?? {}
  const tok = computeWalletTok(cost, balances)
  return [
    ...(tok > balances.tokAllowance ? [approval(contracts.tokToken, contracts.paymentGateway, tok)] : []),
    ...(usdc && usdc.amount > balances.usdcAllowance[usdc.spender]
      ? [approval(contracts.usdc, contracts[usdc.spender], usdc.amount)]
      : []),
    call(contracts[action.contract], encodeAction(action, input, contracts)),
  ]
}

/** An allowance that was found before a call. */
export interface Approval {
  token: 'tok' | 'usdc'
  spender: 'depositVault' | 'paymentGateway'
  amount: bigint
}

/** What a list of calls does: the allowances it gives, and the action at its end with its input. */
export type DecodedCalls = ActionCall & {
  market: Market
  approvals: Approval[]
  action: AnyAction
}

/**
 * Decodes calls. Returns null unless they are exactly one action of one market, after allowances to that market's
 * contracts.
 *
 * @example
 * ```ts
 * const decoded = decodeCalls(calls, markets)
 * if (decoded?.name === 'claim-task') console.log(decoded.input.settlementDigest)
 * ```
 */
export function decodeCalls(
  calls: readonly Call[],
  markets: Readonly<Record<Market, ActionContracts>>,
): DecodedCalls | null {
  const last = calls.at(-1)
  if (!last) return null
  for (const [market, contracts] of Object.entries(markets) as [Market, ActionContracts][]) {
    const approvals = calls.slice(0, -1).map((each) => decodeApproval(each, contracts))
    if (!approvals.every((approval) => approval !== null)) continue
    for (const name of Object.keys(actions) as ActionName[]) {
      if (!isAddressEqual(last.to, contracts[actions[name].contract])) continue
      const decoded = decodeCall(name, last.data, { market, contracts })
      if (decoded) return { ...decoded, market, approvals, action: actions[name] }
    }
  }
  return null
}

// As one mapped type, so that a name and its input stay together in generic code.
const inputSchemas: { [K in ActionName]: { input: z.core.$ZodType<ActionInputs[K]> } } = actions

/** Decodes calldata as one action. Null for other calldata, and for an input that the action's schema refuses. */
function decodeCall<N extends ActionName>(name: N, data: Hex, target: CallTarget): ActionCall<N> | null {
  const action: AnyAction = actions[name]
  const values = decodeAction(action, data, target)
  const json = values && z.safeEncode(action.input, values)
  return json?.success ? { name, input: parseAs(inputSchemas[name].input, json.data) } : null
}

const parseAs = <T>(schema: z.core.$ZodType<T>, json: unknown): T => z.parse(schema, json)

/** Decodes an allowance to one of the contracts that take money. Accepts only the exact calldata that gives it. */
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
