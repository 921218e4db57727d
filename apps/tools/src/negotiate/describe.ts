import { formatAmount, formatDuration, formatTime, type TermsDocument } from '@svc/protocol'
import {
  getNegotiationTurn,
  listAllowedMessages,
  type Negotiation,
  type SignedMessage,
} from '@svc/protocol/negotiation'
import { quoteLines, toPlainText, toSingleLine } from './plainText.ts'
import type { Transcript } from './transcriptStore.ts'

/** Summarizes a negotiation in one line. */
export function summarizeNegotiation({ negotiationId, phase, length, terms }: Negotiation): string {
  return `${negotiationId}  ${phase}  ${length} message${length === 1 ? '' : 's'}  "${toSingleLine(terms.title)}"`
}

/** Describes a negotiation for people: the current offer, who accepted it, all messages, and what each party can send next. */
export function describeTranscript({ state, messages }: Transcript): string {
  const { terms, parties, acceptances, phase, negotiationId, taskId } = state
  return [
    `Negotiation ${negotiationId}: ${phase}${describeTurn(state, messages)}`,
    ...(['poster', 'worker'] as const).map((party) => {
      const accepted = acceptances[party]
      const status = accepted ? `accepted, valid until ${formatTime(accepted.expiry)}` : 'has not accepted'
      return `  ${party} ${parties[party]} ${status}; can send: ${listAllowedMessages(phase, party).join(', ') || 'nothing'}`
    }),
    ...(taskId ? [`  task ${taskId}, as named by a party; check it on chain`] : []),
    ...describeTerms(terms),
    'Messages:',
    ...messages.flatMap(describeMessage),
  ].join('\n')
}

function describeTurn(state: Negotiation, messages: readonly SignedMessage[]): string {
  const turn = getNegotiationTurn(state, messages)
  return turn === null ? '' : `; it is the ${turn}'s turn`
}

/** Describes one message for people: its type, its sender, and the sender's text as a quotation. */
export function describeMessage({ envelope }: SignedMessage): string[] {
  const { sequence, type, sender, timestamp } = envelope
  return [
    `  ${sequence}. ${type} by ${sender.evmAddress}, ${toSingleLine(timestamp)}`,
    ...listSenderTexts(envelope.payload).flatMap(([field, text]) => [
      `     ${field}:`,
      ...quoteLines(text).map((line) => `   ${line}`),
    ]),
  ]
}

/** Converts a negotiation to JSON for programs. Untrusted text is only in fields named `untrusted…`. */
export function transcriptToJson({ state, messages }: Transcript) {
  const { terms, parties, acceptances, phase, negotiationId, length, head, taskId, milestone } = state
  return {
    negotiationId,
    phase,
    length,
    head,
    parties,
    settlementDigest: terms.settlementDigest,
    market: terms.market,
    accepted: { poster: acceptances.poster !== undefined, worker: acceptances.worker !== undefined },
    maySay: { poster: listAllowedMessages(phase, 'poster'), worker: listAllowedMessages(phase, 'worker') },
    turn: getNegotiationTurn(state, messages),
    saidTaskId: taskId,
    milestoneInWork: milestone,
    milestones: terms.milestones.map((each) => ({
      amountTokWei: each.amountTokWei.toString(),
      durationSeconds: Number(each.durationSeconds),
      untrustedTitle: toPlainText(each.title),
    })),
    reviewWindowSeconds: Number(terms.reviewWindowSeconds),
    maxRevisions: terms.maxRevisions,
    arbitrator: terms.arbitrator,
    claimDeadline: Number(terms.claimDeadline),
    untrustedTitle: toPlainText(terms.title),
    untrustedCriteria: toPlainText(terms.criteria),
    messages: messages.map(messageToJson),
  }
}

/** Converts one message to JSON for programs. */
export function messageToJson({ envelope, hash }: SignedMessage) {
  const { negotiationId, sequence, type, sender, timestamp, payload } = envelope
  const texts = Object.fromEntries(listSenderTexts(payload).map(([field, said]) => [field, toPlainText(said)]))
  return { negotiationId, sequence, type, hash, sender: sender.evmAddress, timestamp, untrustedWords: texts }
}

function describeTerms(terms: TermsDocument): string[] {
  const total = terms.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
  return [
    `Offer ${terms.settlementDigest}: ${formatAmount(total, 'tok')} in the ${terms.market} market`,
    ...quoteLines(terms.title),
    ...quoteLines(terms.criteria),
    ...terms.milestones.map(
      ({ title, amountTokWei, durationSeconds }, index) =>
        `  ${index + 1}. ${formatAmount(amountTokWei, 'tok')}, ${formatDuration(durationSeconds)}: "${toSingleLine(title)}"`,
    ),
    `  review within ${formatDuration(terms.reviewWindowSeconds)}, at most ${terms.maxRevisions} revisions, arbitrator ${terms.arbitrator ?? 'none named'}, must be created by ${formatTime(terms.claimDeadline)}`,
  ]
}

/** Lists the free text of a payload by field, except the terms, which are shown separately. */
function listSenderTexts(payload: object): [field: string, text: string][] {
  return Object.entries(payload).flatMap(([field, value]): [string, string][] => {
    if (typeof value === 'string' && senderFields.has(field)) return [[field, value]]
    if (Array.isArray(value) && senderFields.has(field))
      return value.map((each, index) => [`${field}.${index}`, String(each)])
    return []
  })
}

const senderFields: ReadonlySet<string> = new Set([
  'reason',
  'note',
  'evidence',
  'summary',
  'claims',
  'links',
  'subject',
])
