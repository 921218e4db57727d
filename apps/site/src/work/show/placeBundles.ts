import type { TaskDetailJson } from '@svc/client'
import type { ExpectedBundle } from '@svc/protocol/work'

/** A bundle and where the chain has its hash. */
export interface PlacedBundle {
  reference: ExpectedBundle
  /** Unix seconds. */
  at: number
  transactionHash: string
}

type Event = Pick<TaskDetailJson['timeline'][number], 'event' | 'args' | 'timestamp' | 'transactionHash'>

/** The events that carry the hash of a bundle, and the name of the hash. */
const carriers: Readonly<Record<string, string>> = {
  MilestoneDelivered: 'proofHash',
  RevisionRequested: 'reasonHash',
  DisputeOpened: 'evidenceHash',
  EvidenceSubmitted: 'evidenceHash',
  Ruled: 'reasonHash',
  Decided: 'reasonHash',
}

/** Finds where the chain has each reference of a task. Both lists are in the order of the chain. */
export function placeBundles(timeline: readonly Event[], references: readonly ExpectedBundle[]): PlacedBundle[] {
  const events = timeline.filter(({ event }) => carriers[event] !== undefined)
  const placed: PlacedBundle[] = []
  let next = 0
  for (const { event, args, timestamp, transactionHash } of events) {
    const reference = references[next]
    if (!reference || args[carriers[event] ?? ''] !== reference.hash) continue
    placed.push({ reference, at: timestamp, transactionHash })
    next += 1
  }
  return placed
}
