import type { Market } from '@svc/protocol'
import type { MarketEvent } from '@svc/protocol/fold'
import { applyDispute, applyTask, completeEvent, type FoldedTask } from '@svc/protocol/internal/fold'
import type { DisputeRecord, TaskRecord } from '@svc/protocol/records'

/** Where an index says that a task has events. It is a hint: the events themselves are read from the chain. */
export interface TimelineHint {
  /** Numbers of blocks, in any order. */
  blocks: readonly bigint[]
  /** The block that the index had reached. Later events are searched for. */
  upTo: bigint
}

/** Asks an index where a task has events; null if it does not know. */
export type FindTimeline = (market: Market, number: bigint) => Promise<TimelineHint | null>

/** More ranges are not read for a hint: whoever answers could make up any number. */
export const maxHintedRanges = 500

/** Groups blocks to ranges of at most `width` blocks, each as long as the blocks in it need. */
export function groupBlocks(blocks: readonly bigint[], width: number): { from: bigint; to: bigint }[] {
  const ranges: { from: bigint; to: bigint }[] = []
  for (const block of [...new Set(blocks)].sort((a, b) => (a < b ? -1 : 1))) {
    const last = ranges.at(-1)
    if (last && block - last.from < width) last.to = block
    else ranges.push({ from: block, to: block })
  }
  return ranges
}

/**
 * Whether events lead to the state that the chain has. Says no if one is missing that changed the task or its dispute, so an
 * index cannot hide a delivery, a request for changes or the first word of a party.
 */
export function matchesState(
  { task, dispute }: { task: TaskRecord; dispute: DisputeRecord | null },
  events: readonly MarketEvent[],
): boolean {
  try {
    const folded = foldEvents(events)
    return (
      folded.task !== null &&
      pick(folded.task, taskFields) === pick(task, taskFields) &&
      (dispute === null) === (folded.dispute === null) &&
      pick(folded.dispute, disputeFields) === pick(dispute, disputeFields)
    )
  } catch {
    // An event without the one before it, which created what it changes.
    return false
  }
}

function foldEvents(events: readonly MarketEvent[]) {
  let task: FoldedTask | null = null
  let dispute: DisputeRecord | null = null
  for (const event of events) {
    if (event.kind.startsWith('reputationRegistry.')) continue
    const entity: FoldedTask | DisputeRecord | null = event.kind === 'arbitration.CaseOpened' ? task : dispute
    const complete = completeEvent(event, () => entity)
    if (event.kind.startsWith('arbitration.')) dispute = applyDispute(dispute, complete)
    task = applyTask(task, complete)
  }
  return { task, dispute }
}

const taskFields = ['state', 'worker', 'current', 'revisions', 'funded', 'released', 'refunded', 'reviewEnd'] as const
const disputeFields = ['phase', 'posterSpoke', 'workerSpoke', 'offerBps', 'askBps', 'judge'] as const

const pick = <T extends object>(record: T | null, fields: readonly (keyof T)[]): string =>
  fields.map((field) => String(record?.[field])).join(' ')
