import type { PreparedJson } from '@svc/operations'
import { formatAmount, parseAmount, type Token } from '@svc/protocol'
import { findAction } from '@svc/protocol/actions'
import { actionText } from '../text/signing.ts'
import { shortenAddress } from '../ui/Address.tsx'
import { formatShort } from '../ui/Amount.tsx'

const words = actionText.money

/** What happens to an amount of the user. */
type Fate = 'pay' | 'lock' | 'receive' | 'lose'

/** One line of a receipt. Without an amount, `text` says how much: credits, or what could not be parsed. */
export interface MoneyLine {
  fate: Fate
  what: string
  says?: string | undefined
  text: string
  money: { amount: bigint; token: Token } | null
  /** Whether it leaves the wallet with this signature. What a deposit reserves does not. */
  isFromWallet: boolean
  isAtMost: boolean
}

/** What would change for somebody else. */
export type OtherLine = Extract<PreparedJson['simulation'], { status: 'succeeds' }>['others'][number]

/** Where the money of an action goes that leaves the wallet besides fees and deposits. */
const destinations: Readonly<Record<string, readonly [Fate, string]>> = {
  'post-task': ['lock', words.escrow],
  'create-task': ['lock', words.escrow],
  'fund-task': ['lock', words.escrow],
  'top-up': ['lock', words.deposit],
  'emergency-top-up': ['pay', words.depositOfOther],
  stake: ['lock', words.stake],
  'register-arbitrator': ['lock', words.bond],
  'buy-plan': ['pay', words.plan],
}

/** How each cost of `describeCosts` is shown, by how its description starts. */
const kinds: readonly (readonly [start: string, fate: Fate, what: string, says?: string])[] = [
  ['Access fee', 'pay', words.fee],
  ['Exit deposit', 'lock', words.exitDeposit, words.exitDepositSays],
  ['Stake from your wallet', 'lock', words.disputeStake, words.disputeStakeSays],
  ['Lost of what you locked', 'lose', words.lost],
  ['Reserved from your deposit', 'lock', words.reserve, words.reserveSays],
  ['Penalty', 'lose', words.penalty],
]

/** Lists what an action takes from the user and what it brings, in the order of a receipt. */
export function listMoneyLines({ action, costs, simulation }: PreparedJson): MoneyLine[] {
  const lines = costs.map(({ what, amount }): MoneyLine => {
    const kind = kinds.find(([start]) => what.startsWith(start))
    const [fate, label, says] = kind
      ? [kind[1], kind[2], kind[3]]
      : what === 'From your wallet'
        ? [...(destinations[action] ?? (['pay', words.wallet] as const)), undefined]
        : (['pay', what] as const)
    return {
      fate,
      what: label,
      says,
      text: amount,
      money: parseMoney(amount),
      isFromWallet: fate === 'pay' || (fate === 'lock' && !what.startsWith('Reserved')),
      isAtMost: what.endsWith('at most'),
    }
  })
  const gains =
    simulation.status === 'succeeds' ? simulation.changes.filter(({ change }) => !change.startsWith('-')) : []
  for (const { what, change, words: text } of gains) {
    // A top-up is shown as money that the user locks.
    if (what === 'deposit' || (what === 'deposit not reserved' && action === 'top-up')) continue
    const isOwn = what !== 'deposit not reserved'
    const token = what === 'TOK in the wallet' ? 'tok' : what === 'Action Credits' ? null : 'usdc'
    lines.push({
      fate: 'receive',
      what: isOwn ? what : words.depositBack,
      text: text.replace(/^\+/, ''),
      money: token && { amount: BigInt(change), token },
      isFromWallet: false,
      isAtMost: false,
    })
  }
  const order: readonly Fate[] = ['pay', 'lock', 'receive', 'lose']
  return lines.toSorted((a, b) => order.indexOf(a.fate) - order.indexOf(b.fate))
}

/** Lists what moves for others. */
export const listOthers = ({ simulation }: PreparedJson): readonly OtherLine[] =>
  simulation.status === 'succeeds' ? simulation.others : []

/** What the button says after "Sign": the amount that moves, or the verb of the action. */
export function describeSignature(all: readonly PreparedJson[]): string {
  const lines = all.flatMap(listMoneyLines)
  const [pays, locks] = (['pay', 'lock'] as const).map((fate) =>
    sum(lines.filter((line) => line.isFromWallet && line.fate === fate)),
  )
  const own = [pays && actionText.signPay(pays), locks && actionText.signLock(locks)].filter(Boolean)
  if (own.length > 0) return own.join(actionText.and)
  const last = all.at(-1)
  const paid = last ? findPayout(listOthers(last)) : null
  if (paid) return actionText.signPay(formatShort(paid.amount, 'tok'))
  const gains = sum(lines.filter(({ fate, what }) => fate === 'receive' && what !== words.depositBack))
  if (gains) return actionText.signReceive(gains)
  return lowerFirst(findAction(last?.action ?? '')?.verb ?? last?.title ?? '')
}

/** Says what an action brought, once it is done. Null if it moved no money to anybody. */
export function describeOutcome(prepared: PreparedJson): string | null {
  const paid = findPayout(listOthers(prepared))
  if (paid) {
    const who = paid.who === 'worker' ? shortenAddress(paid.address) : paid.who
    return actionText.outcomeOther(formatShort(paid.amount, 'tok'), who)
  }
  const gains = sum(
    listMoneyLines(prepared).filter(({ fate, what }) => fate === 'receive' && what !== words.depositBack),
  )
  return gains ? actionText.outcomeOwn(gains) : null
}

/** Finds what escrow pays to the worker. A worker can get an exit deposit back besides, which is not pay. */
function findPayout(others: readonly OtherLine[]): { who: OtherLine['who']; address: string; amount: bigint } | null {
  const held = others.find(({ who }) => who === 'escrow of the task')
  const payee = others.find(
    ({ who, what, change }) =>
      (who === 'worker' || who === 'payouts to withdraw') && what === 'TOK' && !change.startsWith('-'),
  )
  if (!payee || !held?.change.startsWith('-')) return null
  const [released, gained] = [-BigInt(held.change), BigInt(payee.change)]
  return { who: payee.who, address: payee.address, amount: released < gained ? released : gained }
}

/** Adds up amounts by token: "1,000 TOK and 25.00 USDC". Empty if there is none. */
function sum(lines: readonly MoneyLine[]): string {
  return (['tok', 'usdc'] as const)
    .map((token) => ({
      token,
      total: lines.reduce((all, { money }) => all + (money?.token === token ? money.amount : 0n), 0n),
    }))
    .filter(({ total }) => total > 0n)
    .map(({ token, total }) => formatShort(total, token))
    .join(actionText.and)
}

function parseMoney(text: string): MoneyLine['money'] {
  for (const token of ['tok', 'usdc'] as const) {
    if (!text.endsWith(token.toUpperCase())) continue
    const amount = parseAmount(text, token)
    return formatAmount(amount, token) === text ? { amount, token } : null
  }
  return null
}

/** "Submit work" becomes "submit work"; an abbreviation stays. */
export const lowerFirst = (verb: string) =>
  /^[A-Z][a-z]/.test(verb) ? verb.charAt(0).toLowerCase() + verb.slice(1) : verb
