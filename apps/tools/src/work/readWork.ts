import { ApiError } from '@svc/client'
import { formatTaskId, SvcError } from '@svc/protocol'
import { type BriefAudience, findAudience } from '@svc/protocol/internal/work'
import type { BundleReference, ExpectedBundle } from '@svc/protocol/work'
import { findBriefFiles, inspectBundle } from '@svc/work'
import type { Hex } from 'viem'
import { listTaskBriefs, readBriefFiles } from './brief.ts'
import type { WorkPlace } from './place.ts'
import { shareOwnWork } from './sendWork.ts'

/** A bundle that is to be opened. Without a hash on chain, its author is the store's word. */
export interface FoundBundle {
  expected: ExpectedBundle
  isOnChain: boolean
}

/** Finds the bundle with a hash, or the newest one that a task has on chain. Throws BUNDLE_NOT_FOUND. */
export async function findWork(place: WorkPlace, hash: string | undefined): Promise<FoundBundle> {
  const { references, taskId } = place
  const found = hash === undefined ? references.at(-1) : references.find((each) => each.hash === hash)
  if (found) return { expected: found, isOnChain: true }
  const brief = (await listTaskBriefs(place)).find((each) => each.hash === hash)
  if (brief) return { expected: brief, isOnChain: false }
  const what = hash === undefined ? 'bundle' : `hash ${hash}`
  throw new SvcError('BUNDLE_NOT_FOUND', `${formatTaskId(taskId)} has no ${what} on chain.`)
}

/** A bundle of a task, and whether this device can open it. */
export interface WorkStatus
  extends Pick<BundleReference, 'hash' | 'kind' | 'milestone' | 'revision' | 'author' | 'hasReceipt'> {
  status: Awaited<ReturnType<typeof inspectBundle>>
}

/** A file that the text of the task names, and the hash of the bundle in which this device can open it; null if it cannot. */
export interface BriefFileStatus {
  name: string
  type: string
  size: number
  for: BriefAudience
  hash: Hex | null
}

/** Lists the files of the brief, its bundles and every bundle that a task has on chain, and which of them this device can open. Shares its own with the other party. */
export async function listWork(place: WorkPlace): Promise<{ files: BriefFileStatus[]; bundles: WorkStatus[] }> {
  const { store, references } = place
  await shareOwnWork(place)
  const briefs = await listTaskBriefs(place)
  const poster = briefs.filter(({ author }) => author === place.detail.task.poster)
  const files = (await findBriefFiles(store, poster, readBriefFiles(place))).map(({ file, hash }) => {
    const { name, type, size } = file
    return { name, type, size, for: findAudience(file), hash }
  })
  const bundles: WorkStatus[] = []
  for (const expected of [...briefs.map((each) => ({ ...each, hasReceipt: false })), ...references]) {
    const { hash, kind, milestone, revision, author, hasReceipt } = expected
    // A wallet without a role in the task still sees what is public.
    const status = await inspectBundle(store, expected).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'NOT_ALLOWED') return 'closed' as const
      throw error
    })
    bundles.push({ hash, kind, milestone, revision, author, hasReceipt, status })
  }
  return { files, bundles }
}
