import { type Address, getAddress } from 'viem'
import type * as z from 'zod/mini'
import {
  accessFee,
  actionCredit,
  appealFee,
  bps,
  computeLostStake,
  computeOpenerStake,
  entryDeposit,
  exitDeposit,
  lapsePenalty,
  rulingFee,
  settlementBps,
  taskReserve,
} from '../money/amounts.ts'
import { type DisputeTransition, disputes } from '../tasks/disputes.ts'
import { lifecycle, onEnter, type Transition } from '../tasks/lifecycle.ts'
import type { TaskScope } from '../tasks/states.ts'
import type { TaskContext } from '../tasks/taskContext.ts'
import type { Action, AnyAction, InputSchema } from './action.ts'

/** What an action takes from its caller. TOK in wei, USDC in its units. */
export interface Cost {
  /** Whether the access fee is due: 1,000 TOK, or one Action Credit. */
  fee: boolean
  /** TOK that leaves the wallet besides the fee and what is locked. */
  tokWei: bigint
  /** TOK that leaves the wallet as an exit deposit. It comes back unless the party leaves, dismisses or misses a duty. */
  exitDepositTokWei: bigint
  /** TOK that leaves the wallet as the stake of a poster that opens a dispute. */
  stakeTokWei: bigint
  /** TOK that was locked before and is lost now: an exit deposit or a part of a stake, at most. */
  lostTokWei: bigint
  /** USDC that leaves the wallet. */
  usdc: bigint
  /** How much more of the deposit the task reserves, at most. */
  reserveUsdc: bigint
  /** How much of the deposit goes to the other side, the judge, the court or the treasury, at most. */
  penaltyUsdc: bigint
}

/** Lists the transitions that an action can take: those of its operation. Empty for actions that concern no task. */
export function listTransitions({ operation }: AnyAction): readonly (Transition | DisputeTransition)[] {
  if (!operation) return []
  return 'task' in operation
    ? lifecycle.filter((row) => row.operation === operation.task)
    : disputes.filter((row) => row.operation === operation.dispute)
}

/** What a row of the lifecycle makes the arbitration contract do, by its effect. */
const caseOperations: Readonly<Record<string, string>> = { 'concede case': 'concede', 'abandon case': 'abandon' }

/** Finds what a row of the lifecycle makes the arbitration contract do. */
export function findCaseOperation({ effects }: Transition | DisputeTransition): string | undefined {
  return effects.map((effect) => caseOperations[effect]).find((operation) => operation !== undefined)
}

/**
 * Computes what an action takes from `from`. If a task was read, pass its context and the transition (see `listNextSteps`),
 * with the row of the dispute table that the transition takes too.
 * Without them the result is the most that the operation takes, except for the stake of a dispute: that depends on the task.
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
    caseRow,
    context,
  }: { from: Address; row?: Transition | DisputeTransition; caseRow?: DisputeTransition; context?: TaskContext },
): Cost {
  const side = action.side ?? action.sideFor?.(input, from) ?? findSide(from, context)
  const paid = action.pays?.(input) ?? {}
  const rows = (row ? [row] : listTransitions(action)).flatMap((each) => {
    const operation = findCaseOperation(each)
    const caseRows = caseRow ? [caseRow] : disputes.filter((other) => other.operation === operation)
    return [undefined, ...caseRows].map((other) => computeRowCost(each, side, context?.task, context?.dispute, other))
  })
  const most = (pick: (cost: RowCost) => bigint) => rows.map(pick).reduce((a, b) => (a > b ? a : b), 0n)
  return {
    fee: rows.some(({ fee }) => fee),
    tokWei: paid.tokWei ?? 0n,
    exitDepositTokWei: most((cost) => cost.exitDepositTokWei),
    stakeTokWei: most((cost) => cost.stakeTokWei),
    lostTokWei: most((cost) => cost.lostTokWei),
    usdc: paid.usdc?.amount ?? 0n,
    reserveUsdc: most((cost) => cost.reserveUsdc),
    penaltyUsdc: most((cost) => cost.penaltyUsdc),
  }
}

/**
 * Computes how much TOK an action takes from the wallet in all. A whole Action Credit pays the access fee, never an exit
 * deposit or a stake.
 *
 * @example
 * ```ts
 * const needed = computeWalletTok(cost, { credits: 0n })
 * ```
 */
