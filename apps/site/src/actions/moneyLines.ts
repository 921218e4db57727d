import type { PreparedJson } from '@svc/operations'
import { formatAmount, parseAmount, type Token } from '@svc/protocol'
import { actionText } from '../text/signing.ts'

const labels = actionText.money

/** What happens to an amount of the user. */
type Fate = 'pay' | 'lock' | 'receive' | 'lose'

/** One line of a receipt. Without an amount, `text` says how much: credits, or what could not be parsed. */
export interface MoneyLine {
  fate: Fate
  what: string
  note?: string | undefined
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
  'post-task': ['lock', labels.escrow],
  'create-task': ['lock', labels.escrow],
  'fund-task': ['lock', labels.escrow],
  'top-up': ['lock', labels.deposit],
  'emergency-top-up': ['pay', labels.depositOfOther],
  stake: ['lock', labels.stake],
  'register-arbitrator': ['lock', labels.bond],
  'buy-plan': ['pay', labels.plan],
  'buy-tok': ['pay', labels.tokBought],
  'sell-tok': ['pay', labels.tokSold],
}

/** How each cost of `describeCosts` is shown, by how its description starts. */
const kinds: readonly (readonly [start: string, fate: Fate, what: string, note?: string])[] = [
  ['Access fee', 'pay', labels.fee],
  ['Exit deposit', 'lock', labels.exitDeposit, labels.exitDepositNote],
  ['Stake from your wallet', 'lock', labels.disputeStake, labels.disputeStakeNote],
  ['Lost of what you locked', 'lose', labels.lost],
  ['Reserved from your deposit', 'lock', labels.reserve, labels.reserveNote],
  ['Penalty', 'lose', labels.penalty],
]

/** Lists what an action takes from the user and what it brings, in the order of a receipt. */
export function listMoneyLines({ action, costs, simulation, parts = [] }: PreparedJson): MoneyLine[] {
  const lines = costs.map(({ what, amount }): MoneyLine => {
    const kind = kinds.find(([start]) => what.startsWith(start))
    const [fate, label, note] = kind
      ? [kind[1], kind[2], kind[3]]
      : what === 'From your wallet'
        ? [...(destinations[action] ?? (['pay', labels.wallet] as const)), undefined]
        : (['pay', what] as const)
    return {
      fate,
      what: label,
      note,
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
    const isToppedUp = action === 'top-up' || parts.some((part) => part.action === 'top-up')
    if (what === 'deposit' || (what === 'deposit not reserved' && isToppedUp)) continue
    const isOwn = what !== 'deposit not reserved'
    const token = what === 'TOK in the wallet' ? 'tok' : what === 'Action Credits' ? null : 'usdc'
    lines.push({
      fate: 'receive',
      what: isOwn ? what : labels.depositBack,
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

function parseMoney(text: string): MoneyLine['money'] {
  for (const token of ['tok', 'usdc'] as const) {
    if (!text.endsWith(token.toUpperCase())) continue
    const amount = parseAmount(text, token)
    return formatAmount(amount, token) === text ? { amount, token } : null
  }
  return null
}
