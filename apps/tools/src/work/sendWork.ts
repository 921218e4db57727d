import { getTaskContext, readAtHead } from '@svc/chain'
import { ApiError } from '@svc/client'
import { formatTaskId, SvcError } from '@svc/protocol'
import { type ActionName, listBlockedActions, listNextSteps } from '@svc/protocol/actions'
import { findAskedJudge, listSeatedJudges } from '@svc/protocol/internal/records'
import type { BundleKind, Reader, WorkFile } from '@svc/protocol/work'
import {
  findCourtReaders,
  findKnownReaders,
  type GrantedBundle,
  grantTaskBundles,
  issueReceipt,
  uploadBundle,
} from '@svc/work'
import { type OutgoingBundle, sealIntoOutbox } from '@svc/work/folder'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { announceBriefs, listSealedBriefs, listTaskBriefs, splitBrief } from './brief.ts'
import type { WorkPlace } from './place.ts'

/** What somebody sends. */
export interface WorkContent {
  kind: BundleKind
  /** Markdown. */
  text: string
  files: readonly WorkFile[]
  /** With evidence: whether the store's clerk may read the task too, to pass it on to judges who are seated later. */
  withClerk?: boolean
}

/** What was sent, and the action that puts its hash on chain. */
export interface SentWork {
  taskId: string
  kind: BundleKind
  hash: `0x${string}`
  files: number
  receipt: { size: number; until: number; signature: `0x${string}` } | null
  /** Who cannot open it yet, because they have never signed in. The sender shares it when they have. */
  waiting: readonly Address[]
  /** With a brief: whether a sealed message told the worker. Before a claim there is nobody to tell: the worker is told by the next `listWork`. */
  isAnnounced: boolean
  /** With a brief: the bundle of the files that the text of the task names for everyone; null if there are none. */
  publicHash: Hex | null
  /** With evidence: who can read the whole task now, and who has not signed in yet. */
  shared: SharedTask | null
  /** Null for a brief, which has no place on chain. */
  next: { action: ActionName; input: Record<string, unknown> } | null
}

export interface SharedTask {
  with: Address[]
  waiting: Address[]
  bundles: number
}

/**
 * Seals work, sends it to the store, and asks for a receipt of a delivery. Nothing is on chain yet. Call it again after a failure:
 * what was sealed and sent stays. Throws NOT_ALLOWED for a wallet that has another role in the task, or whose action
 * the chain would refuse now.
 */
export async function sendWork(place: WorkPlace, content: WorkContent): Promise<SentWork> {
  const { kind, text, files } = content
  const { taskId, detail, wallet, markets, store, checks, settings, namedStore } = place
  if (text === '' && files.length === 0) {
    throw new SvcError('EMPTY_BUNDLE', 'There is nothing to send. Give a text, or name files.')
  }
  assertAuthor(place, kind)
  await assertPossible(place, kind)
  const { readers, waiting } = await findKnownReaders(store, listParties(detail.task), checks)
  const seal = async (part: Pick<WorkContent, 'text' | 'files'>, readers: readonly Reader[] | null) => {
    const outgoing = await sealIntoOutbox(settings.outbox, {
      subject: {
        kind,
        chainId: checks.chainId,
        registry: markets.deployments.markets[taskId.market].taskRegistry,
        taskId,
        milestone: detail.task.current,
        revision: detail.task.revisions,
        author: wallet,
      },
      ...part,
      readers,
    })
    await uploadBundle(store, outgoing, {
      readPart: outgoing.readPart,
      onProgress: ({ sentBytes, totalBytes }) => settings.progress(formatProgress(sentBytes, totalBytes)),
    })
    return outgoing
  }
  const { everyone, worker: sealed } =
    kind === 'brief' ? await splitBrief(place, files) : { everyone: [], worker: files }
  const published = everyone.length > 0 ? await seal({ text: '', files: everyone }, null) : null
  await published?.release()
  const isPublicOnly = published !== null && sealed.length === 0 && text === ''
  const outgoing = isPublicOnly ? published : await seal({ text, files: sealed }, readers)
  // A store signs only for what the poster can open.
  const hasReceipt = kind === 'delivery' && namedStore !== null && waiting.length === 0
  const receipt = hasReceipt ? await askReceipt(place, outgoing) : null
  // Before the release: a second call finds the sealed bundle and announces it then.
  const isAnnounced =
    kind === 'brief' && !isPublicOnly && waiting.length === 0 && (await announceBriefs(place, [outgoing.hash]))
  await outgoing.release()
  const shared =
    kind === 'evidence' ? await shareTaskWork(place, outgoing, { withClerk: content.withClerk ?? true }) : null
  const { hash } = outgoing
  const next = buildNext(place, kind, hash, receipt)
  const id = formatTaskId(taskId)
  const more = { receipt, waiting, shared, isAnnounced, next, publicHash: published?.hash ?? null }
  return { taskId: id, kind, hash, files: files.length, ...more }
}

