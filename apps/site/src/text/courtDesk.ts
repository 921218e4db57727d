import type { OutputJson } from '@svc/operations'
import { formatCourtShare } from './courtTerms.ts'
import { spellDuration } from './duration.ts'

type Court = OutputJson<'getCourt'>['court']
type Case = OutputJson<'getCourt'>['cases'][number]

/** Text of the page about the final court. */
export const courtDeskText = {
  title: 'The final court',
  description: 'It decides every dispute that no judge decided, and every appeal. Nothing stands above it.',
  who: 'Who decides',
  address: 'Address',
  time: 'Time to decide',
  signatures: 'Owners who must sign',
  rules: 'Rules for answers',
  bond: 'Bond of the first answer',
  stands: 'An answer is final after',
  costs:
    'It gets USD 5 from the side that loses, or 8 for an appeal, and 1 % of what the decision moves, at most 1,000 TOK. If it stays silent, a judge’s ruling stands; without one, the side that did not open the dispute wins.',
  cases: 'Cases that wait',
  order: 'What closes within a day comes first, then the largest sum.',
  none: 'No case waits for the court.',
  more: (count: number) => `${count} more wait. The command line lists all of them.`,
  moves: 'at stake',
  left: 'left',
  over: 'Time is over',
  open: 'Open the evidence',
  decide: 'How to decide',
  choice: (taskId: string) => `Decision about ${taskId}`,
  undecided: 'Not decided',
  forSide: (side: string, share: number) => `For the ${side}: ${formatCourtShare(share)}`,
  reasons: (taskId: string) => `Reasons about ${taskId}`,
  reasonsHelp: 'The decision holds only their hash. Keep this text, and give it to both sides.',
  otherCourt: 'This server names another court than this site was built with.',
  batch: 'Decide together',
  batchHelp:
    'Choose a side in each case above and write your reasons. The file is for the transaction builder of the Safe, where its owners review and sign it.',
  save: (count: number) => `Save the batch of ${count}`,
} as const

/** Says who the court is. */
export function describeCourtKind({ kind, signatures }: Court): string {
  switch (kind) {
    case 'safe':
      return `A group of people. At least ${signatures} of them must sign every decision.`
    case 'reality':
      return 'The public. Anyone can answer with a bond; whoever is wrong loses it to whoever is right. It sees only what a party publishes, so keep confidential work out of this market.'
    case 'contract':
      return 'A contract that this page does not know.'
    case 'wallet':
      return 'One person’s wallet. That is for test networks only.'
  }
}

/** Says how the people of the court decide. */
export function describeCourtWork({ kind, answerSeconds, timeoutSeconds }: Court): string {
  if (kind !== 'reality')
    return 'Read both sides and the delivered work on the page of the case, write down your reasons, and decide there. A group collects its decisions below, or with "svc-prepare court-batch", and signs them together.'
  return `Both sides publish their evidence ("svc-prepare court-publish"). With ${spellDuration(answerSeconds ?? 0)} left, anyone can put the case to the public ("court-ask") and answer it ("court-answer"). Answer early: an answer must stand for ${spellDuration(timeoutSeconds ?? 0)} before the time is over. Then anyone carries it to the market ("court-carry").`
}

/** Says what a case is about. */
export function describeCourtCase({ case: round, offerBps, askBps, openedBy, appealAgainst, silent }: Case): string {
  const start = appealAgainst
    ? `Appeal of a ruling for the ${appealAgainst}.`
    : `Opened by the ${openedBy}; no judge ruled.`
  const quiet = silent.map((side) => ` The ${side} has said nothing.`).join('')
  return `Case ${round}. ${start} The poster offers ${formatCourtShare(offerBps)}, the worker asks for ${formatCourtShare(askBps)}.${quiet}`
}
