import type { TaskDetailJson } from '@svc/client'
import { computeSettlementDigest, disputePhases, parseTaskTerms, toTaskTerms } from '@svc/protocol'
import { actions, encodeActionInput } from '@svc/protocol/actions'
import { cancellableStates } from '@svc/protocol/internal/negotiation'
import type { Negotiation } from '@svc/protocol/negotiation'
import { buildClaimInput, buildEndInput, type ThreadSubject } from '@svc/protocol/talk'
import {
  createTalk,
  type DeviceKeys,
  type EndPlace,
  openMailbox,
  type SignTypedData,
  type Talk,
  type TalkThread,
  type WalletSigning,
} from '@svc/work'
import {
  type Address,
  bytesToBigInt,
  getAddress,
  getTypesForEIP712Domain,
  type Hex,
  isAddressEqual,
  isHex,
  stringify,
} from 'viem'
import { chainId, getSigningContext } from '../deployments.ts'
import type { WalletProvider } from '../wallet/provider.ts'
import { createVerifier, getStoreConnection, requestSignature } from '../work/engine.ts'
import { findPublished } from '../work/findPublished.ts'
import type { StoreInfo } from '../work/useStore.ts'
import { createBrowserMailLog } from './mailLog.ts'

// Everything of the Talk tab that signs or encrypts. Import this file only with `loadTalkEngine`, so that it stays a chunk of its own.

/** The header reads all conversations, a page those of its task. The oldest goes first. */
const opened = new Map<string, Talk>()
const maxOpened = 4

/** Opens the conversations of a wallet, about a task or all. The same wallet keeps them, with the signatures that were checked. */
export function openTalk(
  task: TaskDetailJson | null,
  store: StoreInfo,
  keys: DeviceKeys,
  provider: WalletProvider,
): Talk {
  const name = [task?.id, store.address, store.baseUrl, keys.wallet, keys.statement?.signature].join()
  const known = opened.get(name)
  if (known) return known
  const talk = createTalk(
    openMailbox({
      store: getStoreConnection(store, keys),
      checks: {
        domain: location.host,
        chainId,
        verifySignature: createVerifier(provider),
        published: task && findPublished(task),
      },
      now: () => Math.floor(Date.now() / 1000),
      log: createBrowserMailLog(keys.wallet, store.address),
    }),
  )
  const [oldest] = opened.keys()
  if (oldest !== undefined && opened.size >= maxOpened) opened.delete(oldest)
  opened.set(name, talk)
  return talk
}

/** Whether the two sides are the parties of the task: then the limits for strangers do not apply. */
export const compareSides = ({ worker }: TaskDetailJson, { other }: ThreadSubject) => ({
  sharesTask: worker !== undefined && isAddressEqual(getAddress(worker), other),
})

/** Has the wallet sign what binds on chain. */
export function createWalletSigning(provider: WalletProvider, wallet: Address): WalletSigning {
  const signTypedData: SignTypedData = (typedData) => {
    const types = { EIP712Domain: getTypesForEIP712Domain({ domain: typedData.domain }), ...typedData.types }
    return requestSignature(provider, 'eth_signTypedData_v4', [wallet, stringify({ ...typedData, types })])
  }
  return { signTypedData, nonce: bytesToBigInt(crypto.getRandomValues(new Uint8Array(32))) }
}

/** The input of create-task that both parties accepted; null before that. */
export function findCreation({ terms, parties, acceptances }: Negotiation): Readonly<Record<string, unknown>> | null {
  const { poster, worker } = acceptances
  if (!poster || !worker) return null
  return encodeActionInput(actions['create-task'], {
    market: terms.market,
    terms: toTaskTerms(terms),
    worker: parties.worker,
    posterAcceptance: poster,
    workerAcceptance: worker,
  })
}

/** The digest that a permit names: that of the terms on this page, with this worker in them. */
export const computeChosenDigest = (task: TaskDetailJson, worker: Address): Hex =>
  computeSettlementDigest(getSigningContext(task.market), parseTaskTerms(task.terms), worker)

/** Where the task stands now, for an offer to end it; null if its parties cannot end it together. */
export function findEndPlace(task: TaskDetailJson): EndPlace | null {
  const state = cancellableStates.find((each) => each === task.state)
  const { settlementDigest, dispute, reviewEnd } = task
  if (!state || !isHex(settlementDigest)) return null
  return {
    settlementDigest,
    milestone: task.currentMilestone,
    state,
    reviewEnd: reviewEnd ?? 0,
    disputePhase: disputePhases.find((each) => each === dispute?.phase) ?? 'NONE',
  }
}

/** The input of claim-task with the permit of a conversation; null if there is none for these terms. */
export function findClaim(task: TaskDetailJson, { thread }: TalkThread): Readonly<Record<string, unknown>> | null {
  const input = buildClaimInput(thread)
  if (!input || input.settlementDigest !== computeChosenDigest(task, thread.subject.other)) return null
  return encodeActionInput(actions['claim-task'], input)
}

/** The input of mutual-cancel that both sides signed; null before that, or if the task has moved on. */
export function findEnd(
  task: TaskDetailJson,
  { thread, status }: TalkThread,
): Readonly<Record<string, unknown>> | null {
  const input = buildEndInput(thread)
  const place = findEndPlace(task)
  const { poster } = status.ends
  const isCurrent =
    place !== null &&
    poster !== undefined &&
    poster.settlementDigest === place.settlementDigest &&
    poster.milestone === BigInt(place.milestone) &&
    poster.state === place.state &&
    poster.reviewEnd === BigInt(place.reviewEnd) &&
    poster.disputePhase === place.disputePhase
  return input && isCurrent ? encodeActionInput(actions['mutual-cancel'], input) : null
}
