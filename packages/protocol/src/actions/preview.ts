import type { Address } from 'viem'
import type * as z from 'zod/mini'
import { canonicalizeJson } from '../base/canonicalJson.ts'
import type { Market } from '../base/market.ts'
import { accessFee, actionCredit } from '../money/amounts.ts'
import { formatAmount, formatDuration, formatTime } from '../money/units.ts'
import { formatTaskId, type TaskId } from '../tasks/taskId.ts'
import type { termsWire } from '../terms/terms.ts'
import {
  type ActionContract,
  type ActionContracts,
  type AnyAction,
  actionContracts,
  encodeActionInput,
  getContract,
  type Spender,
} from './action.ts'
import { type Approval, type Call, decodeBatch, type WalletBalances } from './calls.ts'
import type { Cost } from './cost.ts'
import { deadlines } from './deadlines.ts'

type TermsJson = z.input<typeof termsWire>

/** A call, described for people. */
export interface DescribedCall {
  /** What it does, in one sentence. */
  label: string
  to: Address
  contract: ActionContract
  function: string
  /** Each value as JSON, and formatted for people if that differs. */
  args: { name: string; value: string; words?: string }[]
}

/** One item of what an action costs its caller. */
export interface CostLine {
  what: string
  amount: string
}

/** What a simulation shows of the caller's money. */
export const callerAssets = [
  'TOK in the wallet',
  'USDC in the wallet',
  'deposit',
  'deposit not reserved',
  'Action Credits',
] as const
export type CallerAsset = (typeof callerAssets)[number]

/** Whose money an action can change, besides the caller's, and which. */
export const moneyHolders = [
  'escrow of the task',
  'exit deposits of the task',
  'poster',
  'worker',
  'judge',
  'final court',
  'receiver',
  'treasury',
  'payouts to withdraw',
  'Union',
  'arbitration',
] as const
export type MoneyHolder = (typeof moneyHolders)[number]
export const heldAssets = ['TOK', 'USDC', 'deposit'] as const
export type HeldAsset = (typeof heldAssets)[number]

/** Formats the heading of an action, with its task if it has one. */
export function formatActionTitle({ title }: AnyAction, input: Record<string, unknown>): string {
  const { taskId } = input as { taskId?: TaskId }
  return taskId ? `${title}: ${formatTaskId(taskId)}` : title
}

/**
 * Describes each call, decoded from its bytes. Throws a `TypeError` if the calls are not exactly one action after its
 * approvals and what it needs first: see `decodeBatch`.
 *
 * @example
 * ```ts
 * for (const { label } of describeCalls(calls, 'micro', contracts)) console.log(label)
 * ```
 */
export function describeCalls(
  calls: readonly Call[],
  market: Market,
  markets: Readonly<Record<Market, ActionContracts>>,
): DescribedCall[] {
  const contracts = markets[market]
  const parts = decodeBatch(calls, { [market]: contracts } as Record<Market, ActionContracts>)
  if (!parts) throw new TypeError('The calls are not exactly one action of this market.')
  return parts.flatMap(({ approvals, action, input }) => [
    ...approvals.map((approval) => describeApproval(approval, contracts)),
    {
      label: action.explain,
      to: getContract(contracts, action.contract),
      contract: action.contract,
      function: findFunctionName(action, input),
      args: describeArguments(encodeActionInput(action, input)),
    },
    ...(action.swap === 'buy'
      ? [describeApproval({ token: 'usdc', spender: 'swapRouter', amount: 0n }, contracts)]
      : []),
  ])
}

/**
 * Describes what an action costs, item by item. Empty if it costs only the network fee.
 *
 * @example
 * ```ts
 * describeCosts(computeCost(action, input, { from }), { credits: 0n }) // [{ what: 'Access fee', amount: '1,000 TOK' }]
 * ```
 */
