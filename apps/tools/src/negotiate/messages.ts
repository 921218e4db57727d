import {
  buildAcceptanceTypedData,
  buildMutualCancelTypedData,
  type DisputePhase,
  disputePhases,
  parseTaskId,
  type TermsDocument,
  taskStates,
  toSigningContext,
  toTaskTerms,
} from '@svc/protocol'
import { formatIssue } from '@svc/protocol/internal/base'
import { type CancellableState, parsePayload } from '@svc/protocol/internal/negotiation'
import {
  buildEnvelope,
  buildEnvelopeTypedData,
  type MessagePayload,
  MessageRefusedError,
  type MessageType,
  type Negotiation,
  sealMessage,
} from '@svc/protocol/negotiation'
import type { Hex, LocalAccount } from 'viem'
import * as z from 'zod/mini'
import { randomNonce } from '../randomNonce.ts'
import { UsageError } from './describeExit.ts'
import { fillPayload } from './fillPayload.ts'
import type { Transcript, TranscriptStore } from './transcriptStore.ts'

/** The sender of a message, with its store and the current time. */
export interface Sender {
  store: TranscriptStore
  account: LocalAccount
  /** The key of the account on the transport. */
  publicKey?: string | undefined
  /** Unix seconds. */
  now: number
  chainId: number
}

type MessageContent = {
  [Type in MessageType]: { type: Type; payload: MessagePayload<Type>; taskId?: string }
}[MessageType]

/** Starts a negotiation with a proposal. */
export function proposeTerms(sender: Sender, terms: TermsDocument): Promise<Transcript> {
  return writeSigned(sender, null, async () => ({ type: 'TaskProposal', payload: { terms } }))
}

/** Replaces the current terms. */
export function makeCounterOffer(
  sender: Sender,
  id: string,
  change: (current: TermsDocument) => TermsDocument,
  reason?: string,
): Promise<Transcript> {
  return writeSigned(sender, id, async (state) => {
    const { terms } = requireNegotiation(state)
    const payload = { replaces: terms.settlementDigest, terms: change(terms), ...(reason ? { reason } : {}) }
    return { type: 'TaskCounterOffer', payload }
  })
}

/** Accepts the offer with this digest, with a signature that the registry accepts. Throws if the current offer is another one. */
export function acceptOffer(sender: Sender, id: string, digest: Hex, validSeconds: number): Promise<Transcript> {
  return writeSigned(sender, id, async (state) => {
    const { terms, parties } = requireNegotiation(state)
    const { settlementDigest } = terms
    if (settlementDigest !== digest.toLowerCase()) {
      throw new MessageRefusedError(
        `you accept ${digest}, but the current offer is ${settlementDigest}. Review it first.`,
      )
    }
    const party = sender.account.address
    const fresh = { party, nonce: randomNonce(), expiry: BigInt(sender.now + validSeconds) }
    const typed = buildAcceptanceTypedData(toSigningContext(terms), {
      terms: toTaskTerms(terms),
      worker: parties.worker,
      ...fresh,
    })
    const signature = await sender.account.signTypedData(typed)
    return { type: 'TaskAcceptance', payload: { settlementDigest, ...fresh, signature } }
  })
}

/** A mutual cancel, and where the task stands: the signature is valid only there. */
export interface CancelOffer {
  taskId: string
  workerBps: number
  validSeconds: number
  state: CancellableState
  /** Unix seconds; zero if nothing is in review. */
  reviewEnd: bigint
  disputePhase: DisputePhase
}

/** Offers to cancel with a share for the worker. The registry accepts the signature together with the same offer of the other party. */
export function proposeCancel(
  sender: Sender,
  id: string,
  { taskId, workerBps, validSeconds, ...place }: CancelOffer,
): Promise<Transcript> {
  return writeSigned(sender, id, async (state) => {
    const { terms, milestone: index } = requireNegotiation(state)
    const { settlementDigest } = terms
    const task = parseTaskId(taskId)
    const party = sender.account.address
    const fresh = { nonce: randomNonce(), expiry: BigInt(sender.now + validSeconds) }
    const shared = { settlementDigest, milestone: BigInt(index), ...place, workerBps: BigInt(workerBps), ...fresh }
    const typed = buildMutualCancelTypedData(toSigningContext(terms), {
      ...shared,
      state: taskStates.indexOf(place.state),
      disputePhase: disputePhases.indexOf(place.disputePhase),
      taskId: task.number,
      party,
    })
    const signature = await sender.account.signTypedData(typed)
    return { type: 'MutualCancel', payload: { ...shared, taskId: task, signature } }
  })
}

/** Writes a message of any other type. Missing hashes and digests are filled in. */
export function writePayload(
  sender: Sender,
  id: string,
  { type, json, taskId }: { type: MessageType; json: Record<string, unknown>; taskId?: string | undefined },
): Promise<Transcript> {
  return writeSigned(sender, id, async (state) => {
    const payload = decodePayload(type, fillPayload(type, json, requireNegotiation(state)))
    return { type, payload, ...(taskId === undefined ? {} : { taskId }) } as MessageContent
  })
}

function writeSigned(
  { store, account, publicKey, now, chainId }: Sender,
  id: string | null,
  compose: (state: Negotiation | null) => Promise<MessageContent>,
): Promise<Transcript> {
  return store.append(id, async (state, end) => {
    const sender = { evmAddress: account.address, ...(publicKey === undefined ? {} : { xmtpPublicKey: publicKey }) }
    const envelope = buildEnvelope(end, { ...(await compose(state)), sender, timestamp: new Date(now * 1000) })
    return sealMessage(envelope, await account.signTypedData(buildEnvelopeTypedData(chainId, envelope)))
  })
}

function decodePayload<Type extends MessageType>(type: Type, json: unknown): MessagePayload<Type> {
  try {
    return parsePayload(type, json)
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error
    throw new UsageError(`The payload is not a valid ${type}: ${formatIssue(error.issues[0], ['payload'])}`)
  }
}

function requireNegotiation(state: Negotiation | null): Negotiation {
  if (!state) throw new UsageError('The negotiation has not started. Run propose first.')
  return state
}
