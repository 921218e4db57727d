import { formatAmount, formatDuration, formatTime } from '@svc/protocol'
import type { NegotiationPhase } from '@svc/protocol/internal/negotiation'
import type { Agreement } from '@svc/protocol/negotiation'
import { quoteLines, toSingleLine } from '../negotiate/plainText.ts'

const progress: Partial<Record<NegotiationPhase, string>> = {
  DELIVERED: 'A delivery is under review.',
  DISPUTED: 'A delivery is disputed.',
  DONE: 'The poster accepted all the work.',
  CANCELLED: 'Later both agreed to cancel.',
}

/** Describes what an agreement file proves. Text of the parties is quoted. */
export function describeAgreement(
  { terms, settlementDigest, acceptances, ...agreement }: Agreement,
  digest: string | undefined,
): string[] {
  const total = terms.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
  const milestones = terms.milestones.map(
    ({ title, amountTokWei, durationSeconds }, index) =>
      `  ${index + 1}. ${toSingleLine(title)}: ${formatAmount(amountTokWei, 'tok')}, ${formatDuration(durationSeconds)}`,
  )
  const signed = (['poster', 'worker'] as const).map(
    (party) => `  ${party} ${agreement[party]}, valid until ${formatTime(acceptances[party].expiry)}`,
  )
  return [
    `Both parties agreed. ${progress[agreement.phase] ?? ''}`.trim(),
    '',
    `Task: ${toSingleLine(terms.title)}`,
    ...quoteLines(terms.criteria),
    `Pays ${formatAmount(total, 'tok')} for ${terms.milestones.length} milestone${terms.milestones.length > 1 ? 's' : ''}:`,
    ...milestones,
    `Review within ${formatDuration(terms.reviewWindowSeconds)}, at most ${terms.maxRevisions} revisions per milestone.`,
    `Arbitrator: ${terms.arbitrator ?? 'none named'}`,
    `Store: ${terms.store ?? 'none named, so silence pays for every delivery'}`,
    `Must be created by ${formatTime(terms.claimDeadline)} in the ${terms.market} market, chain ${terms.chainId}, registry ${terms.taskRegistry}.`,
    'Signed by:',
    ...signed,
    `Settlement digest: ${settlementDigest}`,
    digest ? '  It matches the digest you gave.' : '  Compare it with the digest on the chain: --digest.',
    `${agreement.length} messages, all complete, in order and signed. The last one is ${agreement.head}.`,
    'There may be later messages: the sender of the file can leave out the last ones.',
  ]
}
