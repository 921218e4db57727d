import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type { MutualCancelPayload } from '../negotiation/state.ts'
import { parseTaskId, type TaskId } from '../tasks/taskId.ts'
import type { Thread } from './thread.ts'
import { type ThreadPayload, type ThreadSide, threadKinds } from './threadKinds.ts'
import type { SignedThreadMessage, ThreadMessage } from './threadMessage.ts'

/** Something that one side asked for and the other side has not reacted to. */
interface OpenRequest {
  /** The side that should react. */
  side: ThreadSide
  hash: Hex
  type: ThreadMessage['type']
}

/** Where a thread stands. */
export interface ThreadStatus {
  /** Whose turn it is; both sides can have something to react to. */
  turn: ThreadSide | 'both' | null
  open: readonly OpenRequest[]
  /** The last application that was not declined; null if there is none. */
  application: SignedThreadMessage | null
  /** The last permit; null if there is none. */
  permit: ThreadPayload<'Permit'> | null
  /** The last offer of each side to end the task that was neither replaced nor declined. */
  ends: { readonly [Side in ThreadSide]?: MutualCancelPayload }
  /** Whether both offer the same end. */
  isEndAgreed: boolean
}

/**
 * Says where a thread stands and whose turn it is. Whether a permit was used or a task has ended, only the chain says.
 *
 * @example
 * ```ts
 * const { turn, application } = getThreadStatus(thread)
 * ```
 */
export function getThreadStatus({ messages, subject }: Pick<Thread, 'messages' | 'subject'>): ThreadStatus {
  let open: OpenRequest[] = []
  let application: SignedThreadMessage | null = null
  let permit: ThreadPayload<'Permit'> | null = null
  let ends: { [Side in ThreadSide]?: MutualCancelPayload } = {}
  for (const signed of messages) {
    const { message, hash } = signed
    const side: ThreadSide = message.sender === subject.poster ? 'poster' : 'other'
    const opposite: ThreadSide = side === 'poster' ? 'other' : 'poster'
    // A newer request of the same kind replaces the older one, except questions.
    if (message.type !== 'Question')
      open = open.filter((each) => !(each.side === opposite && each.type === message.type))
    open = open.filter((each) => each.side !== side || !isReaction(message, each))
    if (message.type === 'Application') application = signed
    if (message.type === 'Permit') permit = z.decode(threadKinds.Permit.payload, message.payload)
    if (message.type === 'EndProposal') {
      ends = { ...ends, [side]: z.decode(threadKinds.EndProposal.payload, message.payload) }
    }
    if (message.type === 'Decline') {
      if (side === 'poster') application = null
      ends = {}
    }
    if (threadKinds[message.type].asks) open = [...open, { side: opposite, hash, type: message.type }]
  }
  const isEndAgreed = endsAlike(ends)
  if (isEndAgreed) open = open.filter(({ type }) => type !== 'EndProposal')
  return { turn: findTurn(open), open, application, permit, ends, isEndAgreed }
}

/** Returns the input of `claim-task` with the permit of a thread; null if there is none. */
export function buildClaimInput(
  thread: Pick<Thread, 'messages' | 'subject'>,
): { taskId: TaskId; settlementDigest: Hex; permit: ThreadPayload<'Permit'>['permit'] } | null {
  const { permit } = getThreadStatus(thread)
  return permit && { taskId: parseTaskId(thread.subject.taskId), ...permit }
}

/** Returns the input of `mutual-cancel` that both sides of a thread signed; null before that. The other side must be the worker. */
export function buildEndInput(thread: Pick<Thread, 'messages' | 'subject'>) {
  const { ends, isEndAgreed } = getThreadStatus(thread)
  if (!isEndAgreed || !ends.poster || !ends.other) return null
  const toSignature = ({ nonce, expiry, signature }: MutualCancelPayload) => ({ nonce, expiry, data: signature })
  return {
    taskId: parseTaskId(thread.subject.taskId),
    workerBps: ends.poster.workerBps,
    posterSignature: toSignature(ends.poster),
    workerSignature: toSignature(ends.other),
  }
}

function isReaction(message: ThreadMessage, { type, hash }: OpenRequest): boolean {
  switch (message.type) {
    case 'Answer':
      return message.payload.answers.toLowerCase() === hash
    case 'Permit':
      return type === 'Application' || type === 'Question'
    case 'Application':
      return type === 'Invitation'
    case 'EndProposal':
      return type === 'EndProposal'
    case 'Decline':
      return true
    default:
      return false
  }
}

function endsAlike({ poster, other }: ThreadStatus['ends']): boolean {
  return (
    poster !== undefined &&
    other !== undefined &&
    poster.settlementDigest === other.settlementDigest &&
    poster.milestone === other.milestone &&
    poster.state === other.state &&
    poster.reviewEnd === other.reviewEnd &&
    poster.disputePhase === other.disputePhase &&
    poster.workerBps === other.workerBps
  )
}

function findTurn(open: readonly OpenRequest[]): ThreadStatus['turn'] {
  const sides = new Set(open.map(({ side }) => side))
  if (sides.size > 1) return 'both'
  return [...sides][0] ?? null
}
