import type { Address } from 'viem'
import type { AnyAction } from './action.ts'
import { exitPenalty, panelSizes, taskReserve } from './amounts.ts'
import { appealBond, type DisputeTransition, disputes } from './disputes.ts'
import { lifecycle, type Transition } from './lifecycle.ts'

/** What an action takes from its caller. TOK in wei, USDC in its units. */
export interface Cost {
  /** The access fee is due: 1,000 TOK, or one Action Credit. */
  fee: boolean
  /** TOK that leaves the wallet besides the fee. */
  tokWei: bigint
  /** USDC that leaves the wallet. */
  usdc: bigint
  /** Of the deposit: what the task reserves more of it, at most. */
  reserveUsdc: bigint
  /** Of the deposit: what goes to the other side or the treasury, at most. */
  penaltyUsdc: bigint
}

/** The rows an action can go by: those of its operation. None for a wallet's own business. */
export function rowsOf({ operation }: AnyAction): readonly (Transition | DisputeTransition)[] {
  if (!operation) return []
  return 'task' in operation
    ? lifecycle.filter((row) => row.operation === operation.task)
    : disputes.filter((row) => row.operation === operation.dispute)
}

/**
 * What an action takes from `from`. The row it goes by decides, where a task was looked at (see `nextSteps`); without one it
 * is the most that the operation takes. `tier` is the dispute's; the last one that can be appealed has the dearest appeal.
 * `reserved` is what the task already reserves of the caller's deposit.
 */
export function costOf(
  action: AnyAction,
  input: unknown,
  {
    from,
    row,
    tier = panelSizes.length - 2,
    reserved = 0n,
  }: { from: Address; row?: Transition | DisputeTransition; tier?: number; reserved?: bigint },
): Cost {
  const side = typeof action.as === 'function' ? action.as(input, from) : action.as
  const paid = action.pays?.(input) ?? {}
  const rows = (row ? [row] : rowsOf(action)).map(({ money }) => {
    const due = money.filter((move) => 'of' in move && move.of === side)
    return {
      fee: due.some(({ move }) => move === 'fee'),
      reserve: due.some(({ move }) => move === 'reserve'),
      appeal: money.some(({ move }) => move === 'reserve appeal bond'),
      penalties: due.filter(({ move }) => move === 'penalty').length,
    }
  })
  return {
    fee: rows.some(({ fee }) => fee),
    tokWei: paid.tokWei ?? 0n,
    usdc: paid.usdc?.amount ?? 0n,
    reserveUsdc:
      (rows.some(({ reserve }) => reserve) ? taskReserve - reserved : 0n) +
      (rows.some(({ appeal }) => appeal) ? appealBond(tier) : 0n),
    penaltyUsdc: BigInt(Math.max(0, ...rows.map(({ penalties }) => penalties))) * exitPenalty,
  }
}
