import type { Address, Hex } from 'viem'
import type { BundleKind } from './descriptor.ts'
import type { ExpectedBundle } from './open.ts'
import type { BundleSubject } from './seal.ts'

/** An event of a task, as a timeline has it. */
export interface TaskEvent {
  name: string
  args: object
}

export interface ReferenceContext extends Pick<BundleSubject, 'chainId' | 'registry' | 'taskId'> {
  /** The address that decides appeals in this market. */
  finalCourt: Address
}

/** A hash in a timeline and what it stands for. */
export interface TimelineBundle extends Pick<ExpectedBundle, 'hash' | 'kind' | 'milestone' | 'revision' | 'author'> {
  /** The store of the terms has signed for it. Only a delivery can have a receipt. */
  hasReceipt: boolean
  /** Which event of the timeline put it on chain. */
  eventIndex: number
}

/** The same, with everything that the bundle must say about itself. */
export type BundleReference = TimelineBundle & ExpectedBundle

/** The argument of each event that is the hash of a bundle, and the bundle's kind. */
const hashArguments = {
  MilestoneDelivered: ['proofHash', 'delivery'],
  RevisionRequested: ['reasonHash', 'revision'],
  DisputeOpened: ['evidenceHash', 'evidence'],
  EvidenceSubmitted: ['evidenceHash', 'evidence'],
  Ruled: ['reasonHash', 'ruling'],
  Decided: ['reasonHash', 'ruling'],
} as const satisfies Record<string, readonly [keyof Args, BundleKind]>

const isHashEvent = (name: string): name is keyof typeof hashArguments => Object.hasOwn(hashArguments, name)

/**
 * Finds the bundle that a single event puts on chain; null if it puts none. The rest of its subject follows from earlier events:
 * see {@link listBundleReferences}.
 *
 * @example
 * ```ts
 * findEventBundle({ name: 'Ruled', args: { judge, reasonHash } }) // { kind: 'ruling', hash: reasonHash }
 * ```
 */
export function findEventBundle({ name, args }: TaskEvent): Pick<ExpectedBundle, 'kind' | 'hash'> | null {
  if (!isHashEvent(name)) return null
  const [field, kind] = hashArguments[name]
  const hash = readArgs(args)[field]
  return hash ? { kind, hash } : null
}

/**
 * Lists what the hashes of a task stand for, in the order of the chain: each is what {@link openBundle} must find in the
 * bundle. Pass the whole timeline of the task, because revisions and authors follow from earlier events.
 *
 * @example
 * ```ts
 * const { detail } = await reader.getTask('micro', 33n)
 * const [first] = listBundleReferences({ chainId, registry, taskId, finalCourt }, detail.timeline)
 * ```
 */
export function listBundleReferences(
  { chainId, registry, taskId, finalCourt }: ReferenceContext,
  timeline: readonly TaskEvent[],
): BundleReference[] {
  return listTimelineBundles(timeline, finalCourt).map((each) => ({ ...each, chainId, registry, taskId }))
}

/** Lists the hashes in the whole timeline of a task, without the contracts and the task that they belong to. */
export function listTimelineBundles(timeline: readonly TaskEvent[], finalCourt: Address): TimelineBundle[] {
  const references: TimelineBundle[] = []
  // A milestone that was accepted never comes back, so the requests for changes of each one are counted once.
  const revisions = new Map<number, number>()
  let parties: { poster: Address | null; worker: Address | null } = { poster: null, worker: null }
  let disputed = 0
  type Add = (milestone: number, author: Address | null | undefined) => void
  const handlers: Record<string, (args: Args, add: Add) => void> = {
    TaskPosted: ({ poster }) => {
      parties = { ...parties, poster: poster ?? null }
    },
    TaskCreated: ({ poster, worker }) => {
      parties = { poster: poster ?? null, worker: worker ?? null }
    },
    TaskClaimed: ({ worker }) => {
      parties = { ...parties, worker: worker ?? null }
    },
    MilestoneDelivered: ({ milestone = 0 }, add) => add(milestone, parties.worker),
    DeliveryReceipted: ({ milestone = 0 }) => {
      const delivery = references.findLast((each) => each.kind === 'delivery' && each.milestone === milestone)
      if (delivery) delivery.hasReceipt = true
    },
    RevisionRequested: ({ milestone = 0 }, add) => {
      add(milestone, parties.poster)
      revisions.set(milestone, 1 + (revisions.get(milestone) ?? 0))
    },
    DisputeOpened: ({ milestone = 0, opener }, add) => {
      disputed = milestone
      add(milestone, opener)
    },
    EvidenceSubmitted: ({ party }, add) => add(disputed, party),
    Ruled: ({ judge }, add) => add(disputed, judge),
    Decided: (_, add) => add(disputed, finalCourt),
  }
  for (const [eventIndex, event] of timeline.entries()) {
    const bundle = findEventBundle(event)
    handlers[event.name]?.(readArgs(event.args), (milestone, author) => {
      if (!bundle || !author) return
      const revision = revisions.get(milestone) ?? 0
      references.push({ ...bundle, milestone, revision, author, hasReceipt: false, eventIndex })
    })
  }
  return references
}

/** The arguments that matter here. They come from decoded logs, so only numbers need a conversion. */
interface Args extends Partial<Record<'poster' | 'worker' | 'opener' | 'party' | 'judge', Address>> {
  proofHash?: Hex
  reasonHash?: Hex
  evidenceHash?: Hex
  milestone?: number
}

function readArgs(args: object): Args {
  const given: Omit<Args, 'milestone'> & { milestone?: unknown } = args
  const { milestone, ...others } = given
  return milestone === undefined ? others : { ...others, milestone: Number(milestone) }
}
