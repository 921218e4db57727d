import { formatTaskId, SvcError } from '@svc/protocol'
import { type BundleReference, type ExpectedBundle, parseDescriptor } from '@svc/protocol/work'
import { inspectBundle } from '@svc/work'
import { isAddressEqual, isHex } from 'viem'
import type { WorkPlace } from './place.ts'
import { listParties, shareOwnWork } from './sendWork.ts'

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
  const brief = (await listBriefs(place)).find((each) => each.hash === hash)
  if (brief) return { expected: brief, isOnChain: false }
  const what = hash === undefined ? 'bundle' : `hash ${hash}`
  throw new SvcError('BUNDLE_NOT_FOUND', `${formatTaskId(taskId)} has no ${what} on chain.`)
}

/** More briefs of one party than a task needs. */
const maxBriefs = 10

/** Lists the briefs of both parties at the store: they have no place on chain, so only their author and kind are checked. */
async function listBriefs({ taskId, store, detail, checks, markets }: WorkPlace): Promise<ExpectedBundle[]> {
  const { body } = await store.calls.listBundles({ id: formatTaskId(taskId) })
  const registry = markets.deployments.markets[taskId.market].taskRegistry
  const found: ExpectedBundle[] = []
  for (const party of listParties(detail.task)) {
    const briefs = body.bundles.filter(
      (each) => each.kind === 'brief' && each.author.toLowerCase() === party.toLowerCase(),
    )
    for (const { hash } of briefs.slice(-maxBriefs)) {
      if (!isHex(hash)) continue
      const { kind, milestone, revision, author } = parseDescriptor(await store.getBundle(hash))
      if (kind !== 'brief' || !isAddressEqual(author, party)) continue
      found.push({ chainId: checks.chainId, registry, taskId, kind, milestone, revision, author, hash })
    }
  }
  return found
}

/** A bundle of a task, and whether this device can open it. */
export interface WorkStatus
  extends Pick<BundleReference, 'hash' | 'kind' | 'milestone' | 'revision' | 'author' | 'hasReceipt'> {
  status: Awaited<ReturnType<typeof inspectBundle>>
}

/** Lists the briefs of a task and every bundle that it has on chain, and which of them this device can open. Shares its own with the other party. */
export async function listWork(place: WorkPlace): Promise<WorkStatus[]> {
  const { store, references } = place
  await shareOwnWork(place)
  const all: WorkStatus[] = []
  const briefs = (await listBriefs(place)).map((each) => ({ ...each, hasReceipt: false }))
  for (const expected of [...briefs, ...references]) {
    const { hash, kind, milestone, revision, author, hasReceipt } = expected
    all.push({ hash, kind, milestone, revision, author, hasReceipt, status: await inspectBundle(store, expected) })
  }
  return all
}
