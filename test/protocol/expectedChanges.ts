import { accessFee, exitDeposit, taskReserve } from '@svc/protocol'
import type { TaskContext } from '@svc/protocol/actions'
import {
  appealFee,
  bps,
  computeLostStake,
  computeOpenerStake,
  courtShareBps,
  lapsePenalty,
  maxCourtShare,
  rulingFee,
} from '@svc/protocol/internal/money'
import { type DisputeTransition, onEnter, type Transition } from '@svc/protocol/lifecycle'

/** The changes for a party: TOK in the wallet, USDC in the deposit, and the reserve of the task. */
export interface Change {
  tok: bigint
  deposit: bigint
  reserve: bigint
}

type Side = 'poster' | 'worker'

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** Computes the changes that a table row means for both parties. `reserves` and `exitDeposits` are those before. */
export function computeExpectedChanges(
  row: Transition | DisputeTransition,
  context: TaskContext,
  {
    amounts,
    held,
    input,
    reserves,
    exitDeposits,
    caller,
  }: {
    amounts: readonly bigint[]
    held: bigint
    input: Record<string, unknown>
    reserves: Record<Side, bigint>
    exitDeposits: Record<Side, bigint>
    caller: Side | null
  },
): Record<Side, Change> {
  const changes = { poster: { tok: 0n, deposit: 0n, reserve: 0n }, worker: { tok: 0n, deposit: 0n, reserve: 0n } }
  const locked = { ...exitDeposits }
  const { task, dispute } = context
  const milestone = amounts[task.current] ?? 0n
  const stake = dispute?.openedByPoster ? computeOpenerStake(milestone) : 0n
  const gap = dispute ? (milestone * (dispute.askBps - dispute.offerBps)) / bps : 0n
  const share = () => (input.workerBps as bigint | undefined) ?? 0n
  // A decision is in the call, a ruling that stands in the dispute.
  const forWorker = row.operation === 'decide' ? Boolean(input.forWorker) : Boolean(dispute?.forWorker)
  const winner: Side = forWorker ? 'worker' : 'poster'
  const loser: Side = forWorker ? 'poster' : 'worker'
  const ruledBps = (forWorker ? dispute?.askBps : dispute?.offerBps) ?? 0n
  let rest = held

  const pay = (amount: bigint) => {
    changes.worker.tok += amount
    rest -= amount
  }
  const lose = (side: Side, amount: bigint) => {
    changes[side].deposit -= amount
    changes[side].reserve -= amount
  }
  const lock = (side: Side) => {
    changes[side].tok -= exitDeposit
    locked[side] += exitDeposit
  }
  const letGo = (side: Side) => {
    changes[side].reserve = -reserves[side]
    changes[side].tok += locked[side]
    locked[side] = 0n
  }

  for (const move of row.money) {
    switch (move.move) {
      case 'fee':
        changes[move.of].tok -= accessFee
        break
      case 'reserve':
        changes[move.of].reserve = taskReserve - reserves[move.of]
        break
      case 'lock exit deposit':
        lock(move.of)
        break
      case 'spend exit deposit':
        locked[move.of] = 0n
        break
      case 'forfeit':
        locked[move.of] = 0n
        lose(move.of, lapsePenalty)
        break
      case 'fund':
        changes.poster.tok -= (input.amountTokWei ?? input.fundAmountTokWei) as bigint
        break
      case 'pay':
        if (move.what === 'milestone') pay(milestone)
        if (move.what === 'held') pay(held)
        if (move.what === 'share of held') pay((held * share()) / bps)
        break
      case 'reserve appeal fee':
        if (caller) changes[caller].reserve += appealFee
        break
      case 'pay appeal fee':
        lose(dispute?.forWorker ? 'poster' : 'worker', appealFee)
        break
      case 'loser pays':
        lose(loser, taskReserve)
        changes[winner].deposit += appealFee + (move.feeTo === 'appellant' ? rulingFee : 0n)
        break
      case 'return stake': {
        const isLost = move.less === 'what a ruling says' && forWorker
        const toWorker = isLost ? computeLostStake({ amount: milestone, gap, stake }) : 0n
        changes.worker.tok += toWorker
        changes.poster.tok += stake - toWorker
        break
      }
      case 'settle task': {
        const courtShare = move.courtShare ? least((gap * courtShareBps) / bps, maxCourtShare) : 0n
        if (move.forfeits) locked[loser] = 0n
        rest -= courtShare
        pay(((milestone - courtShare) * ruledBps) / bps)
        letGo('worker')
        letGo('poster')
        changes.poster.tok += rest
        break
      }
      default:
        break
    }
  }
  if ((row.effects as readonly string[]).includes('open case') && caller === 'poster') {
    changes.poster.tok -= computeOpenerStake(milestone)
    changes.poster.reserve += taskReserve - reserves.poster
  }
  const to = typeof row.to === 'string' ? row.to : row.to[task.scope]
  for (const effect of onEnter[to as Transition['from']] ?? []) {
    if (effect === 'release worker' && task.worker) letGo('worker')
    if (effect === 'release poster') letGo('poster')
    if (effect === 'refund held') changes.poster.tok += rest
    if (effect === 'restore poster') {
      changes.poster.reserve = taskReserve - reserves.poster
      if (locked.poster === 0n) lock('poster')
    }
  }
  return changes
}
