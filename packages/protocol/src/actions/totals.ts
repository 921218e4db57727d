import { appealFee, bps, computeLostStake, exitDeposit, rulingFee } from '../money/amounts.ts'
import { computeGap, computeJudgeRisk, computeRulingPay, type RuledDispute } from '../money/rulingPay.ts'
import { formatAmount, parseAmount, type Token } from '../money/units.ts'
import type { DecodedCalls } from './calls.ts'
import type { CostLine } from './preview.ts'

/** What an amount of a receipt is for, in the words that follow it. */
export const purposeWords = {
  fee: 'fee',
  hold: 'hold',
  deposit: 'deposit',
  locked: 'locked for the work',
  stake: 'stake',
  bond: 'bond',
  union: 'for the Union',
  plan: 'for the plan',
  other: '',
  swap: '',
  pay: '',
  ruling: '',
  setAside: 'of your deposit',
} as const

type Purpose = keyof typeof purposeWords

/** An amount of a receipt and what it is for. */
export interface Item {
  what: Purpose
  amount: bigint
  token: Token
}

/** One of the three lines. */
export interface Total {
  items: readonly Item[]
  /** More cannot be; it may be less. */
  isUpTo: boolean
}

/** What a signature takes from the wallet at once, what of it comes back, and what somebody gets. */
export interface Totals {
  now: Total
  /** The deposit pays, not the wallet. */
  isFromDeposit: boolean
  back: Total
  get: Total & { who: 'you' | 'worker' }
  /** The most USDC that a swap may take from the wallet with the rest of the batch; null without a swap. */
  mostUsdc: bigint | null
  /** An Action Credit pays the fee. */
  isCreditUsed: boolean
}

/** What the totals depend on besides the bytes. */
export interface TotalFacts {
  from: string
  task: ReceiptTask | null
  /** What the last action costs, and what the whole batch would change. */
  prepared: {
    costs: readonly CostLine[]
    simulation:
      | { status: 'succeeds'; changes: readonly { what: string; change: string }[] }
      | { status: 'refused' | 'unknown' }
    swap?: { side: 'buy' | 'sell'; quoteUsdc: string } | undefined
  }
}

/** What a receipt needs of a task, as every HTTP answer has it. */
export interface ReceiptTask {
  milestones: readonly { amountTokWei: string }[]
  totalAmountTokWei: string
  fundedTokWei: string
  releasedTokWei: string
  refundedTokWei: string
  poster: string
  worker?: string | undefined
  dispute: RuledDispute | null
}

/**
 * Computes the three totals of a receipt. What leaves the wallet is never less than the decoded bytes let the contracts take, whatever a
 * server says.
 */
export function computeTotals(parts: readonly DecodedCalls[], facts: TotalFacts): Totals {
  const last = parts.at(-1)
  const purchase = parts.find((part) => part.name === 'buy-tok')
  const before = parts.slice(0, -1)
  const topUp = before.find((part) => part.name === 'top-up')
  const own = last && !last.action.swap ? listOwn(last, facts) : []
  const bought = purchase === last || purchase?.name !== 'buy-tok' ? 0n : purchase.input.amountTokWei
  const price = purchase?.name === 'buy-tok' ? readPrice(purchase.input.maxUsdc, facts) : 0n
  const deposit = topUp?.name === 'top-up' ? [usdc('deposit', topUp.input.amountUsdc)] : []
  const sold = last?.name === 'sell-tok' ? [tok('swap', last.input.amountTokWei)] : []
  const paid = [
    ...deposit,
    ...(price > 0n ? [usdc('swap', price)] : []),
    ...(bought > 0n ? takeTok(own, bought) : own),
    ...sold,
  ].filter(({ amount }) => amount > 0n)
  const { back = [], get = [], ...rest } = last ? listReturns(last, facts) : {}
  return {
    now: { items: rest.now ?? paid, isUpTo: false },
    isFromDeposit: rest.now !== undefined,
    back: { items: [...deposit, ...back].filter(({ amount }) => amount > 0n), isUpTo: rest.isBackUpTo ?? false },
    get: { items: get.filter(({ amount }) => amount > 0n), isUpTo: rest.isGetUpTo ?? false, who: rest.who ?? 'you' },
    mostUsdc: purchase?.name === 'buy-tok' ? sumOf(paid, 'usdc') - price + purchase.input.maxUsdc : null,
    isCreditUsed: facts.prepared.costs.some(({ what, amount }) => what === 'Access fee' && !amount.endsWith('TOK')),
  }
}

