import { type Hex, hashTypedData, zeroHash } from 'viem'
import * as z from 'zod/mini'
import type { ChainOptions } from '../negotiation/chain.ts'
import { assertAllowed, MessageRefusedError } from '../negotiation/messageErrors.ts'
import { hashCancelOffer } from '../negotiation/messages/work.ts'
import type { SealCheck } from '../negotiation/seal.ts'
import { verifyKeySignature } from '../negotiation/signatures.ts'
import { parseTaskId } from '../tasks/taskId.ts'
import { buildClaimPermitTypedData } from '../terms/typedData.ts'
import { type ThreadPayload, type ThreadSide, type ThreadType, threadKinds } from './threadKinds.ts'
import {
  type SignedThreadMessage,
  type ThreadMessage,
  type ThreadSubject,
  threadVersion,
  verifyThreadMessage,
} from './threadMessage.ts'

/** The end of an author's chain: where its next message goes. */
interface ThreadEnd {
  length: number
  head: Hex
}

/** A thread as both sides see it. */
export interface Thread {
  subject: ThreadSubject
  /** In an order that both sides compute alike: every message comes after what its author had seen. */
  messages: readonly SignedThreadMessage[]
  ends: Readonly<Record<ThreadSide, ThreadEnd>>
}

/** Two different messages that one author signed for the same place. Together they prove it to anyone. */
interface Misconduct {
  author: ThreadSide
  sequence: number
  messages: readonly SignedThreadMessage[]
}

export interface FoldedThread {
  thread: Thread
  /** Messages that name others which have not arrived. */
  waiting: readonly SignedThreadMessage[]
  refused: readonly { hash: Hex; reason: string }[]
  misconduct: readonly Misconduct[]
}

export type ThreadOptions = Omit<ChainOptions, 'head'>

/** Returns the text that names a thread: its messages have the same. */
export function getThreadKey({ chainId, taskRegistry, taskId, poster, other }: ThreadSubject): string {
  return [chainId, taskRegistry, taskId, poster, other].join(' ').toLowerCase()
}

/** Starts a thread without messages. */
export function startThread(subject: ThreadSubject): Thread {
  const { chainId, taskRegistry, taskId, poster, other } = subject
  const end = { length: 0, head: zeroHash }
  return {
    subject: { chainId, taskRegistry, taskId, poster, other },
    messages: [],
    ends: { poster: end, other: end },
  }
}

/**
 * Builds the next message of one side of a thread, ready to be signed.
 *
 * @example
 * ```ts
 * const message = buildThreadMessage(thread, { side: 'other', type: 'Question', payload: { text: 'How long?' }, timestamp: new Date() })
 * ```
 */
export function buildThreadMessage<Type extends ThreadType>(
  { subject, ends }: Thread,
  { side, type, payload, timestamp }: { side: ThreadSide; type: Type; payload: ThreadPayload<Type>; timestamp: Date },
): ThreadMessage {
  const schema: z.ZodMiniType = threadKinds[type].payload
  return {
    schemaVersion: threadVersion,
    type,
    ...subject,
    sender: subject[side],
    sequence: ends[side].length + 1,
    previousHash: ends[side].head,
    seen: ends[side === 'poster' ? 'other' : 'poster'].head,
    timestamp: timestamp.toISOString(),
    payload: z.encode(schema, payload),
  } as ThreadMessage
}

/**
 * Folds messages of one thread, in any order and with duplicates. Each author has a hash chain, so there is no race, and the
 * result does not depend on the order of arrival. Two messages of one author for the same place are both refused, and so is what
 * follows them.
 *
 * @example
 * ```ts
 * const { thread, misconduct } = await foldThread(subject, messages, { chainId, domains: ['market.example'] })
 * ```
 */
export async function foldThread(
  subject: ThreadSubject,
  messages: readonly unknown[],
  options: ThreadOptions,
): Promise<FoldedThread> {
  const check = { ...options, verifySignature: options.verifySignature ?? verifyKeySignature }
  const key = getThreadKey(subject)
  const refused: { hash: Hex; reason: string }[] = []
  const chains: Record<ThreadSide, Map<number, SignedThreadMessage[]>> = { poster: new Map(), other: new Map() }
  const known = new Set<Hex>()
  for (const value of messages) {
    try {
      const side = await verifyThreadMessage(value, check)
      const signed = value as SignedThreadMessage
      assertAllowed(getThreadKey(signed.message) === key, 'it belongs to another thread.')
      if (known.has(signed.hash)) continue
      known.add(signed.hash)
      await checkPayload(signed.message, check)
      const { sequence } = signed.message
      chains[side].set(sequence, [...(chains[side].get(sequence) ?? []), signed])
    } catch (error) {
      if (!(error instanceof MessageRefusedError)) throw error
      refused.push({ hash: readHash(value), reason: error.reason })
    }
  }
  return { ...mergeChains(startThread(subject), chains, refused), refused, misconduct: listMisconduct(chains) }
}

