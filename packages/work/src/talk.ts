import { ApiError } from '@svc/client'
import {
  buildAcceptanceTypedData,
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  type DisputePhase,
  disputePhases,
  parseTaskId,
  SvcError,
  type TermsDocument,
  taskStates,
  toSigningContext,
  toTaskTerms,
} from '@svc/protocol'
import {
  type CancellableState,
  type ChainEnd,
  type MergedTranscript,
  mergeTranscript,
  type Party,
  rememberSignatures,
} from '@svc/protocol/internal/negotiation'
import { getThreadKey, isThreadMessage, type ThreadSide } from '@svc/protocol/internal/talk'
import {
  applyMessage,
  buildEnvelope,
  buildEnvelopeTypedData,
  getNegotiationTurn,
  type MessagePayload,
  MessageRefusedError,
  type MessageType,
  type Negotiation,
  type SignedMessage,
  sealMessage,
  startChain,
  verifyKeySignature,
} from '@svc/protocol/negotiation'
import {
  buildThreadMessage,
  buildThreadTypedData,
  type FoldedThread,
  foldThread,
  getThreadStatus,
  type SignedThreadMessage,
  sealThreadMessage,
  type ThreadPayload,
  type ThreadStatus,
  type ThreadSubject,
  type ThreadType,
} from '@svc/protocol/talk'
import { type Address, type Hex, isAddressEqual, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Mailbox } from './mailbox.ts'

/** A thread of the wallet, and where it stands. */
export interface TalkThread extends FoldedThread {
  me: ThreadSide
  status: ThreadStatus
}

/** A negotiation of the wallet. */
export interface TalkNegotiation extends MergedTranscript {
  state: Negotiation
  /** The party whose turn it is; null if it is over, or if both can act. */
  turn: Party | null
}

/** Asks the wallet for an EIP-712 signature. */
export type SignTypedData = (typedData: TypedDataDefinition) => Promise<Hex>

/** Where a task stands: an offer to end it is valid only there. */
export interface EndPlace {
  settlementDigest: Hex
  milestone: number
  state: CancellableState
  /** Unix seconds; zero if nothing is in review. */
  reviewEnd: number
  disputePhase: DisputePhase
}

/** What a wallet signs beyond its device key. */
export interface WalletSigning {
  signTypedData: SignTypedData
  /** Random: a nonce counts once. */
  nonce: bigint
  /** How long the signature is valid; a permit for seven days, everything else for one by default. */
  validSeconds?: number
  /** Until when it is valid, in unix seconds, instead. */
  expiry?: bigint
}

const aDay = 86_400

/** Everything that two wallets say to each other. */
export type Talk = ReturnType<typeof createTalk>

/**
 * Creates the conversations of a mailbox: threads about tasks, and negotiations of private tasks. The device key signs messages,
 * so the wallet is asked only for what binds on chain.
 *
 * @example
 * ```ts
 * const talk = createTalk(mailbox)
 * await talk.write(subject, 'Question', { text: 'How long may it be?' })
 * ```
 */