/** Throws NOT_ALLOWED unless the chain gives the wallet the role that this kind of work takes. */
function assertAuthor({ detail: { task, dispute }, wallet, taskId, markets }: WorkPlace, kind: BundleKind): void {
  const judges = listSeatedJudges(dispute, markets.deployments.shared.finalCourt)
  const roles: Record<BundleKind, readonly [name: string, wallets: readonly (Address | null)[]]> = {
    delivery: ['worker', [task.worker]],
    revision: ['poster', [task.poster]],
    evidence: ['poster or worker', [task.poster, task.worker]],
    ruling: ['judge', judges],
    brief: ['poster or worker', [task.poster, task.worker]],
  }
  const [name, wallets] = roles[kind]
  if (wallets.some((each) => each && isAddressEqual(each, wallet))) return
  throw new SvcError('NOT_ALLOWED', `${wallet} is not the ${name} of ${formatTaskId(taskId)}.`)
}

/** Throws NOT_ALLOWED, before anything is stored, if the chain would refuse the action that this work belongs to. */
async function assertPossible(place: WorkPlace, kind: BundleKind): Promise<void> {
  const action = chooseAction(place, kind)
  if (!action) return
  const { taskId, wallet, markets } = place
  const { context, block } = await readAtHead(markets.providers, async (provider, at) => ({
    context: await getTaskContext(provider, markets.places.markets[taskId.market], taskId, [wallet], at),
  }))
  const now = block.timestamp
  if (!context || listNextSteps(context, wallet, now).some((step) => step.action.name === action)) return
  const blocked = listBlockedActions(context, wallet, now).find((each) => each.action.name === action)
  const why = blocked?.rule ?? `the task is ${context.task.state}, and it is not this wallet's turn`
  throw new SvcError('NOT_ALLOWED', `${wallet} cannot ${action} for ${formatTaskId(taskId)} now: ${why}.`)
}

/** The wallets of a task that has a worker, or its poster. */
const listParties = ({ poster, worker }: WorkPlace['detail']['task']): Address[] =>
  [poster, worker].filter((each) => each !== null)

async function askReceipt(place: WorkPlace, outgoing: OutgoingBundle) {
  await bringPublished(place)
  const { size, until, signature } = await issueReceipt(place.store, outgoing, place.checks)
  return { size: Number(size), until: Number(until), signature }
}

/** A store signs a receipt only if it knows the poster's key. It may have lost the statement, or never had it. */
async function bringPublished({ store, checks: { published } }: WorkPlace): Promise<void> {
  await (published && store.calls.putStatement(published.statement))?.catch((error: unknown) => {
    // A statement that has expired meanwhile. If no other one counts, the receipt is refused with the reason.
    if (!(error instanceof ApiError && error.status < 500)) throw error
  })
}