/** Adds up the items of a token. */
export const sumOf = (items: readonly Item[], token: Token): bigint =>
  items.reduce((sum, each) => (each.token === token ? sum + each.amount : sum), 0n)

/** What amounts are worth in dollars; null for TOK without a price. */
export function computeUsd(tokWei: bigint, usdcUnits: bigint, usdPerTok: number | null): number | null {
  if (tokWei > 0n && usdPerTok === null) return null
  return (Number(tokWei / 10n ** 12n) / 1e6) * (usdPerTok ?? 0) + Number(usdcUnits) / 1e6
}

const tok = (what: Purpose, amount: bigint): Item => ({ what, amount, token: 'tok' })
const usdc = (what: Purpose, amount: bigint): Item => ({ what, amount, token: 'usdc' })

/** The quote, and never more than the limit in the bytes. Without a quote, the limit. */
function readPrice(maxUsdc: bigint, { prepared: { swap } }: TotalFacts): bigint {
  const quote = swap?.side === 'buy' ? BigInt(swap.quoteUsdc) : maxUsdc
  return quote < maxUsdc ? quote : maxUsdc
}

/** How each cost is shown, by how its description starts. The rest does not leave the wallet. */
const costs: readonly (readonly [start: string, what: Purpose])[] = [
  ['Access fee', 'fee'],
  ['Exit deposit', 'hold'],
  ['Stake from your wallet', 'stake'],
  ['From your wallet', 'other'],
]

/** What money that leaves the wallet besides fee, hold and stake is for. */
const destinations: Readonly<Record<string, Purpose>> = {
  'post-task': 'locked',
  'create-task': 'locked',
  'fund-task': 'locked',
  'top-up': 'deposit',
  stake: 'union',
  'register-arbitrator': 'bond',
  'buy-plan': 'plan',
}

/** What an action takes from the wallet: its costs, and what the bytes allow beyond them. */
function listOwn({ name, action, input, approvals }: DecodedCalls, { prepared }: TotalFacts): Item[] {
  const destination = destinations[name] ?? 'other'
  const items = prepared.costs.flatMap(({ what, amount }): Item[] => {
    const kind = costs.find(([start]) => what.startsWith(start))?.[1]
    const money = parseMoney(amount)
    return kind && money ? [{ what: kind === 'other' ? destination : kind, ...money }] : []
  })
  const pays = action.pays?.(input) ?? {}
  const least = { tok: pays.tokWei ?? 0n, usdc: pays.usdc?.amount ?? 0n }
  for (const token of ['tok', 'usdc'] as const) {
    const allowed = approvals.reduce((sum, each) => (each.token === token ? sum + each.amount : sum), 0n)
    const most = allowed > least[token] ? allowed : least[token]
    const missing = most - sumOf(items, token)
    if (missing > 0n) items.push({ what: destination, amount: missing, token })
  }
  return items
}

/** Takes TOK that is bought with the batch out of what leaves the wallet: it never was there. */
function takeTok(items: readonly Item[], bought: bigint): Item[] {
  let rest = bought
  return items.map((item) => {
    if (item.token !== 'tok') return item
    const taken = rest < item.amount ? rest : item.amount
    rest -= taken
    return { ...item, amount: item.amount - taken }
  })
}

interface Returns {
  /** Instead of what leaves the wallet: what the deposit pays. */
  now?: Item[]
  back?: Item[]
  isBackUpTo?: boolean
  get?: Item[]
  isGetUpTo?: boolean
  who?: 'you' | 'worker'
}

