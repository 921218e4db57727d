import type { TaskDetailJson } from '@svc/client'
import type { PlacedBundle } from '../../work/show/placeBundles.ts'

/** One delivery of a milestone, as the chain knows it. */
export interface Delivery {
  /** From 0. */
  milestone: number
  /** From 1: how often this milestone was delivered. */
  version: number
  at: number
  /** What its hash stands for; null if the timeline does not say whose it is. */
  bundle: PlacedBundle | null
  /** The request for changes that answered it. */
  request: PlacedBundle | null
  /** What the store signed for; null without a receipt. */
  receipt: { size: number; until: number } | null
  /** What became of it. */
  outcome: 'review' | 'changes' | 'paid' | 'disputed' | 'replaced' | 'ended'
}

/** Lists the deliveries of a task from its events, the newest first. `bundles` are those of the task. */
export function listDeliveries(
  {
    timeline,
    state,
  }: Pick<TaskDetailJson, 'state'> & {
    timeline: readonly Pick<TaskDetailJson['timeline'][number], 'event' | 'args' | 'timestamp' | 'transactionHash'>[]
  },
  bundles: readonly PlacedBundle[],
): Delivery[] {
  const find = (kind: 'delivery' | 'revision', hash: unknown, transactionHash: string) =>
    bundles.find(
      ({ reference, ...placed }) =>
        reference.kind === kind && reference.hash === hash && placed.transactionHash === transactionHash,
    ) ?? null
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
        const bundle = find('delivery', args.proofHash, transactionHash)
        deliveries.push({
          milestone,
          version,
          at: timestamp,
          bundle,
          request: null,
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
      case 'RevisionRequested': {
        const last = deliveries.at(-1)
        if (last) last.request = find('revision', args.reasonHash, transactionHash)
        settle('changes')
        break
      }
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
