import type { TaskDetailJson } from '@svc/client'
import { findAskedJudge } from '@svc/protocol/internal/records'
import { cardText as text } from '../../../text/card.ts'
import { isSameAddress } from '../viewer.ts'
import { createRowTools, listActs } from './rowTools.ts'
import type { CardAct, CardFacts, CardRow } from './types.ts'

const { sentences, clocks, buttons } = text
const settle: CardAct = { do: 'open', label: buttons.settle, tab: 'talk' }
const read = (label: string): CardAct => ({ do: 'open', label, tab: 'dispute' })

type Dispute = NonNullable<TaskDetailJson['dispute']>

/** The rows of a dispute: for its parties, for whoever judges, and for the final court. */
export function findDisputeRow(facts: CardFacts): CardRow | null {
  const { dispute } = facts.task
  if (!dispute) return null
  const common = { label: text.labels.stake, amount: computeGap(dispute) }
  return facts.viewer === 'poster' || facts.viewer === 'worker'
    ? findPartyRow(facts, dispute, common)
    : findJudgeRow(facts, dispute, common)
}

function findPartyRow(facts: CardFacts, dispute: Dispute, common: Partial<CardRow>): CardRow | null {
  const { task, viewer, names } = facts
  const isPoster = viewer === 'poster'
  const hasSpoken = isPoster ? dispute.posterSpoke : dispute.workerSpoke
  const other = isPoster ? names.worker : names.poster
  const { act, left, until } = createRowTools(facts, common)
  const evidence = act('submit-evidence', buttons.sendEvidence)
  const secondary = listActs(hasSpoken ? evidence : null, settle)
  const { wait, turn } = createRowTools(facts, { ...common, secondary })
  if (evidence && !hasSpoken) {
    const sentence = sentences.evidence(other, (dispute.openedBy === 'poster') === isPoster)
    return turn('evidence', sentence, left(dispute.evidenceEnd, clocks.left, clocks.evidence), evidence)
  }
  switch (dispute.phase) {
    case 'OPEN': {
      const gone = findSteppedDown(task)
      const unlessGone = (judge: string | null) => (isSameAddress(judge, gone) ? null : judge)
      const theirs = unlessGone(isPoster ? dispute.workerProposal : dispute.posterProposal)
      const own = unlessGone(isPoster ? dispute.posterProposal : dispute.workerProposal)
      const propose = (label: string) => act('propose-arbitrator', label)
      const agree = propose(buttons.agreeJudge)
      if (theirs && !isSameAddress(theirs, own) && agree) {
        return turn('judgeProposed', sentences.judgeProposed(other), until(dispute.consentEnd, clocks.until), agree)
      }
      const clock = until(dispute.consentEnd, clocks.until, clocks.afterCourt)
      if (unlessGone(findAskedJudge(dispute))) return wait('waitingJudge', sentences.waitingJudge(names.judge), clock)
      if (own) return wait('waitingJudge', sentences.waitingConsent(other), clock)
      const sentence = gone ? sentences.judgeGone(names.judge) : sentences.findJudge
      return wait('findJudge', sentence, clock, {
        secondary: listActs(propose(buttons.proposeJudge), ...secondary),
      })
    }
    case 'EVIDENCE':
      return wait('withJudge', sentences.withJudge(names.judge), until(dispute.rulingEnd, clocks.decidedBy))
    case 'RULED':
      return (dispute.ruledFor === 'poster') === isPoster
        ? wait('ruledFor', sentences.ruledFor, until(dispute.appealEnd, clocks.until))
        : turn(
            'ruledAgainst',
            sentences.ruledAgainst,
            left(dispute.appealEnd, clocks.appeal, clocks.appealNote),
            act('escalate', buttons.appeal),
          )
    case 'COURT':
      return wait('noJudge', sentences.noJudge, until(dispute.courtEnd, clocks.decidedBy))
    default:
      return null
  }
}

function findJudgeRow(facts: CardFacts, dispute: Dispute, common: Partial<CardRow>): CardRow | null {
  const { task, viewer, wallet } = facts
  const { act, left, wait, turn } = createRowTools(facts, common)
  const accept = act('propose-arbitrator', buttons.acceptCase)
  if (accept && isSameAddress(findAskedJudge(dispute), wallet) && !isSameAddress(findSteppedDown(task), wallet)) {
    const clock = left(dispute.consentEnd, clocks.judgeAccept, clocks.judgeAcceptNote)
    return turn('judgeAsked', sentences.judgeAsked, clock, accept, { secondary: [read(buttons.seeFirst)] })
  }
  const decide = act('decide-dispute', buttons.decide)
  if (decide) return turn('court', sentences.court, left(dispute.courtEnd, clocks.decide, clocks.courtNote), decide)
  if (viewer !== 'judge') return null
  const secondary = listActs(act('step-down', buttons.stepDown))
  const rule = act('resolve-dispute', buttons.rule)
  if (rule) {
    return turn('judge', sentences.judge, left(dispute.rulingEnd, clocks.decide, clocks.decideNote), rule, {
      secondary,
    })
  }
  const reads = { secondary: [read(buttons.read), ...secondary] }
  return dispute.phase === 'EVIDENCE'
    ? wait('judgeReads', sentences.judgeReads, left(dispute.evidenceEnd, clocks.evidenceEnds), reads)
    : wait('judgeReads', sentences.judgeDone, null, reads)
}

/** Who sat in this dispute last and gave it back. What the parties proposed before still names that wallet. */
function findSteppedDown({ timeline, dispute }: TaskDetailJson): string | null {
  const { event, args, timestamp } =
    timeline.findLast((each) => each.event === 'JudgeSteppedDown' || each.event === 'JudgeSeated') ?? {}
  const isHere = event === 'JudgeSteppedDown' && dispute !== null && (timestamp ?? 0) >= dispute.openedAt
  return isHere && typeof args?.judge === 'string' ? args.judge : null
}

/** What the two sides disagree about, in TOK wei. */
const computeGap = ({ amountTokWei, offerBps, askBps }: Dispute): bigint =>
  (BigInt(amountTokWei) * BigInt(Math.max(0, askBps - offerBps))) / 10_000n
