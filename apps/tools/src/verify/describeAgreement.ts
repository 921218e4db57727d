import { formatAmount, formatDuration, formatTime } from '@svc/protocol'
import type { Agreement, NegotiationPhase } from '@svc/protocol/negotiation'
import { inLine, quotation } from '../negotiate/plainWords.ts'

const afterwards: Partial<Record<NegotiationPhase, string>> = {
  DELIVERED: 'A delivery waits for the poster.',
  DISPUTED: 'A delivery is disputed.',
  DONE: 'The poster accepted all the work.',
  CANCELLED: 'Later both agreed to part.',
}

/** What an agreement file proves, in plain words; the parties' own words as quotations. */
export function describeAgreement(
  { terms, settlementDigest, acceptances, ...agreement }: Agreement,
  digest: string | undefined,
): string[] {
  const total = terms.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
  const milestones = terms.milestones.map(
    ({ title, amountTokWei, durationSeconds }, index) =>
      `  ${index + 1}. ${inLine(title)}: ${formatAmount(amountTokWei, 'tok')}, ${formatDuration(durationSeconds)}`,
  )
  const signed = (['poster', 'worker'] as const).map(
    (party) => `  ${party} ${agreement[party]}, good until ${formatTime(acceptances[party].expiry)}`,
  )
  return [
    `Both parties agreed. ${afterwards[agreement.phase] ?? ''}`.trim(),
    '',
    `Task: ${inLine(terms.title)}`,
    ...quotation(terms.criteria),
    `Pays ${formatAmount(total, 'tok')} for ${terms.milestones.length} milestone${terms.milestones.length > 1 ? 's' : ''}:`,
    ...milestones,
    `Review within ${formatDuration(terms.reviewWindowSeconds)}, at most ${terms.maxRevisions} revisions of a milestone.`,
    `Arbitrator: ${terms.arbitrator ?? 'none named'}`,
    `To be created by ${formatTime(terms.claimDeadline)} in the ${terms.market} market, chain ${terms.chainId}, registry ${terms.taskRegistry}.`,
    'Signed by:',
    ...signed,
    `Settlement digest: ${settlementDigest}`,
    digest ? '  It is the digest you gave.' : '  Compare it with what the chain shows: --digest.',
    `${agreement.length} messages, all whole, in order and signed; the last is ${agreement.head}.`,
    'Later messages may exist: whoever gave you the file could leave out its end.',
  ]
}