/** What comes back of an action and what it brings. */
function listReturns(part: DecodedCalls, facts: TotalFacts): Returns {
  const { task, from, prepared } = facts
  const isPoster = isSame(task?.poster, from)
  const amountOf = (index: number | undefined) => BigInt(task?.milestones[index ?? -1]?.amountTokWei ?? 0)
  const gains = listGains(prepared)
  switch (part.name) {
    case 'claim-task':
      return {
        back: [tok('hold', exitDeposit)],
        get: task ? [tok('pay', BigInt(task.totalAmountTokWei) - BigInt(task.releasedTokWei))] : [],
      }
    case 'post-task':
      return { back: [tok('hold', exitDeposit), tok('locked', part.input.fundAmountTokWei)], isBackUpTo: true }
    case 'create-task':
      return { back: [tok('hold', exitDeposit)] }
    case 'fund-task':
      return { back: [tok('locked', part.input.amountTokWei)], isBackUpTo: true }
    case 'submit-proof':
      return {
        back: [tok('hold', exitDeposit)],
        get: [tok('pay', amountOf(Number(part.input.milestone)))],
      }
    case 'accept-milestone':
    case 'release-lapsed': {
      const get = [tok('pay', amountOf(Number(part.input.milestone)))]
      const isWorker = isSame(task?.worker, from)
      return isWorker ? { get: gains } : { back: gains.map((each) => ({ ...each, what: 'hold' })), get, who: 'worker' }
    }
    case 'complete-task': {
      const held = task ? findHeld(task) : 0n
      return { back: gains.map((each) => ({ ...each, what: 'hold' })), get: [tok('pay', held)], who: 'worker' }
    }
    case 'open-dispute': {
      const amount = amountOf(Number(part.input.milestone))
      const share = isPoster ? bps - BigInt(part.input.shareBps) : BigInt(part.input.shareBps)
      const stake = prepared.costs.flatMap(({ what, amount: text }) => {
        const money = what.startsWith('Stake') ? parseMoney(text) : null
        return money ? [{ what: 'stake' as const, ...money }] : []
      })
      return { back: stake, get: [tok('pay', (amount * share) / bps)], isGetUpTo: true }
    }
    case 'resolve-dispute':
      return {
        back: task?.dispute ? [tok('bond', computeJudgeRisk(task.dispute).locked)] : [],
        get: [usdc('ruling', rulingFee)],
      }
    case 'escalate':
      // Before a ruling nobody appeals: the case only goes on to the court.
      return task?.dispute?.phase === 'RULED'
        ? {
            now: [usdc('setAside', appealFee)],
            back: [
              usdc('setAside', appealFee + rulingFee),
              tok('stake', isPoster ? BigInt(task.dispute.stakeTokWei) : 0n),
            ],
            get: [tok('pay', computeWin(task.dispute, isPoster))],
            isGetUpTo: true,
          }
        : {}
    case 'top-up':
      return { back: [usdc('deposit', part.input.amountUsdc)] }
    case 'stake':
      return { back: [tok('union', part.input.amountTokWei)] }
    case 'register-arbitrator':
      return { back: [tok('bond', part.input.amountTokWei)] }
    case 'dismiss-worker': {
      // Under notice, the worker can still earn some of it.
      const held = gains.length > 0 || !task ? 0n : findHeld(task)
      const back = [...gains.map((each) => ({ ...each, what: 'locked' as const })), tok('locked', held)]
      return { back, isBackUpTo: held > 0n }
    }
    case 'cancel-task':
    case 'expire-task':
    case 'leave-task':
      return isPoster ? { back: gains.map((each) => ({ ...each, what: 'locked' })) } : { get: gains }
    case 'buy-tok':
      return { get: [tok('swap', part.input.amountTokWei)] }
    default:
      return { get: gains }
  }
}

/** What is locked for a task, in TOK wei. */
const findHeld = ({ fundedTokWei, releasedTokWei, refundedTokWei }: ReceiptTask): bigint =>
  BigInt(fundedTokWei) - BigInt(releasedTokWei) - BigInt(refundedTokWei)

/** What the court gives the side that wins: of the milestone, and to a worker also what the poster loses of its stake. */
function computeWin(dispute: RuledDispute, isPoster: boolean): bigint {
  const { offerBps, askBps } = dispute
  const pay = computeRulingPay({ ...dispute, phase: 'COURT' }, isPoster ? offerBps : askBps)
  const [amount, stake] = [BigInt(dispute.amountTokWei), BigInt(dispute.stakeTokWei)]
  return isPoster ? pay.toPoster : pay.toWorker + computeLostStake({ amount, gap: computeGap(dispute), stake })
}

/** What the caller's wallet gains by the simulation, and what of the deposit is free again. */
function listGains({ simulation }: TotalFacts['prepared']): Item[] {
  if (simulation.status !== 'succeeds') return []
  return simulation.changes.flatMap(({ what, change }): Item[] => {
    if (change.startsWith('-')) return []
    if (what === 'TOK in the wallet') return [tok('other', BigInt(change))]
    return what === 'USDC in the wallet' ? [usdc('other', BigInt(change))] : []
  })
}

function parseMoney(text: string): { amount: bigint; token: Token } | null {
  for (const token of ['tok', 'usdc'] as const) {
    if (!text.endsWith(token.toUpperCase())) continue
    const amount = parseAmount(text, token)
    return formatAmount(amount, token) === text ? { amount, token } : null
  }
  return null
}

const isSame = (a: string | null | undefined, b: string) => a?.toLowerCase() === b.toLowerCase()
