import { cardText as text } from '../../../text/card.ts'
import { labelStep } from '../labelStep.ts'
import { getProgress } from '../progress.ts'
import { findClaimRow } from './claim.ts'
import { findDisputeRow } from './dispute.ts'
import { findRunningRow } from './running.ts'
import type { Card, CardAct, CardFacts, CardRow } from './types.ts'

const { sentences, labels } = text

/** Builds the card of a task for whoever looks at it: one row of the table of cards, with every other step in the menu. */
export function buildCard(facts: CardFacts): Card {
  const { task, viewer, steps, money } = facts
  const row = findRow(facts)
  const isCandidate = facts.wallet !== undefined && task.phase === 'OPEN_FOR_CLAIM'
  const shown = [row.button, ...(row.secondary ?? [])].flatMap((each) => (each?.do === 'step' ? [each.step] : []))
  const menu = steps
    .filter((step) => !shown.includes(step) && !isRefused(row, step.action))
    .map((step): CardAct => ({ do: 'step', label: labelStep(step, task, viewer, money), step }))
  return {
    label: viewer === 'poster' ? labels.pay : viewer === 'worker' || isCandidate ? labels.earn : labels.pays,
    amount: BigInt(task.totalAmountTokWei),
    isMine: false,
    clock: null,
    button: null,
    secondary: [],
    ...row,
    step: getProgress(task),
    menu,
  }
}

/** Without the poster's choice, a claim is refused: the button of the row is the way. */
const isRefused = ({ state }: CardRow, action: string): boolean =>
  action === 'claim-task' && (state === 'notApplied' || state === 'applied' || state === 'chosen')

function findRow(facts: CardFacts): CardRow {
  const { task, viewer, talk } = facts
  const isOther = viewer === 'visitor' || viewer === 'judge'
  // Once a time is over, what it made possible comes first: nobody waits for a judge who can no longer decide.
  if (task.phase === 'IN_DISPUTE') return findDueRow(facts) ?? findDisputeRow(facts) ?? running(facts)
  if (task.phase === 'OPEN_FOR_CLAIM' && isOther) return findClaimRow(facts) ?? running(facts)
  const row = findRunningRow(facts)
  if (row) return row
  if (task.phase === 'SETTLED') return describeEnd(facts)
  if (isOther && task.worker !== undefined && talk?.hasApplied) {
    return {
      state: 'notChosen',
      sentence: sentences.notChosen(facts.names.poster),
      button: { do: 'link', label: text.buttons.findSimilar, href: `/tasks?market=${task.market}` },
    }
  }
  return findDueRow(facts) ?? running(facts)
}

/** A call that anyone may make once time is over. */
function findDueRow({ task, steps }: CardFacts): CardRow | null {
  for (const step of steps) {
    const isUncalled = step.action === 'resolve-timed-out' && task.dispute?.phase !== 'COURT'
    const due = isUncalled ? text.due.callCourt : text.due[step.action]
    if (due) return { state: 'due', sentence: due.sentence, button: { do: 'step', label: due.button, step } }
  }
  return null
}

const running = ({ task }: CardFacts): CardRow => ({
  state: 'running',
  sentence:
    task.phase === 'IN_DISPUTE'
      ? sentences.runningDispute
      : task.phase === 'OPEN_FOR_CLAIM'
        ? sentences.cannotClaim
        : task.worker === undefined
          ? sentences.claimClosed
          : sentences.running,
})

/** How a task ended, for those who were not paid. */
function describeEnd({ task, money }: CardFacts): CardRow {
  const [paid, refunded] = [money(BigInt(task.releasedTokWei)), money(BigInt(task.refundedTokWei))]
  const { ended } = sentences
  const sentence =
    task.state === 'RESOLVED'
      ? ended.RESOLVED(paid, refunded)
      : task.state === 'COMPLETED'
        ? ended.COMPLETED(paid)
        : task.state === 'CANCELLED'
          ? ended.CANCELLED
          : ended.EXPIRED
  return { state: 'ended', sentence }
}
