import {
  acceptanceTypedData,
  contextOf,
  mutualCancelTypedData,
  parseTaskId,
  type TermsDocument,
  termsOf,
} from '@svc/protocol'
import {
  draftEnvelope,
  envelopeTypedData,
  type MessagePayload,
  MessageRefusedError,
  type MessageType,
  type Negotiation,
  readPayload,
  sealMessage,
} from '@svc/protocol/negotiation'
import type { Hex, LocalAccount } from 'viem'
import * as z from 'zod/mini'
import { randomNonce } from '../randomNonce.ts'
import type { Book, Transcript } from './book.ts'
import { UsageError } from './exitOf.ts'
import { fillPayload } from './fillPayload.ts'

/** Who speaks, where it is written, and when. */
export interface Speaker {
  book: Book
  account: LocalAccount
  /** The account's key on the transport. */
  publicKey?: string | undefined
  /** Unix seconds. */
  now: number
  chainId: number
}

type Said = { [Type in MessageType]: { type: Type; payload: MessagePayload<Type>; taskId?: string } }[MessageType]

/** Begins a negotiation with a proposal. */
export function propose(speaker: Speaker, terms: TermsDocument): Promise<Transcript> {
  return say(speaker, null, async () => ({ type: 'TaskProposal', payload: { terms } }))
}

/** Puts other terms in place of those that stand. */
export function counter(
  speaker: Speaker,
  id: string,
  change: (standing: TermsDocument) => TermsDocument,
  reason?: string,
): Promise<Transcript> {
  return say(speaker, id, async (state) => {
    const { terms } = begun(state)
    const payload = { replaces: terms.settlementDigest, terms: change(terms), ...(reason ? { reason } : {}) }
    return { type: 'TaskCounterOffer', payload }
  })
}

/** Accepts the offer that `digest` names, by a signature that the registry takes. Refuses when another one stands by now. */
export function accept(speaker: Speaker, id: string, digest: Hex, validSeconds: number): Promise<Transcript> {
  return say(speaker, id, async (state) => {
    const { terms, parties } = begun(state)
    const { settlementDigest } = terms
    if (settlementDigest !== digest.toLowerCase()) {
      throw new MessageRefusedError(`you accept ${digest}, but ${settlementDigest} stands: look at it first.`)
    }
    const party = speaker.account.address
    const fresh = { party, nonce: randomNonce(), expiry: BigInt(speaker.now + validSeconds) }
    const typed = acceptanceTypedData(contextOf(terms), { terms: termsOf(terms), worker: parties.worker, ...fresh })
    const signature = await speaker.account.signTypedData(typed)
    return { type: 'TaskAcceptance', payload: { settlementDigest, ...fresh, signature } }
  })
}

/** Offers to part with a share for the worker, by a signature that the registry takes once the other gave the same. */
export function cancel(
  speaker: Speaker,
  id: string,
  { taskId, workerBps, validSeconds }: { taskId: string; workerBps: number; validSeconds: number },
): Promise<Transcript> {
  return say(speaker, id, async (state) => {
    const { terms, milestone: index } = begun(state)
    const { settlementDigest } = terms
    const task = parseTaskId(taskId)
    const party = speaker.account.address
    const fresh = { nonce: randomNonce(), expiry: BigInt(speaker.now + validSeconds) }
    const shared = { settlementDigest, milestone: BigInt(index), workerBps: BigInt(workerBps), ...fresh }
    const typed = mutualCancelTypedData(contextOf(terms), { ...shared, taskId: task.number, party })
    const signature = await speaker.account.signTypedData(typed)
    return { type: 'MutualCancel', payload: { ...shared, taskId: task, signature } }
  })
}

/** Says anything else; hashes and digests that the payload leaves out are filled in. */
export function sayAny(
  speaker: Speaker,
  id: string,
  { type, json, taskId }: { type: MessageType; json: Record<string, unknown>; taskId?: string | undefined },
): Promise<Transcript> {
  return say(speaker, id, async (state) => {
    const payload = read(type, fillPayload(type, json, begun(state)))
    return { type, payload, ...(taskId === undefined ? {} : { taskId }) } as Said
  })
}

function say(
  { book, account, publicKey, now, chainId }: Speaker,
  id: string | null,
  compose: (state: Negotiation | null) => Promise<Said>,
): Promise<Transcript> {
  return book.write(id, async (state, end) => {
    const sender = { evmAddress: account.address, ...(publicKey === undefined ? {} : { xmtpPublicKey: publicKey }) }
    const envelope = draftEnvelope(end, { ...(await compose(state)), sender, timestamp: new Date(now * 1000) })
    return sealMessage(envelope, await account.signTypedData(envelopeTypedData(chainId, envelope)))
  })
}

function read<Type extends MessageType>(type: Type, json: unknown): MessagePayload<Type> {
  try {
    return readPayload(type, json)
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error
    const [issue] = error.issues
    throw new UsageError(`The payload is no ${type}: ${issue?.path.join('.') || 'its top'}: ${issue?.message}.`)
  }
}

function begun(state: Negotiation | null): Negotiation {
  if (!state) throw new UsageError('The negotiation has not begun: propose first.')
  return state
}
