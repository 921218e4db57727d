import { createSigningContext } from '@svc/chain'
import { computeSettlementDigest, formatTaskId, SvcError, type TaskId } from '@svc/protocol'
import { type CancellableState, cancellableStates } from '@svc/protocol/internal/negotiation'
import type { ThreadSubject } from '@svc/protocol/talk'
import { createTalk, type EndPlace, ensureKeys, openMailbox, type Talk, type TalkThread } from '@svc/work'
import { createMailFolder } from '@svc/work/folder'
import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import { connectOwnStore, type WorkPlace, type WorkWallet } from './place.ts'

/** Opens the conversations of a wallet at the market's own store. Throws STORE_UNKNOWN. */
export async function openOwnTalk(wallet: WorkWallet): Promise<Talk> {
  const store = await connectOwnStore(wallet, await ensureKeys(wallet.signIn))
  if (!store) throw new SvcError('STORE_UNKNOWN', 'The market has no store.', { hint: 'Set SVC_STORE_URL to its URL.' })
  const { domain, chainId, verifySignature } = wallet.signIn
  const { settings } = wallet
  const mailbox = openMailbox({
    store,
    checks: { domain, chainId, verifySignature },
    now: settings.now,
    log: createMailFolder(settings.mailFolder, wallet.wallet, store.address),
  })
  return createTalk(mailbox)
}

/** Opens the conversations about a task. The key statement in its published text is used before those of the store. */
export function openTaskTalk(place: WorkPlace): Talk {
  const { wallet, settings, store, checks } = place
  const log = createMailFolder(settings.mailFolder, wallet, store.address)
  return createTalk(openMailbox({ store, checks, log, now: settings.now }))
}

/** What a thread about a task is about. Without `other`, the wallet itself talks with the poster. */
export function buildSubject({ taskId, detail, markets, wallet }: WorkPlace, other?: Address): ThreadSubject {
  const { poster, worker } = detail.task
  const isPoster = isAddressEqual(poster, wallet)
  const partner = isPoster ? (other ?? worker) : wallet
  if (!partner) {
    throw new SvcError('WHO_IS_MISSING', `${formatTaskId(taskId)} has no worker yet: say whom you write to.`)
  }
  return {
    chainId: markets.deployments.chainId,
    taskRegistry: getAddress(markets.deployments.markets[taskId.market].taskRegistry),
    taskId: formatTaskId(taskId),
    poster: getAddress(poster),
    other: getAddress(partner),
  }
}

/** Whether the two sides of a thread are the parties of the task: then the limits for strangers do not apply. */
export const shareTask = ({ detail }: WorkPlace, { other }: ThreadSubject): { sharesTask: boolean } => ({
  sharesTask: detail.task.worker !== null && isAddressEqual(detail.task.worker, other),
})

/** Lists the threads about a task that a wallet is a side of. */
export async function listTaskThreads(talk: Talk, taskId: TaskId): Promise<TalkThread[]> {
  return (await talk.listThreads()).filter(({ thread }) => thread.subject.taskId === formatTaskId(taskId))
}

/** The digest that a permit names: that of the terms with a worker in them. */
export function computePermitDigest({ taskId, detail, markets }: WorkPlace, worker: Address): Hex {
  return computeSettlementDigest(createSigningContext(markets.deployments, taskId.market), detail.terms, worker)
}

/** Where a task stands now, for an offer to end it. Throws NOT_CANCELLABLE. */
export function readEndPlace({ taskId, detail: { task, dispute } }: WorkPlace): EndPlace {
  const state = cancellableStates.find((each): each is CancellableState => each === task.state)
  if (!state) {
    throw new SvcError(
      'NOT_CANCELLABLE',
      `${formatTaskId(taskId)} is ${task.state}: the parties cannot end it together.`,
    )
  }
  return {
    settlementDigest: task.settlementDigest,
    milestone: task.current,
    state,
    reviewEnd: task.reviewEnd,
    disputePhase: dispute?.phase ?? 'NONE',
  }
}