export function computeWalletTok(cost: Cost, { credits }: { credits: bigint }): bigint {
  const fee = cost.fee && credits < actionCredit ? accessFee : 0n
  return cost.tokWei + cost.exitDepositTokWei + cost.stakeTokWei + fee
}

export type Side = 'poster' | 'worker'
type RowCost = Omit<Cost, 'tokWei' | 'usdc'>

function findSide(from: Address, context: TaskContext | undefined): Side | null {
  const wallet = getAddress(from)
  if (wallet === context?.task.poster) return 'poster'
  return wallet === context?.task.worker ? 'worker' : null
}

/** Computes what one row of a table takes from a side. Amounts that depend on an unknown task or dispute are the most or zero. */
export function computeRowCost(
  row: Transition | DisputeTransition,
  side: Side | null,
  task?: Pick<TaskContext['task'], 'amount' | 'posterReserve' | 'scope'>,
  dispute?: TaskContext['dispute'],
  caseRow?: DisputeTransition,
): RowCost {
  const cost: RowCost = {
    fee: false,
    exitDepositTokWei: 0n,
    stakeTokWei: 0n,
    lostTokWei: 0n,
    reserveUsdc: 0n,
    penaltyUsdc: 0n,
  }
  const { amount = 0n, posterReserve = 0n } = task ?? {}
  const missingReserve = taskReserve - (side === 'poster' ? posterReserve : 0n)
  const isPoster = side === 'poster'
  // A case that nobody has yet has nobody to pay.
  const isSeated = !dispute || dispute.judge !== null || dispute.phase === 'COURT'
  const seatedFee = isSeated ? rulingFee : 0n
  const stake = dispute?.openedByPoster === false ? 0n : computeOpenerStake(amount)
  const { offerBps = 0n, askBps = bps } = dispute ?? {}
  const gap = (amount * (askBps - offerBps)) / bps

  for (const move of [...row.money, ...(caseRow?.money ?? [])]) {
    if ('of' in move && move.of !== side) continue
    switch (move.move) {
      case 'fee':
        cost.fee = true
        break
      case 'reserve':
        cost.reserveUsdc = missingReserve
        break
      case 'lock exit deposit':
        cost.exitDepositTokWei = exitDeposit
        break
      case 'spend exit deposit':
        cost.lostTokWei = exitDeposit
        break
      case 'forfeit':
        cost.lostTokWei = exitDeposit
        cost.penaltyUsdc += lapsePenalty
        break
      case 'reserve appeal fee':
        cost.reserveUsdc = appealFee
        break
      case 'pay seated':
        if (side && move.from === 'both') cost.penaltyUsdc += seatedFee / 2n
        else if (isPoster) cost.penaltyUsdc += seatedFee
        break
      case 'pay worker':
        if (isPoster) cost.penaltyUsdc += appealFee
        break
      case 'worker gives up':
        if (side === 'worker') cost.penaltyUsdc += rulingFee
        break
      case 'return stake':
        if (!isPoster) break
        if (move.less === 'settlement' && stake > 0n) cost.lostTokWei += (amount * settlementBps) / bps
        if (move.less === 'what a loser loses') cost.lostTokWei += computeLostStake({ amount, gap, stake })
        break
      case 'settle task':
        if (side !== null && move.forfeits === side) cost.lostTokWei += exitDeposit
        break
      default:
        break
    }
  }
  const effects: readonly string[] = row.effects
  if (isPoster && effects.includes('open case')) {
    cost.stakeTokWei = computeOpenerStake(amount)
    cost.reserveUsdc = missingReserve
  }
  if (isPoster && effects.includes('raise reserve')) cost.reserveUsdc = entryDeposit - posterReserve
  // A poster that keeps an open task locks a new exit deposit.
  if (isPoster && cost.lostTokWei > 0n && restoresPoster(row, task?.scope)) cost.exitDepositTokWei += exitDeposit
  return cost
}

function restoresPoster({ to }: Transition | DisputeTransition, scope: TaskScope = 'OPEN'): boolean {
  const next = typeof to === 'string' ? to : to[scope]
  return (onEnter as Readonly<Record<string, readonly string[]>>)[next]?.includes('restore poster') ?? false
}
