import { formatTaskId, SvcError } from '@svc/protocol'
import { type BundleReference, type ExpectedBundle, parseDescriptor } from '@svc/protocol/work'
import { inspectBundle } from '@svc/work'
import { type Hex, isAddressEqual, isHex } from 'viem'
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
  const brief = isHex(hash) ? await findBrief(place, hash) : null
  if (brief) return { expected: brief, isOnChain: false }
  const what = hash === undefined ? 'bundle' : `hash ${hash}`
  throw new SvcError('BUNDLE_NOT_FOUND', `${formatTaskId(taskId)} has no ${what} on chain.`)
}

/** Finds a brief of the poster at the store: it has no place on chain. */
async function findBrief(
  { taskId, store, detail, checks, markets }: WorkPlace,
  hash: Hex,
): Promise<ExpectedBundle | null> {
  const { body } = await store.calls.listBundles({ id: formatTaskId(taskId) })
  if (!body.bundles.some((each) => each.hash === hash && each.kind === 'brief')) return null
  const { kind, milestone, revision, author } = parseDescriptor(await store.getBundle(hash))
  if (kind !== 'brief' || !isAddressEqual(author, detail.task.poster)) return null
  const registry = markets.deployments.markets[taskId.market].taskRegistry
  return { chainId: checks.chainId, registry, taskId, kind, milestone, revision, author, hash }
}

/** A bundle of a task, and whether this device can open it. */
export interface WorkStatus
  extends Pick<BundleReference, 'hash' | 'kind' | 'milestone' | 'revision' | 'author' | 'hasReceipt'> {
  status: Awaited<ReturnType<typeof inspectBundle>>
}

/** Lists every bundle that a task has on chain, and which of them this device can open. Shares its own with the other party. */
export async function listWork(place: WorkPlace): Promise<WorkStatus[]> {
  const { store, references } = place
  await shareOwnWork(place)
  const all: WorkStatus[] = []
  for (const expected of references) {
    const { hash, kind, milestone, revision, author, hasReceipt } = expected
    all.push({ hash, kind, milestone, revision, author, hasReceipt, status: await inspectBundle(store, expected) })
  }
  return all
}