export function createTalk(mailbox: Mailbox) {
  const { wallet, keys, now } = mailbox
  const { chainId, domain } = mailbox.checks
  const options = {
    chainId,
    domains: [domain],
    // Conversations are folded again with every message.
    verifySignature: rememberSignatures(mailbox.checks.verifySignature),
    verifyDeviceSignature: rememberSignatures(verifyKeySignature),
  }
  const device = privateKeyToAccount(keys.devicePrivateKey)

  const listThreads = async (): Promise<TalkThread[]> => {
    const groups = new Map<string, { subject: ThreadSubject; messages: SignedThreadMessage[] }>()
    for (const { message } of await mailbox.list()) {
      if (!isThreadMessage(message)) continue
      const subject = message.message
      if (!findSide(subject, wallet) || subject.chainId !== chainId) continue
      const group = groups.get(getThreadKey(subject)) ?? { subject, messages: [] }
      groups.set(getThreadKey(subject), { ...group, messages: [...group.messages, message] })
    }
    const threads: TalkThread[] = []
    for (const { subject, messages } of groups.values()) threads.push(await fold(subject, messages))
    return threads.filter(({ thread, waiting }) => thread.messages.length + waiting.length > 0)
  }

  const fold = async (subject: ThreadSubject, messages: readonly SignedThreadMessage[]): Promise<TalkThread> => {
    const me = findSide(subject, wallet)
    if (!me) throw new SvcError('NOT_A_PARTY', `${wallet} is not a side of this thread.`)
    const folded = await foldThread(subject, messages, options)
    return { ...folded, me, status: getThreadStatus(folded.thread) }
  }

  const readThread = async (subject: ThreadSubject): Promise<TalkThread> => {
    const key = getThreadKey(subject)
    const items = await mailbox.list()
    const messages = items.flatMap(({ message }) =>
      isThreadMessage(message) && getThreadKey(message.message) === key ? [message] : [],
    )
    return fold(subject, messages)
  }

  /** Reads what is new, signs the next message of the thread, and sends it. */
  const write = async <Type extends ThreadType>(
    subject: ThreadSubject,
    type: Type,
    payload: ThreadPayload<Type>,
    { sharesTask = false }: { sharesTask?: boolean } = {},
  ): Promise<TalkThread> => {
    await mailbox.sync()
    const { thread, me } = await readThread(subject)
    const message = buildThreadMessage(thread, { side: me, type, payload, timestamp: new Date(now() * 1_000) })
    const signature = await device.signTypedData(buildThreadTypedData(message))
    const signed = sealThreadMessage(message, signature, requireStatement())
    const to = subject[me === 'poster' ? 'other' : 'poster']
    // Nothing is sent that the other side would refuse.
    const after = await foldThread(subject, [...thread.messages, signed], options)
    const refused = after.refused.find(({ hash }) => hash === signed.hash)
    if (refused) throw new MessageRefusedError(refused.reason)
    await mailbox.send(signed, [to], sharesTask ? parseTaskId(subject.taskId) : undefined)
    return readThread(subject)
  }

  const requireStatement = () => {
    if (!keys.statement) throw new SvcError('NOT_SIGNED_IN', 'The wallet has not signed in on this device.')
    return { message: keys.statement.message, signature: keys.statement.signature }
  }

  const listNegotiations = async (): Promise<TalkNegotiation[]> => {
    const groups = new Map<string, SignedMessage[]>()
    for (const { message } of await mailbox.list()) {
      if (isThreadMessage(message)) continue
      const { negotiationId } = message.envelope
      groups.set(negotiationId, [...(groups.get(negotiationId) ?? []), message])
    }
    const found: TalkNegotiation[] = []
    for (const messages of groups.values()) {
      const merged = await mergeTranscript(messages, options)
      const { state } = merged
      if (state && listParticipants(state).some((each) => isAddressEqual(each, wallet))) {
        found.push({ ...merged, state, turn: getNegotiationTurn(state, merged.messages) })
      }
    }
    return found
  }

  const readNegotiation = async (id: string): Promise<TalkNegotiation> => {
    const found = (await listNegotiations()).find(({ state }) => state.negotiationId === id)
    if (!found) throw new SvcError('UNKNOWN_NEGOTIATION', `There is no negotiation ${id.slice(0, 40)} in this mailbox.`)
    return found
  }

  const say = async <Type extends MessageType>(
    end: ChainEnd,
    state: Negotiation | null,
    recipients: readonly Address[],
    content: { type: Type; payload: MessagePayload<Type>; taskId?: string },
  ): Promise<TalkNegotiation> => {
    const envelope = buildEnvelope(end, {
      ...content,
      sender: { evmAddress: wallet },
      timestamp: new Date(now() * 1_000),
    })
    const signature = await device.signTypedData(buildEnvelopeTypedData(chainId, envelope))
    const message = sealMessage(envelope, signature, requireStatement())
    // Nothing is sent that the other side would refuse.
    await applyMessage(state, message, options)
    const { parties } = state ?? { parties: null }
    const others = recipients.filter((each) => !isAddressEqual(each, wallet))
    const isParty = (each: Address) =>
      parties === null || Object.values(parties).some((one) => isAddressEqual(one, each))
    await mailbox.send(message, others.filter(isParty))
    for (const supervisor of others.filter((each) => !isParty(each))) {
      await mailbox.send(message, [supervisor]).catch((error: unknown) => {
        // A supervisor that cannot be reached must not keep the parties from talking. It can read the transcript later.
        if (!(error instanceof ApiError) && !(error instanceof SvcError)) throw error
      })
    }
    return readNegotiation(end.negotiationId)
  }

  /** Reads what is new, then sends the next message of a negotiation to both parties and their supervisors. */
  const reply = async <Type extends MessageType>(
    id: string,
    compose: (
      state: Negotiation,
    ) =>
      | { type: Type; payload: MessagePayload<Type>; taskId?: string }
      | Promise<{ type: Type; payload: MessagePayload<Type>; taskId?: string }>,
  ): Promise<TalkNegotiation> => {
    await mailbox.sync()
    const { state } = await readNegotiation(id)
    return say(state, state, listParticipants(state), await compose(state))
  }

  return {
    mailbox,
    listThreads,
    readThread,
    write,
    /** Chooses an applicant: the wallet signs a permit for the terms with this worker, and the thread carries it. */
    async choose(
      subject: ThreadSubject,
      settlementDigest: Hex,
      { signTypedData, nonce, validSeconds = 7 * aDay, expiry = BigInt(now() + validSeconds) }: WalletSigning,
    ): Promise<TalkThread> {
      const taskId = parseTaskId(subject.taskId).number
      const claim = { taskId, settlementDigest, worker: subject.other, nonce, expiry }
      const data = await signTypedData(buildClaimPermitTypedData(subject, claim))
      return write(subject, 'Permit', { settlementDigest, permit: { nonce, expiry, data } })
    },
    /** Offers to end the task with a share for the worker, or accepts the same offer of the other side. */
    async proposeEnd(
      subject: ThreadSubject,
      workerBps: number,
      place: EndPlace,
      { signTypedData, nonce, validSeconds = aDay, expiry = BigInt(now() + validSeconds) }: WalletSigning,
    ): Promise<TalkThread> {
      const taskId = parseTaskId(subject.taskId)
      const shared = {
        settlementDigest: place.settlementDigest,
        milestone: BigInt(place.milestone),
        reviewEnd: BigInt(place.reviewEnd),
        workerBps: BigInt(workerBps),
        nonce,
        expiry,
      }
      const typed = buildMutualCancelTypedData(subject, {
        ...shared,
        taskId: taskId.number,
        state: taskStates.indexOf(place.state),
        disputePhase: disputePhases.indexOf(place.disputePhase),
        party: wallet,
      })
      const signature = await signTypedData(typed)
      const { state, disputePhase } = place
      return write(subject, 'EndProposal', { ...shared, taskId, state, disputePhase, signature }, { sharesTask: true })
    },
    listNegotiations,
    readNegotiation,
    reply,
    /** Proposes a private task. The terms name both parties. */
    async propose(terms: TermsDocument, id: string = crypto.randomUUID()): Promise<TalkNegotiation> {
      if (!terms.worker) throw new SvcError('NO_WORKER', 'The terms of a private task name its worker.')
      return say(startChain(id), null, [terms.poster, terms.worker], { type: 'TaskProposal', payload: { terms } })
    },
    counter: (id: string, change: (current: TermsDocument) => TermsDocument, reason?: string) =>
      reply(id, ({ terms }) => ({
        type: 'TaskCounterOffer',
        payload: { replaces: terms.settlementDigest, terms: change(terms), ...(reason ? { reason } : {}) },
      })),
    /** Accepts the offer with this digest: the wallet signs what `create-task` takes. Throws if the current offer is another one. */
    accept: (
      id: string,
      digest: Hex,
      { signTypedData, nonce, validSeconds = aDay, expiry = BigInt(now() + validSeconds) }: WalletSigning,
    ) =>
      reply(id, async ({ terms, parties }) => {
        const { settlementDigest } = terms
        if (settlementDigest !== digest.toLowerCase()) {
          throw new SvcError(
            'OFFER_CHANGED',
            `The current offer is ${settlementDigest}, not ${digest}. Review it first.`,
          )
        }
        const fresh = { party: wallet, nonce, expiry }
        const typed = buildAcceptanceTypedData(toSigningContext(terms), {
          terms: toTaskTerms(terms),
          worker: parties.worker,
          ...fresh,
        })
        const signature = await signTypedData(typed)
        return { type: 'TaskAcceptance', payload: { settlementDigest, ...fresh, signature } }
      }),
  }
}

/** Lists who receives the messages of a negotiation: the parties and the supervisors that they linked. */
export function listParticipants({ parties, links }: Pick<Negotiation, 'parties' | 'links'>): Address[] {
  const supervisors = links.flatMap((link) => (link.relation === 'supervisor' ? [link.subject] : []))
  return [...new Set([...Object.values(parties), ...supervisors])]
}

function findSide({ poster, other }: Pick<ThreadSubject, 'poster' | 'other'>, wallet: Address): ThreadSide | null {
  if (isAddressEqual(poster, wallet)) return 'poster'
  return isAddressEqual(other, wallet) ? 'other' : null
}
