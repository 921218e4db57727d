import { exitDeposit, taskReserve } from '@svc/protocol'
import type { Price } from '@svc/protocol/internal/actions'
import { bps, formatShortAmount, openerStakeBps, rulingFee, settlementBps } from '@svc/protocol/internal/money'
import { formatWhole } from '../../text/amounts.ts'
import { spellDuration } from '../../text/duration.ts'
import { feesText } from '../../text/fees.ts'

const text = feesText.ways

/** Finds what an entry takes and locks. It is the same for both sides of every task. */
export function findEntryPrice(table: readonly Price[]): Price {
  const price = table.find(({ action, side }) => action === 'claim-task' && side === 'worker')
  if (!price) throw new RangeError('The price table has no row for a claim.')
  return price
}

/** What an end costs: USDC of the reserve, TOK, and a share of the milestone. */
export interface Loss {
  usdc?: bigint
  tok?: bigint
  /** Of the milestone, in basis points. */
  share?: bigint
  /** Whether the share is the most that it can be. */
  isUpTo?: boolean
}

/** One end of a task for one side. */
export interface WayOut {
  what: string
  loss: Loss
  /** Whether it is about a row of the price table. A dispute has none, because its costs depend on the ruling. */
  isAbout: (price: Price) => boolean
}

/** Lists what each end costs a side, from the price table where it knows the end. */
export function listWaysOut(table: readonly Price[], side: Price['side'], vetWindow: number): WayOut[] {
  const prices = table.filter((price) => price.side === side)
  const priced = (what: string, isRow: (price: Price) => boolean): WayOut => {
    const price = prices.find(isRow)
    if (!price) throw new RangeError(`The price table has no row for "${what}".`)
    const { lostTokWei, penaltyUsdc } = price
    const loss = { ...(lostTokWei > 0n && { tok: lostTokWei }), ...(penaltyUsdc > 0n && { usdc: penaltyUsdc }) }
    return { what, loss, isAbout: (price) => price.side === side && isRow(price) }
  }
  const disputed = (what: string, loss: Loss): WayOut => ({ what, loss, isAbout: () => false })
  const isPaid = ({ action }: Price) => ['accept-milestone', 'complete-task', 'release-lapsed'].includes(action)
  const isNotice = (when: Price['when']) => when === 'nothing is in review, under notice'
  const isDismissal = (state: Price['from']) => (price: Price) =>
    price.action === 'dismiss-worker' && price.from === state
  return side === 'worker'
    ? [
        priced(text.deliver, isPaid),
        priced(text.leave, ({ action }) => action === 'leave-task'),
        priced(text.miss, ({ action, from, when }) => action === 'expire-task' && from === 'ACTIVE' && !isNotice(when)),
        priced(text.stop, ({ when }) => isNotice(when)),
        disputed(text.giveUp, { usdc: rulingFee, tok: exitDeposit }),
        disputed(text.loseWork, { usdc: taskReserve, tok: exitDeposit }),
      ]
    : [
        priced(text.payGood, isPaid),
        priced(text.dismissEarly(spellDuration(vetWindow)), isDismissal('CLAIMED')),
        priced(text.dismissLate, isDismissal('ACTIVE')),
        priced(text.silent, ({ when }) => when === 'not funded when claimed'),
        disputed(text.concede, { share: settlementBps }),
        disputed(text.losePost, { usdc: taskReserve, tok: exitDeposit, share: openerStakeBps, isUpTo: true }),
      ]
}

/** Formats a share in basis points: "12.5 %". */
export const formatFeeShare = (part: bigint) => `${Number((part * 1_000n) / bps) / 10} %`

/** Formats what an end costs: "1,000 TOK + 2.50 USDC". */
export function formatLoss({ usdc, tok, share, isUpTo = false }: Loss): string {
  const parts = [
    tok !== undefined && formatShortAmount(tok, 'tok'),
    usdc !== undefined && formatWhole(usdc, 'usdc'),
    share !== undefined && text.ofMilestone(formatFeeShare(share), isUpTo),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' + ') : text.nothing
}
