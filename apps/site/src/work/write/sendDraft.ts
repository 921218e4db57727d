import { ApiError } from '@svc/client'
import type { BundleSubject } from '@svc/protocol/work'
import type { PublishedStatement, StorageReceipt } from '@svc/work'
import type { Address, Hex } from 'viem'
import { getSigningContext } from '../../deployments.ts'
import { loadEngine } from '../loadEngine.ts'
import type { StoreInfo } from '../useStore.ts'
import type { WorkKeys } from '../useWorkKeys.ts'
import { createSigning } from '../useWorkKeys.ts'
import {
  createPartStore,
  describeContent,
  dropSealed,
  loadSealed,
  MissingPartError,
  nameDraft,
  type SealedDraft,
  saveSealed,
  type WorkDraft,
} from './workDraft.ts'

/** What is sent, and to whom. */
export interface WorkTarget {
  subject: BundleSubject
  store: StoreInfo
  /** The other people of the task. Whoever has no key yet is given the work later, by `useWorkSharing`. */
  readers: readonly Address[]
  judges: readonly Address[]
  /** Whether it is for a dispute, so that the clerk of the store passes it on to judges. */
  hasCourt: boolean
  /** The key statement in the text of the task. No store can hide it. */
  published: PublishedStatement | null
  /** Whether the terms name the store, so that the delivery needs its receipt. */
  needsReceipt: boolean
}

export type SendStage =
  | { stage: 'signIn' | 'seal' | 'receipt' }
  | { stage: 'upload'; sentBytes: number; totalBytes: number }

/** What goes on chain. */
export interface SentWork {
  hash: Hex
  /** Who has no key yet, and so cannot open it. */
  waiting: readonly Address[]
  receipt: StorageReceipt | null
}

interface SendOptions {
  signIn: WorkKeys['signIn']
  signal: AbortSignal
  onStage: (stage: SendStage) => void
}

/**
 * Signs in if necessary, seals a draft for its readers, uploads it and asks for the receipt. Call it again to resume: what was
 * sealed and not changed since is not sealed again, and parts that the store holds are not sent again.
 */
export async function sendDraft(target: WorkTarget, draft: WorkDraft, options: SendOptions): Promise<SentWork> {
  try {
    return await sendOnce(target, draft, options)
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error
    await dropSealed(nameDraft(target.subject))
    return sendOnce(target, draft, options)
  }
}

async function sendOnce(target: WorkTarget, draft: WorkDraft, { signIn, signal, onStage }: SendOptions) {
  const { subject, needsReceipt } = target
  const { openConnection, uploadBundle, issueReceipt, parseDescriptor } = await loadEngine()
  onStage({ stage: 'signIn' })
  const keys = await signIn()
  onStage({ stage: 'seal' })
  const store = openConnection(target.store, keys, signal)
  const checks = await createSigning(subject.author)
  const { readers, waiting } = await findKeys(target, store, checks)
  const sealed = await seal(target, draft, readers, signal)
  const parsed = { ...sealed, descriptor: parseDescriptor(sealed.bytes) }
  await uploadBundle(store, parsed, {
    readPart: createPartStore(nameDraft(subject)).readPart,
    onProgress: (progress) => onStage({ stage: 'upload', ...progress }),
  })
  await saveSealed(nameDraft(subject), { ...sealed, isStored: true })
  // A store signs only for what the poster can open.
  if (!needsReceipt || waiting.length > 0) return { hash: sealed.hash, waiting, receipt: null }
  onStage({ stage: 'receipt' })
  // The store signs only if it knows the key of the poster. It may have lost the statement, or never had it.
  await (target.published && store.calls.putStatement(target.published.statement))?.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
  const context = getSigningContext(subject.taskId.market)
  return { hash: sealed.hash, waiting, receipt: await issueReceipt(store, parsed, { ...checks, context }) }
}

/**
 * Seals a draft without the store, so that a worker can deliver in time while it is down. The poster's key may be unknown then;
 * it is sealed again for the delivery that brings the receipt.
 */
export async function sealWithoutStore(
  target: WorkTarget,
  draft: WorkDraft,
  { signIn, signal, onStage }: SendOptions,
): Promise<SentWork> {
  const { openConnection, getReadingKey } = await loadEngine()
  const keys = await signIn()
  onStage({ stage: 'seal' })
  const store = openConnection(target.store, keys, AbortSignal.any([signal, AbortSignal.timeout(2_000)]))
  const checks = await createSigning(target.subject.author)
  const author = { reader: keys.wallet, key: await getReadingKey(keys.readingIdentity) }
  const { readers, waiting } = await findKeys(target, store, checks).catch(async () => {
    const published = await readPublished(target, checks)
    return { readers: published ? [author, published] : [author], waiting: [] }
  })
  const { hash } = await seal(target, draft, readers, signal)
  return { hash, waiting, receipt: null }
}

type Engine = Awaited<ReturnType<typeof loadEngine>>
type Reader = Awaited<ReturnType<Engine['findReaders']>>[number]

async function findKeys(
  { readers, judges, hasCourt, published }: WorkTarget,
  store: ReturnType<Engine['openConnection']>,
  checks: Awaited<ReturnType<typeof createSigning>>,
): Promise<{ readers: Reader[]; waiting: readonly Address[] }> {
  const { findKnownReaders, findCourtReaders } = await loadEngine()
  const parties = await findKnownReaders(store, readers, { ...checks, published })
  if (!hasCourt) return parties
  const court = await findCourtReaders(store, judges, checks)
  const all = new Map([...parties.readers, ...court.readers].map((each) => [each.key, each]))
  return { readers: [...all.values()], waiting: parties.waiting }
}

/** The poster's key in the text of the task; null if there is none that counts. */
async function readPublished(
  { published }: WorkTarget,
  { domain, chainId, now, verifySignature }: Awaited<ReturnType<typeof createSigning>>,
): Promise<Reader | null> {
  if (!published) return null
  const { wallet, statement } = published
  const { checkStatement } = await loadEngine()
  const use = { domains: [domain], chainId, now, wallet, verifySignature }
  return checkStatement(statement, use).then(
    ({ readingKey }) => ({ reader: wallet, key: readingKey }),
    () => null,
  )
}

/** Seals a draft, or takes what was sealed from it for the same readers. */
async function seal(
  { subject }: WorkTarget,
  draft: WorkDraft,
  readers: readonly Reader[],
  signal: AbortSignal,
): Promise<SealedDraft> {
  const name = nameDraft(subject)
  const content = describeContent(
    draft,
    readers.map(({ key }) => key),
  )
  const before = await loadSealed(name)
  if (before?.content === content) return before
  await dropSealed(name)
  const { sealBundle } = await loadEngine()
  const parts = createPartStore(name)
  const { hash, bytes } = await sealBundle({
    subject,
    text: draft.text,
    files: draft.files.map(({ name: file, type, blob }) => ({ name: file, type, open: () => blob.stream() })),
    readers,
    savePart: (part, sealedBytes) => {
      signal.throwIfAborted()
      return parts.savePart(part, sealedBytes)
    },
  })
  const sealed = { hash, bytes, content, isStored: false }
  await saveSealed(name, sealed)
  return sealed
}
