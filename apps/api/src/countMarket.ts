import type { EventJson } from '@svc/operations'
import { computeMedian } from '@svc/protocol/internal/fold'

/** Newest events of one market, each kind in the order of the chain. */
export interface CountedEvents {
  payments: readonly EventJson[]
  deliveries: readonly EventJson[]
  disputes: readonly EventJson[]
}

/** Counts what was paid, how long it took after the last delivery, and how many delivered tasks were disputed. */
export function countMarket({ payments, deliveries, disputes }: CountedEvents) {
  const waits = payments.flatMap((paid) => {
    const last = deliveries.findLast((each) => each.taskId === paid.taskId && each.timestamp <= paid.timestamp)
    return last ? [paid.timestamp - last.timestamp] : []
  })
  const delivered = new Set(deliveries.map(({ taskId }) => taskId))
  const disputed = new Set(disputes.map(({ taskId }) => taskId))
  return {
    payments: payments.length,
    paidTokWei: String(payments.reduce((sum, { args }) => sum + BigInt(`${args.amount}`), 0n)),
    since: payments[0]?.timestamp ?? null,
    wait: computeMedian(waits),
    deliveredTasks: delivered.size,
    disputedTasks: [...delivered].filter((each) => disputed.has(each)).length,
  }
}
