import type { Address } from 'viem'
import type * as z from 'zod/mini'
import type { Action, AnyAction, InputSchema } from './action.ts'
import { exitPenalty, panelSizes, taskReserve } from './amounts.ts'
import { computeAppealBond, type DisputeTransition, disputes } from './disputes.ts'
import { lifecycle, type Transition } from './lifecycle.ts'

/** What an action takes from its caller. TOK in wei, USDC in its units. */
export interface Cost {
  /** Whether the access fee is due: 1,000 TOK, or one Action Credit. */
  fee: boolean
  /** TOK that leaves the wallet besides the fee. */
  tokWei: bigint
  /** USDC that leaves the wallet. */
  usdc: bigint
  /** How much more of the deposit the task reserves, at most. */
  reserveUsdc: bigint
  /** How much of the deposit goes to the other side or the treasury, at most. */
  penaltyUsdc: bigint
}

/** Lists the transitions that an action can take: those of its operation. Empty for actions that concern no task. */
export function listTransitions({ operation }: AnyAction): readonly (Transition | DisputeTransition)[] {
  if (!operation) return []
  return 'task' in operation
    ? lifecycle.filter((row) => row.operation === operation.task)
    : disputes.filter((row) => row.operation === operation.dispute)
}

/**
 * Computes what an action takes from `from`. If a task was read, its transition decides (see `listNextSteps`); without one the
 * result is the most that the operation takes. `tier` is the dispute's; by default the last one that can be appealed, whose
 * appeal costs most. `reserved` is what the task already reserves of the caller's deposit.
 *
 * @example
 * ```ts
 * const { fee, tokWei } = computeCost(actions['fund-task'], { taskId, amountTokWei: 5n }, { from })
 * ```
 */
export function computeCost<Input extends InputSchema>(
  action: Action<string, Input>,
  input: z.output<Input>,
  {
    from,
    row,
    tier = panelSizes.length - 2,
    reserved = 0n,
  }: { from: Address; row?: Transition | DisputeTransition; tier?: number; reserved?: bigint },
): Cost {
  const side = action.side ?? action.sideFor?.(input, from)
  const paid = action.pays?.(input) ?? {}
  const rows = (row ? [row] : listTransitions(action)).map(({ money }) => {
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
      (rows.some(({ appeal }) => appeal) ? computeAppealBond(tier) : 0n),
    penaltyUsdc: BigInt(Math.max(0, ...rows.map(({ penalties }) => penalties))) * exitPenalty,
  }
}
