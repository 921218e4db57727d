import { formatTime } from '@svc/protocol'
import { actions, encodeActionInput } from '@svc/protocol/actions'
import { buildClaimInput, buildEndInput, type SignedThreadMessage } from '@svc/protocol/talk'
import type { TalkNegotiation, TalkThread } from '@svc/work'
import { type Address, getAddress, isAddressEqual } from 'viem'
import { quoteLines, toPlainText, toSingleLine } from '../negotiate/plainText.ts'

/** Converts a thread to JSON for programs. Text of others is only in fields named `untrusted…`. */
export function threadToJson({ thread, me, status, waiting, misconduct }: TalkThread) {
  const { subject, messages } = thread
  return {
    taskId: subject.taskId,
    with: subject[me === 'poster' ? 'other' : 'poster'],
    role: me === 'poster' ? 'poster' : 'worker',
    yourTurn: status.turn === me || status.turn === 'both',
    turn: describeTurn({ me, status }),
    open: status.open.map(({ side, hash, type }) => ({ type, hash, reactsYou: side === me })),
    hasPermit: status.permit !== null,
    isEndAgreed: status.isEndAgreed,
    endOffers: {
      yours: formatShare(status.ends[me]?.workerBps),
      theirs: formatShare(status.ends[me === 'poster' ? 'other' : 'poster']?.workerBps),
    },
    waiting: waiting.length,
    misconduct: misconduct.map(({ author, sequence, messages }) => ({
      author: subject[author],
      sequence,
      hashes: messages.map(({ hash }) => hash),
    })),
    messages: messages.map((each) => threadMessageToJson(each)),
  }
}

const formatShare = (bps: bigint | undefined) => (bps === undefined ? null : Number(bps))

function threadMessageToJson({ message, hash }: SignedThreadMessage) {
  const { type, sender, timestamp, sequence } = message
  return { type, hash, sender, sequence, timestamp, untrustedWords: listWords(message.payload).map(toPlainText) }
}

/** Describes a thread for people: its messages as quotations, and whose turn it is. */
export function describeThread(found: TalkThread): string[] {
  const { thread, me, misconduct, waiting } = found
  const { subject, messages } = thread
  const partner = subject[me === 'poster' ? 'other' : 'poster']
  return [
    `${subject.taskId} with ${partner}: ${describeTurn(found)}`,
    ...messages.flatMap(({ message }) => [
      `  ${message.type} by ${message.sender === subject[me] ? 'you' : message.sender}, ${toSingleLine(message.timestamp)}`,
      ...listWords(message.payload).flatMap((text) => quoteLines(text).map((line) => `   ${line}`)),
    ]),
    ...(waiting.length > 0 ? [`  ${waiting.length} messages wait for others that have not arrived.`] : []),
    ...misconduct.map(
      ({ author, sequence }) =>
        `  ${subject[author]} signed two different messages ${sequence}: both are refused, and prove it.`,
    ),
  ]
}

/** Says whose turn it is, in a sentence. */
function describeTurn({ me, status }: Pick<TalkThread, 'me' | 'status'>): string {
  const mine = status.open.filter(({ side }) => side === me)
  if (mine.length > 0) return `your turn (${mine.map(({ type }) => type).join(', ')})`
  if (status.isEndAgreed) return 'both agreed to end the task'
  return status.turn === null ? 'nobody waits' : 'their turn'
}

/** Converts a negotiation to JSON for programs. */
export function negotiationToJson({ state, turn, messages, dropped }: TalkNegotiation, wallet: Address) {
  const { negotiationId, phase, parties, terms, acceptances } = state
  return {
    negotiationId,
    phase,
    parties,
    turn: turn && parties[turn],
    yourTurn: turn !== null && isAddressEqual(parties[turn], wallet),
    settlementDigest: terms.settlementDigest,
    accepted: { poster: acceptances.poster !== undefined, worker: acceptances.worker !== undefined },
    messages: messages.length,
    dropped: dropped.length,
    totalTokWei: String(terms.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)),
    claimDeadline: Number(terms.claimDeadline),
    untrustedTitle: toPlainText(terms.title),
    untrustedCriteria: toPlainText(terms.criteria),
  }
}

export function describeNegotiation({ state, turn }: TalkNegotiation, wallet: Address): string {
  const { negotiationId, phase, parties, terms } = state
  const next = turn === null ? '' : isAddressEqual(parties[turn], wallet) ? '; your turn' : '; their turn'
  const until = formatTime(terms.claimDeadline)
  return `Negotiation ${negotiationId}: ${phase}${next}. "${toSingleLine(terms.title)}", offer ${terms.settlementDigest}, until ${until}.`
}

/** Lists the free text of a payload. Hashes, signatures and numbers are left out. */
function listWords(payload: object): string[] {
  return Object.entries(payload).flatMap(([field, value]) => {
    if (!['text', 'reason', 'claims', 'links'].includes(field)) return []
    return Array.isArray(value) ? value.map(String) : [String(value)]
  })
}

/** The action that a thread makes possible for its reader: to claim with a permit, or to end the task. Null if there is none. */
export function findNextAction({ thread, me }: TalkThread): { action: string; input: object } | null {
  const end = buildEndInput(thread)
  if (end) return { action: 'mutual-cancel', input: encodeActionInput(actions['mutual-cancel'], end) }
  const claim = me === 'other' ? buildClaimInput(thread) : null
  return claim && { action: 'claim-task', input: encodeActionInput(actions['claim-task'], claim) }
}

/** The wallet that another one talks with in a thread. */
export const getPartner = ({ thread: { subject }, me }: TalkThread): Address =>
  getAddress(subject[me === 'poster' ? 'other' : 'poster'])
