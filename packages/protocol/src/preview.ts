import type { Address } from 'viem'
import type * as z from 'zod/mini'
import { type ActionContract, type ActionContracts, type AnyAction, actionContracts, writeInput } from './action.ts'
import { accessFee, actionCredit } from './amounts.ts'
import { type Approval, type Call, decodeCalls, type Purse } from './calls.ts'
import { canonicalJson } from './canonicalJson.ts'
import { clocks } from './clocks.ts'
import type { Cost } from './cost.ts'
import type { Market } from './market.ts'
import { formatTaskId, type TaskId } from './taskId.ts'
import type { termsWire } from './terms.ts'
import { formatAmount, formatDuration, formatTime } from './units.ts'

type TermsJson = z.input<typeof termsWire>

/** One call in words. */
export interface DescribedCall {
  /** What it does, in a sentence. */
  label: string
  to: Address
  contract: ActionContract
  function: string
  /** Each value as JSON text, and in words where people read it otherwise. */
  args: { name: string; value: string; words?: string }[]
}

/** Something that an action takes from its caller. */
export interface CostLine {
  what: string
  amount: string
}

/** What is done, in a sentence: with the task where there is one. */
export function summaryOf({ summary }: AnyAction, input: Record<string, unknown>): string {
  const { taskId } = input as { taskId?: TaskId }
  return taskId ? `${summary.replace(/\.$/, '')}: ${formatTaskId(taskId)}.` : summary
}

/** What each call does, read back from its bytes. Refuses calls that are not exactly one action after its allowances. */
export function describeCalls(
  calls: readonly Call[],
  market: Market,
  markets: Readonly<Record<Market, ActionContracts>>,
): DescribedCall[] {
  const decoded = decodeCalls(calls, { [market]: markets[market] } as Record<Market, ActionContracts>)
  if (!decoded) throw new TypeError('These calls are not one action of the market.')
  const { approvals, action, input } = decoded
  const last = calls.at(-1)?.to ?? '0x'
  return [
    ...approvals.map((approval) => describeApproval(approval, markets[market])),
    {
      label: summaryOf(action, input),
      to: last,
      contract: action.contract,
      function: nameOf(action, input),
      args: argsOf(writeInput(action, input)),
    },
  ]
}

/** What an action takes, line by line; nothing for one that takes nothing. */
export function costLines(cost: Cost, { credits }: Pick<Purse, 'credits'>): CostLine[] {
  const { fee, tokWei, usdc, reserveUsdc, penaltyUsdc } = cost
  return [
    fee && { what: 'Access fee', amount: credits >= actionCredit ? '1 Action Credit' : formatAmount(accessFee, 'tok') },
    tokWei > 0n && { what: 'From your wallet', amount: formatAmount(tokWei, 'tok') },
    usdc > 0n && { what: 'From your wallet', amount: formatAmount(usdc, 'usdc') },
    reserveUsdc > 0n && {
      what: 'Reserved of your deposit while the task lives, at most',
      amount: formatAmount(reserveUsdc, 'usdc'),
    },
    penaltyUsdc > 0n && { what: 'Penalty from your deposit, at most', amount: formatAmount(penaltyUsdc, 'usdc') },
  ].filter((line) => line !== false)
}

/** The clock that an action starts, in words; null for none. */
export const clockWords = ({ clock }: AnyAction): string | null => (clock ? clocks[clock].words : null)

function describeApproval({ token, spender, amount }: Approval, contracts: ActionContracts): DescribedCall {
  const words = formatAmount(amount, token)
  const contract = token === 'tok' ? 'tokToken' : 'usdc'
  const taker = spender === 'depositVault' ? 'deposit vault' : 'payment gateway'
  return {
    label: `Allow the ${taker} to take exactly ${words}, and no more.`,
    to: contracts[contract],
    contract,
    function: 'approve',
    args: [
      { name: 'spender', value: JSON.stringify(contracts[spender]), words: taker },
      { name: 'amount', value: JSON.stringify(String(amount)), words },
    ],
  }
}

/** The function that this input calls: the first whose inputs are all there, as `encodeAction` takes it. */
function nameOf({ functions }: AnyAction, input: Record<string, unknown>): string {
  const lacks = (signature: string) =>
    parametersOf(signature).some(
      (name) => input[name] === undefined && !(actionContracts as readonly string[]).includes(name),
    )
  const signature = functions.find((each) => !lacks(each)) ?? functions[0] ?? ''
  return signature.slice(0, signature.indexOf('('))
}

const parametersOf = (signature: string) =>
  signature
    .slice(signature.indexOf('(') + 1, -1)
    .split(',')
    .flatMap((each) => each.trim().split(' ').slice(-1))
    .filter((name) => name !== '')

function argsOf(json: Record<string, unknown>): DescribedCall['args'] {
  return Object.entries(json)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const words = wordsOf(name, value)
      return { name, value: canonicalJson(value), ...(words !== null && { words }) }
    })
}

/** Values that people read otherwise, by the unit in the name. */
function wordsOf(name: string, value: unknown): string | null {
  if (typeof value === 'string' && /^\d+$/.test(value)) {
    if (name.endsWith('TokWei')) return formatAmount(BigInt(value), 'tok')
    if (name.endsWith('Usdc')) return formatAmount(BigInt(value), 'usdc')
  }
  if (name === 'milestone') return `milestone ${Number(value) + 1}`
  if (name === 'workerBps') return `${Number(value) / 100} % to the worker`
  if (name === 'terms') return termsWords(value as TermsJson)
  return null
}

function termsWords({ amountsTokWei, durationsSeconds, reviewWindowSeconds, claimDeadline }: TermsJson): string {
  const milestones = amountsTokWei.map(
    (amount, index) =>
      `${index + 1}. ${formatAmount(BigInt(amount), 'tok')} within ${formatDuration(BigInt(durationsSeconds[index] ?? 0))}`,
  )
  const until = BigInt(claimDeadline) > 0n ? `, to be claimed by ${formatTime(BigInt(claimDeadline))}` : ''
  return `${milestones.join('; ')}; reviewed within ${formatDuration(BigInt(reviewWindowSeconds))}${until}`
}
