import type { TaskDetailJson } from '@svc/client'

/** One delivery of a milestone, as the chain knows it. */
export interface Delivery {
  /** From 0. */
  milestone: number
  /** From 1: how often this milestone was delivered. */
  version: number
  at: number
  proofHash: string
  transactionHash: string
  /** What the store signed for; null without a receipt. */
  receipt: { size: number; until: number } | null
  /** What became of it. */
  outcome: 'review' | 'changes' | 'paid' | 'disputed' | 'replaced' | 'ended'
}

/** Lists the deliveries of a task from its events, the newest first. */
export function listDeliveries({
  timeline,
  state,
}: Pick<TaskDetailJson, 'state'> & {
  timeline: readonly Pick<TaskDetailJson['timeline'][number], 'event' | 'args' | 'timestamp' | 'transactionHash'>[]
}): Delivery[] {
  const deliveries: Delivery[] = []
  const settle = (outcome: Delivery['outcome']) => {
    const last = deliveries.at(-1)
    if (last?.outcome === 'review' || last?.outcome === 'disputed') last.outcome = outcome
  }
  for (const { event, args, timestamp, transactionHash } of timeline) {
    switch (event) {
      case 'MilestoneDelivered': {
        settle('replaced')
        const milestone = Number(args.milestone)
        const version = 1 + deliveries.filter((each) => each.milestone === milestone).length
        const proofHash = String(args.proofHash)
        deliveries.push({
          milestone,
          version,
          at: timestamp,
          proofHash,
          transactionHash,
          receipt: null,
          outcome: 'review',
        })
        break
      }
      case 'DeliveryReceipted': {
        const last = deliveries.at(-1)
        if (last) last.receipt = { size: Number(args.size), until: Number(args.until) }
        break
      }
      case 'RevisionRequested':
        settle('changes')
        break
      case 'MilestoneReleased':
      case 'TaskCompleted':
        settle('paid')
        break
      case 'DisputeOpened':
        settle('disputed')
        break
      default:
        break
    }
  }
  if (state !== 'ACTIVE' && state !== 'DISPUTED') settle('ended')
  return deliveries.reverse()
}
