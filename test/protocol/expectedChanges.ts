import { accessFee, bps, disputeFee, exitPenalty, taskReserve } from '@svc/protocol'
import type { TaskContext } from '@svc/protocol/actions'
import { computeAppealBond, type DisputeTransition, onEnter, type Transition } from '@svc/protocol/lifecycle'

/** The changes for a party: TOK in the wallet, USDC in the deposit, and the reserve of the task. */
export interface Change {
  tok: bigint
  deposit: bigint
  reserve: bigint
}

type Side = 'poster' | 'worker'

/** Computes the changes that a table row means for both parties. `reserves` are those before. */
export function computeExpectedChanges(
  row: Transition | DisputeTransition,
  context: TaskContext,
  {
    amounts,
    held,
    input,
    reserves,
    caller,
  }: {
    amounts: readonly bigint[]
    held: bigint
    input: Record<string, unknown>
    reserves: Record<Side, bigint>
    caller: Side | null
  },
): Record<Side, Change> {
  const changes = { poster: { tok: 0n, deposit: 0n, reserve: 0n }, worker: { tok: 0n, deposit: 0n, reserve: 0n } }
  const { task, dispute } = context
  const milestone = amounts[task.current] ?? 0n
  let rest = held
  const pay = (amount: bigint) => {
    changes.worker.tok += amount
    rest -= amount
  }
  const lose = (side: Side, amount: bigint) => {
    changes[side].deposit -= amount
    changes[side].reserve -= amount
  }
  const empty = (side: Side) => {
    changes[side].reserve = -reserves[side]
  }
  const end = () => {
    empty('worker')
    empty('poster')
    changes.poster.tok += rest
  }
  const share = () => (input.workerBps as bigint | undefined) ?? 0n

  for (const move of row.money) {
    switch (move.move) {
      case 'fee':
        changes[move.of].tok -= accessFee
        break
      case 'reserve':
        changes[move.of].reserve = taskReserve - reserves[move.of]
        break
      case 'penalty':
        lose(move.of, exitPenalty)
        if (move.to !== 'treasury') changes[move.to].deposit += exitPenalty
        break
      case 'penalty for missing funds':
        if (task.funded < task.total) {
          lose('poster', exitPenalty)
          changes.worker.deposit += exitPenalty
        }
        break
      case 'fund':
        changes.poster.tok -= (input.amountTokWei ?? input.fundAmountTokWei) as bigint
        break
      case 'pay':
        if (move.what === 'milestone') pay(milestone)
        if (move.what === 'held') pay(held)
        if (move.what === 'share of held') pay((held * share()) / bps)
        break
      case 'reserve appeal bond':
        if (caller) changes[caller].reserve += computeAppealBond(dispute?.tier ?? 0)
        break
      case 'collect': {
        // Without a bench, there is no fee.
        const ruling = dispute?.workerBps ?? 0n
        if (dispute?.panel.length) {
          if (ruling < bps) lose('worker', ruling === 0n ? disputeFee : disputeFee / 2n)
          if (ruling > 0n) lose('poster', ruling === bps ? disputeFee : disputeFee / 2n)
        }
        break
      }
      case 'settle task': {
        const spoke = dispute?.posterSpoke === dispute?.workerSpoke ? bps / 2n : dispute?.workerSpoke ? bps : 0n
        pay((milestone * (dispute?.phase === 'RULED' ? dispute.workerBps : spoke)) / bps)
        end()
        break
      }
      default:
        break
    }
  }
  const to = typeof row.to === 'string' ? row.to : row.to[task.scope]
  for (const arrival of onEnter[to as Transition['from']] ?? []) {
    if (arrival === 'let worker go') empty('worker')
    if (arrival === 'free poster') empty('poster')
    if (arrival === 'refund held') changes.poster.tok += rest
  }
  return changes
}
