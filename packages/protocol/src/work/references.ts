import type { Address } from 'viem'
import * as z from 'zod/mini'
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
): ExpectedBundle[] {
  const references: ExpectedBundle[] = []
  // A milestone that was accepted never comes back, so the requests for changes of each one are counted once.
  const revisions = new Map<number, number>()
  let parties: { poster: Address | null; worker: Address | null } = { poster: null, worker: null }
  let disputed = 0
  const add = (
    kind: ExpectedBundle['kind'],
    hash: ExpectedBundle['hash'],
    milestone: number,
    author: Address | null,
  ) => {
    const revision = revisions.get(milestone) ?? 0
    if (author) references.push({ hash, kind, chainId, registry, taskId, milestone, revision, author })
  }
  const handlers: Record<string, (args: Args) => void> = {
    TaskPosted: ({ poster }) => {
      parties = { ...parties, poster: poster ?? null }
    },
    TaskCreated: ({ poster, worker }) => {
      parties = { poster: poster ?? null, worker: worker ?? null }
    },
    TaskClaimed: ({ worker }) => {
      parties = { ...parties, worker: worker ?? null }
    },
    MilestoneDelivered: ({ milestone = 0, proofHash }) => {
      if (proofHash) add('delivery', proofHash, milestone, parties.worker)
    },
    RevisionRequested: ({ milestone = 0, reasonHash }) => {
      if (reasonHash) add('revision', reasonHash, milestone, parties.poster)
      revisions.set(milestone, 1 + (revisions.get(milestone) ?? 0))
    },
    DisputeOpened: ({ milestone = 0, opener, evidenceHash }) => {
      disputed = milestone
      if (evidenceHash) add('evidence', evidenceHash, milestone, opener ?? null)
    },
    EvidenceSubmitted: ({ party, evidenceHash }) => {
      if (evidenceHash) add('evidence', evidenceHash, disputed, party ?? null)
    },
    Ruled: ({ judge, reasonHash }) => {
      if (reasonHash) add('ruling', reasonHash, disputed, judge ?? null)
    },
    Decided: ({ reasonHash }) => {
      if (reasonHash) add('ruling', reasonHash, disputed, finalCourt)
    },
  }
  for (const { name, args } of timeline) handlers[name]?.(eventArgs.parse(args))
  return references
}

const hash = z.custom<`0x${string}`>()
const wallet = z.custom<Address>()

/** The arguments that matter here. They come from decoded logs, so only numbers need a conversion. */
const eventArgs = z.object({
  poster: z.optional(wallet),
  worker: z.optional(wallet),
  opener: z.optional(wallet),
  party: z.optional(wallet),
  judge: z.optional(wallet),
  proofHash: z.optional(hash),
  reasonHash: z.optional(hash),
  evidenceHash: z.optional(hash),
  milestone: z.optional(z.pipe(z.coerce.bigint(), z.transform(Number))),
})
type Args = z.output<typeof eventArgs>