/** Lets the parties, the seated judges and the clerk read every bundle of the task and the new one. Nobody has to be there for it. */
export async function shareTaskWork(
  place: WorkPlace,
  outgoing: Pick<OutgoingBundle, 'hash' | 'descriptor'> | null,
  { withClerk }: { withClerk: boolean },
): Promise<SharedTask> {
  const { store, references, markets, checks, wallet } = place
  const { task, dispute } = place.detail
  const judges = listSeatedJudges(dispute, markets.deployments.shared.finalCourt)
  const others = listParties(task).filter((each) => !isAddressEqual(each, wallet))
  const asked = findAskedJudge(dispute)
  const wallets = [...others, ...judges, ...(asked ? [asked] : [])]
  const { readers, waiting } = await findCourtReaders(store, wallets, checks, { withClerk })
  const ownBundles = outgoing ? [{ ...outgoing.descriptor, hash: outgoing.hash }] : []
  return toShared(
    readers,
    waiting,
    await grantTaskBundles(store, [...references, ...(await listSealedBriefs(place)), ...ownBundles], readers),
  )
}

/** Shares what this wallet sent with the other party, who may have come or signed in only since, and announces its briefs. */
export async function shareOwnWork(place: WorkPlace): Promise<void> {
  const { store, references, checks, wallet, detail } = place
  const isOwn = ({ author }: { author: Address }) => isAddressEqual(author, wallet)
  const isParty = listParties(detail.task).some((each) => isAddressEqual(each, wallet))
  const briefs = isParty ? (await listTaskBriefs(place)).filter((each) => isOwn(each) && !each.isPublic) : []
  const own = [...references.filter(isOwn), ...briefs]
  if (own.length === 0) return
  const { readers, waiting } = await findKnownReaders(store, listParties(detail.task), checks)
  const bundles = await grantTaskBundles(store, own, readers)
  if (waiting.length > 0) return
  const granted = bundles.flatMap(({ expected, outcome }) =>
    expected.kind === 'brief' && outcome === 'granted' ? [expected.hash] : [],
  )
  if (granted.length > 0) await announceBriefs(place, granted)
}

export function toShared(
  readers: readonly Reader[],
  waiting: Address[],
  bundles: readonly GrantedBundle[],
): SharedTask {
  const wallets = [...new Set(readers.map(({ reader }) => reader))]
  return { with: wallets, waiting, bundles: bundles.filter(({ outcome }) => outcome === 'granted').length }
}

/** The action that puts the hash of work on chain; null for a brief, which has no place there. */
function chooseAction({ detail: { task, dispute } }: WorkPlace, kind: BundleKind): ActionName | null {
  const actions: Record<BundleKind, ActionName | null> = {
    delivery: 'submit-proof',
    revision: 'request-revision',
    evidence: task.state === 'DISPUTED' ? 'submit-evidence' : 'open-dispute',
    ruling: dispute?.phase === 'COURT' ? 'decide-dispute' : 'resolve-dispute',
    brief: null,
  }
  return actions[kind]
}

const hashFields = { delivery: 'proofHash', revision: 'reasonHash', evidence: 'evidenceHash', ruling: 'reasonHash' }

/** The action with its hash. Its other inputs follow from the task, or are the wallet's choice. */
function buildNext(place: WorkPlace, kind: BundleKind, hash: Hex, receipt: SentWork['receipt']): SentWork['next'] {
  const action = chooseAction(place, kind)
  if (!action || kind === 'brief') return null
  const taskId = formatTaskId(place.taskId)
  return { action, input: { taskId, [hashFields[kind]]: hash, ...(receipt && { receipt }) } }
}

function formatProgress(sent: number, total: number): string {
  const done = total === 0 ? 20 : Math.round((20 * sent) / total)
  return `[${'#'.repeat(done).padEnd(20)}] ${Math.round(sent / 1_000)} of ${Math.round(total / 1_000)} kB`
}