export function describeCosts(cost: Cost, { credits }: Pick<WalletBalances, 'credits'>): CostLine[] {
  const { fee, tokWei, exitDepositTokWei, stakeTokWei, lostTokWei, usdc, reserveUsdc, penaltyUsdc } = cost
  return [
    fee && { what: 'Access fee', amount: credits >= actionCredit ? '1 Action Credit' : formatAmount(accessFee, 'tok') },
    tokWei > 0n && { what: 'From your wallet', amount: formatAmount(tokWei, 'tok') },
    exitDepositTokWei > 0n && {
      what: 'Exit deposit from your wallet, returned when the task ends well',
      amount: formatAmount(exitDepositTokWei, 'tok'),
    },
    stakeTokWei > 0n && {
      what: 'Stake from your wallet, part of it lost if the ruling goes against you',
      amount: formatAmount(stakeTokWei, 'tok'),
    },
    lostTokWei > 0n && { what: 'Lost of what you locked, at most', amount: formatAmount(lostTokWei, 'tok') },
    usdc > 0n && { what: 'From your wallet', amount: formatAmount(usdc, 'usdc') },
    reserveUsdc > 0n && {
      what: 'Reserved from your deposit during the task, at most',
      amount: formatAmount(reserveUsdc, 'usdc'),
    },
    penaltyUsdc > 0n && { what: 'Penalty from your deposit, at most', amount: formatAmount(penaltyUsdc, 'usdc') },
  ].filter((line) => line !== false)
}

/** Describes the deadline that an action starts; null if it starts none. */
export const describeDeadline = ({ deadline }: AnyAction): string | null => (deadline ? deadlines[deadline].text : null)

function describeApproval({ token, spender, amount }: Approval, contracts: ActionContracts): DescribedCall {
  const words = formatAmount(amount, token)
  const contract = token === 'tok' ? 'tokToken' : 'usdc'
  const taker = takers[spender]
  return {
    label:
      amount > 0n ? `Allows the ${taker} to take exactly ${words}.` : `Takes back what the ${taker} may still take.`,
    to: contracts[contract],
    contract,
    function: 'approve',
    args: [
      { name: 'spender', value: JSON.stringify(getContract(contracts, spender)), words: taker },
      { name: 'amount', value: JSON.stringify(String(amount)), words },
    ],
  }
}

const takers: Readonly<Record<Spender, string>> = {
  depositVault: 'deposit vault',
  paymentGateway: 'payment gateway',
  swapRouter: 'router of the pool',
}

/** Finds the function that `encodeAction` chooses: the first whose inputs are all present. */
function findFunctionName({ functions }: AnyAction, input: Record<string, unknown>): string {
  const lacks = (signature: string) =>
    parseParameters(signature).some(
      (name) => input[name] === undefined && !(actionContracts as readonly string[]).includes(name),
    )
  const signature = functions.find((each) => !lacks(each)) ?? functions[0] ?? ''
  return signature.slice(0, signature.indexOf('('))
}

const parseParameters = (signature: string) =>
  signature
    .slice(signature.indexOf('(') + 1, -1)
    .split(',')
    .flatMap((each) => each.trim().split(' ').slice(-1))
    .filter((name) => name !== '')

function describeArguments(json: Record<string, unknown>): DescribedCall['args'] {
  return Object.entries(json)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const words = formatValue(name, value)
      return { name, value: canonicalizeJson(value), ...(words !== null && { words }) }
    })
}

/** Formats a value for people, by the unit in its name; null if its JSON is already readable. */
function formatValue(name: string, value: unknown): string | null {
  if (typeof value === 'string' && /^\d+$/.test(value)) {
    if (name.endsWith('TokWei')) return formatAmount(BigInt(value), 'tok')
    if (name.endsWith('Usdc')) return formatAmount(BigInt(value), 'usdc')
  }
  if (name === 'deadline') return formatTime(BigInt(Number(value)))
  if (name === 'milestone') return `milestone ${Number(value) + 1}`
  if (name === 'forWorker') return value ? 'for the worker' : 'for the poster'
  if (name === 'workerBps' || name === 'shareBps') return `${Number(value) / 100} % to the worker`
  if (name === 'receipt') {
    const { size, until } = value as { size: number; until: number }
    return `${size} bytes, served until ${formatTime(BigInt(until))}`
  }
  if (name === 'terms') return formatTerms(value as TermsJson)
  return null
}

function formatTerms({ amountsTokWei, durationsSeconds, reviewWindowSeconds, claimDeadline }: TermsJson): string {
  const milestones = amountsTokWei.map(
    (amount, index) =>
      `${index + 1}. ${formatAmount(BigInt(amount), 'tok')} within ${formatDuration(BigInt(durationsSeconds[index] ?? 0))}`,
  )
  const until = BigInt(claimDeadline) > 0n ? `, claim deadline ${formatTime(BigInt(claimDeadline))}` : ''
  return `${milestones.join('; ')}; reviewed within ${formatDuration(BigInt(reviewWindowSeconds))}${until}`
}
