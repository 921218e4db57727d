import { formatAmount, formatDuration, formatTime, type TermsDocument } from '@svc/protocol'
import { allowedMessages, type Negotiation, type SignedMessage } from '@svc/protocol/negotiation'
import type { Transcript } from './book.ts'
import { inLine, plainWords, quotation } from './plainWords.ts'

/** A negotiation in a line. */
export function describeBriefly({ negotiationId, phase, length, terms }: Negotiation): string {
  return `${negotiationId}  ${phase}  ${length} message${length === 1 ? '' : 's'}  "${inLine(terms.title)}"`
}

/** A negotiation for a person: what stands, who accepted it, every message, and what each may say next. */
export function describe({ state, messages }: Transcript): string {
  const { terms, parties, acceptances, phase, negotiationId, taskId } = state
  return [
    `Negotiation ${negotiationId}: ${phase}`,
    ...(['poster', 'worker'] as const).map((party) => {
      const accepted = acceptances[party]
      const word = accepted ? `accepted, good until ${formatTime(accepted.expiry)}` : 'has not accepted'
      return `  ${party} ${parties[party]} ${word}; may say: ${allowedMessages(phase, party).join(', ') || 'nothing'}`
    }),
    ...(taskId ? [`  task ${taskId}, as a party says: the chain knows`] : []),
    ...describeTerms(terms),
    'Messages:',
    ...messages.flatMap(describeMessage),
  ].join('\n')
}

/** One message for a person: its kind, its sender, and the sender's words as a quotation. */
export function describeMessage({ envelope }: SignedMessage): string[] {
  const { sequence, type, sender, timestamp } = envelope
  return [
    `  ${sequence}. ${type} by ${sender.evmAddress}, ${inLine(timestamp)}`,
    ...wordsOf(envelope.payload).flatMap(([field, words]) => [
      `     ${field}:`,
      ...quotation(words).map((line) => `   ${line}`),
    ]),
  ]
}

/** A negotiation for a program. Strangers' words stand only in fields named `untrusted…`. */
export function toJson({ state, messages }: Transcript) {
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
    maySay: { poster: allowedMessages(phase, 'poster'), worker: allowedMessages(phase, 'worker') },
    saidTaskId: taskId,
    milestoneInWork: milestone,
    milestones: terms.milestones.map((each) => ({
      amountTokWei: each.amountTokWei.toString(),
      durationSeconds: Number(each.durationSeconds),
      untrustedTitle: plainWords(each.title),
    })),
    reviewWindowSeconds: Number(terms.reviewWindowSeconds),
    maxRevisions: terms.maxRevisions,
    arbitrator: terms.arbitrator,
    claimDeadline: Number(terms.claimDeadline),
    untrustedTitle: plainWords(terms.title),
    untrustedCriteria: plainWords(terms.criteria),
    messages: messages.map(messageToJson),
  }
}

/** One message for a program. */
export function messageToJson({ envelope, hash }: SignedMessage) {
  const { negotiationId, sequence, type, sender, timestamp, payload } = envelope
  const words = Object.fromEntries(wordsOf(payload).map(([field, said]) => [field, plainWords(said)]))
  return { negotiationId, sequence, type, hash, sender: sender.evmAddress, timestamp, untrustedWords: words }
}

function describeTerms(terms: TermsDocument): string[] {
  const total = terms.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
  return [
    `Offer ${terms.settlementDigest}: ${formatAmount(total, 'tok')} in the ${terms.market} market`,
    ...quotation(terms.title),
    ...quotation(terms.criteria),
    ...terms.milestones.map(
      ({ title, amountTokWei, durationSeconds }, index) =>
        `  ${index + 1}. ${formatAmount(amountTokWei, 'tok')}, ${formatDuration(durationSeconds)}: "${inLine(title)}"`,
    ),
    `  review within ${formatDuration(terms.reviewWindowSeconds)}, at most ${terms.maxRevisions} revisions, arbitrator ${terms.arbitrator ?? 'none named'}, to be created by ${formatTime(terms.claimDeadline)}`,
  ]
}

/** The words of a payload that are its sender's own, by field. The terms have a place of theirs. */
function wordsOf(payload: object): [field: string, words: string][] {
  return Object.entries(payload).flatMap(([field, value]): [string, string][] => {
    if (typeof value === 'string' && spoken.has(field)) return [[field, value]]
    if (Array.isArray(value) && spoken.has(field))
      return value.map((each, index) => [`${field}.${index}`, String(each)])
    return []
  })
}

const spoken: ReadonlySet<string> = new Set(['reason', 'note', 'evidence', 'summary', 'claims', 'links', 'subject'])
