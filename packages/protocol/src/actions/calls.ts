import { type Address, encodeFunctionData, erc20Abi, type Hex, isAddressEqual, maxUint256 } from 'viem'
import * as z from 'zod/mini'
import type { Market } from '../base/market.ts'
import {
  type Action,
  type ActionContracts,
  type AnyAction,
  findContract,
  getContract,
  type InputSchema,
  type Spender,
  spenders,
} from './action.ts'
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
 * action spends, and leaves an allowance alone that is already large enough. The router of a pool gets an allowance for each swap,
 * and what a purchase did not need of it is taken back at the end.
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
  const to = getContract(contracts, action.contract)
  const [takesTok, tokAllowance] = action.swap ? [to, 0n] : [contracts.paymentGateway, balances.tokAllowance]
  const usdcAllowance = { ...balances.usdcAllowance, swapRouter: 0n }
  return [
    ...(tok > tokAllowance ? [approval(contracts.tokToken, takesTok, tok)] : []),
    ...(usdc && usdc.amount > usdcAllowance[usdc.spender]
      ? [approval(contracts.usdc, getContract(contracts, usdc.spender), usdc.amount)]
      : []),
    call(to, encodeAction(action, input, contracts)),
    ...(action.swap === 'buy' ? [approval(contracts.usdc, to, 0n)] : []),
  ]
}

/** An allowance that was found before a call. */
export interface Approval {
  token: 'tok' | 'usdc'
  spender: Spender
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
  const batch = decodeBatch(calls, markets)
  return batch?.length === 1 ? (batch[0] ?? null) : null
}

/** What may happen before an action in the same batch, in this order. */
const partsBefore: readonly ActionName[] = ['buy-tok', 'top-up']

/**
 * Decodes a batch: one action of one market, before it perhaps a purchase of the TOK and a top-up of the deposit that it needs. Returns
 * null for anything else, and if what comes before gets another allowance than it takes.
 *
 * @example
 * ```ts
 * const parts = decodeBatch(calls, markets)
 * parts?.map(({ name }) => name) // ['buy-tok', 'top-up', 'claim-task']
 * ```
 */
export function decodeBatch(
  calls: readonly Call[],
  markets: Readonly<Record<Market, ActionContracts>>,
): DecodedCalls[] | null {
  // No part sends ETH. The router would keep it for whoever asks next.
  if (calls.length === 0 || calls.some(({ value }) => value !== '0x0')) return null
  for (const [market, contracts] of Object.entries(markets) as [Market, ActionContracts][]) {
    const parts = cutCalls(calls, contracts).map((part) => decodePart(part, market, contracts))
    if (parts.every((part) => part !== null) && isOrdered(parts)) return parts
  }
  return null
}

/** Cuts a batch after each call that gives no allowance. The allowance that is taken back after a purchase belongs to the purchase. */
function cutCalls(calls: readonly Call[], contracts: ActionContracts): Call[][] {
  const parts: Call[][] = []
  let part: Call[] = []
  for (const [index, each] of calls.entries()) {
    part.push(each)
    const next = calls[index + 1]
    if (decodeApproval(each, contracts) && !(isRevoke(each, contracts) && part.length > 1)) continue
    if (next && isRevoke(next, contracts)) continue
    parts.push(part)
    part = []
  }
  return part.length > 0 ? [...parts, part] : parts
}

function decodePart(calls: readonly Call[], market: Market, contracts: ActionContracts): DecodedCalls | null {
  const end = calls.at(-1)
  const revokes = calls.length > 1 && end !== undefined && isRevoke(end, contracts)
  const own = calls.slice(0, revokes ? -1 : undefined)
  const last = own.at(-1)
  const approvals = own.slice(0, -1).map((each) => decodeApproval(each, contracts))
  if (!last || !approvals.every((each) => each !== null)) return null
  for (const name of Object.keys(actions) as ActionName[]) {
    const action: AnyAction = actions[name]
    const to = findContract(contracts, action.contract)
    if (!to || !isAddressEqual(last.to, to) || revokes !== (action.swap === 'buy')) continue
    const decoded = decodeCall(name, last.data, { market, contracts })
    if (!decoded) continue
    const part = { ...decoded, market, approvals, action }
    return approvals.every(({ spender }) => (spender === 'swapRouter') === Boolean(action.swap)) ? part : null
  }
  return null
}

function isOrdered(parts: readonly DecodedCalls[]): boolean {
  const before = parts.slice(0, -1)
  const places = before.map(({ name }) => partsBefore.indexOf(name))
  const last = parts.at(-1)
  return (
    places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1)) &&
    !before.some(({ name }) => name === last?.name || last?.action.swap) &&
    parts.every((part) => (part.action.swap || part !== last ? hasExactAllowance(part) : true))
  )
}

/** Whether a part gets the allowance that it takes, or none: one that is already there is left alone. */
function hasExactAllowance({ action, input, approvals }: DecodedCalls): boolean {
  const { tokWei, usdc } = action.pays?.(input) ?? {}
  const [approval, ...others] = approvals
  // Nothing needs no allowance.
  if (!approval) return !action.swap || (tokWei ?? usdc?.amount) === 0n
  const amount = approval.token === 'tok' ? tokWei : usdc?.amount
  const spender = action.swap ? 'swapRouter' : usdc?.spender
  return others.length === 0 && approval.amount === amount && approval.spender === spender
}

const isRevoke = (each: Call, contracts: ActionContracts): boolean => {
  const found = decodeApproval(each, contracts)
  return found?.spender === 'swapRouter' && found.token === 'usdc' && found.amount === 0n
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
    for (const spender of spenders) {
      const taker = findContract(contracts, spender)
      if (!taker) continue
      const amount = BigInt(`0x${data.slice(74) || '0'}`)
      const expected = approval(contracts[token === 'tok' ? 'tokToken' : 'usdc'], taker, amount & maxUint256)
      if (isAddressEqual(expected.to, to) && expected.data === data.toLowerCase()) return { token, spender, amount }
    }
  }
  return null
}

const approval = (token: Address, spender: Address, amount: bigint) =>
  call(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }))
const call = (to: Address, data: Hex): Call => ({ to, value: '0x0', data })