type Chains = Readonly<Record<ThreadSide, ReadonlyMap<number, readonly SignedThreadMessage[]>>>

/** Puts two chains into one order: every message after what it names; if both could be next, the poster's. */
function mergeChains(
  start: Thread,
  chains: Chains,
  refused: { hash: Hex; reason: string }[],
): { thread: Thread; waiting: SignedThreadMessage[] } {
  let thread = start
  const places = new Map<Hex, number>([[zeroHash, 0]])
  const stopped = new Set<ThreadSide>()
  const lastSeen = { poster: 0, other: 0 }
  for (;;) {
    const side = (['poster', 'other'] as const).find((each) => {
      const next = stopped.has(each) ? undefined : findNext(thread, chains, each)
      return next !== undefined && places.has(next.message.seen)
    })
    const next = side && findNext(thread, chains, side)
    if (!side || !next) break
    const place = places.get(next.message.seen) ?? 0
    const problem = findProblem(thread, next, side, place < lastSeen[side])
    if (problem) {
      refused.push({ hash: next.hash, reason: problem })
      stopped.add(side)
      continue
    }
    lastSeen[side] = place
    const ends = { ...thread.ends, [side]: { length: next.message.sequence, head: next.hash } }
    thread = { ...thread, messages: [...thread.messages, next], ends }
    places.set(next.hash, thread.messages.length)
  }
  const held = new Set(thread.messages.map(({ hash }) => hash))
  const out = new Set(refused.map(({ hash }) => hash))
  const rest = [...chains.poster.values(), ...chains.other.values()].flat()
  return { thread, waiting: rest.filter(({ hash }) => !held.has(hash) && !out.has(hash)) }
}

/** The message that continues an author's chain; undefined if there is none, or if the author signed two. */
function findNext({ ends }: Thread, chains: Chains, side: ThreadSide): SignedThreadMessage | undefined {
  const { length } = ends[side]
  const [next, rival] = chains[side].get(length + 1) ?? []
  return rival ? undefined : next
}

function findProblem(
  { ends, messages, subject }: Thread,
  { message }: SignedThreadMessage,
  side: ThreadSide,
  isBackwards: boolean,
): string | null {
  if (message.previousHash !== ends[side].head) return 'its previousHash is not the hash of the previous message.'
  const seen = messages.find(({ hash }) => hash === message.seen)
  if (seen && seen.message.sender === subject[side]) return 'it names its own message as one of the other side.'
  if (isBackwards) return 'it names an older message of the other side than the one before.'
  if (message.type !== 'Answer') return null
  const asked = messages.find(({ hash }) => hash === message.payload.answers.toLowerCase())
  const isTheirs = asked !== undefined && asked.message.sender !== subject[side]
  return isTheirs ? null : 'it answers a message that the other side did not write.'
}

/** Verifies what binds on chain: a wallet signs it itself, never a device key. */
async function checkPayload(message: ThreadMessage, { verifySignature }: SealCheck): Promise<void> {
  const { chainId, taskRegistry, poster, other, sender, taskId } = message
  const sentAt = BigInt(Math.floor(Date.parse(message.timestamp) / 1000))
  if (message.type === 'Permit') {
    const { settlementDigest, permit } = z.decode(threadKinds.Permit.payload, message.payload)
    const { nonce, expiry, data } = permit
    const claim = { taskId: parseTaskId(taskId).number, settlementDigest, worker: other, nonce, expiry }
    const hash = hashTypedData(buildClaimPermitTypedData({ chainId, taskRegistry }, claim))
    assertAllowed(expiry >= sentAt, 'its permit had already expired when it was sent.')
    assertAllowed(
      await verifySignature({ address: poster, hash, signature: data }),
      'the poster did not sign its permit.',
    )
  }
  if (message.type === 'EndProposal') {
    const offer = z.decode(threadKinds.EndProposal.payload, message.payload)
    const { market, number } = parseTaskId(taskId)
    const isOurs = offer.taskId.market === market && offer.taskId.number === number
    assertAllowed(isOurs, 'it ends another task.')
    assertAllowed(offer.expiry >= sentAt, 'its signature had already expired when it was sent.')
    const hash = hashCancelOffer({ chainId, taskRegistry }, offer, sender)
    const { signature } = offer
    assertAllowed(
      await verifySignature({ address: sender, hash, signature }),
      'its sender did not sign the end of the task.',
    )
  }
}

function listMisconduct(chains: Chains): Misconduct[] {
  return (['poster', 'other'] as const).flatMap((author) =>
    [...chains[author]].flatMap(([sequence, messages]) =>
      messages.length > 1 ? [{ author, sequence, messages }] : [],
    ),
  )
}

const hashed = z.object({ hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/)) })

function readHash(value: unknown): Hex {
  const { success, data } = z.safeParse(hashed, value)
  return success ? `0x${data.hash.slice(2)}` : zeroHash
}
