import { findAskedJudge } from '@svc/protocol/internal/records'
import { cardText as text } from '../../../text/card.ts'
import { isSameAddress } from '../viewer.ts'
import type { CardAct, CardClock, CardFacts, CardRow } from './types.ts'

const { sentences, clocks, buttons } = text
const settle: CardAct = { do: 'open', label: buttons.settle, tab: 'talk' }
const read = (label: string): CardAct => ({ do: 'open', label, tab: 'dispute' })

/** The rows of a dispute: for its parties, for whoever judges, and for the final court. */
export function findDisputeRow(facts: CardFacts): CardRow | null {
  const { task, viewer, steps, now, at, span, names } = facts
  const { dispute } = task
  if (!dispute) return null
  const find = (action: string) => steps.find((each) => each.action === action)
  const act = (action: string, label: string): CardAct | null => {
    const step = find(action)
    return step ? { do: 'step', label, step } : null
  }
  const left = (to: number | null, title: (span: string) => string, note?: (at: string) => string): CardClock | null =>
    to === null || now > to ? null : { title: title(span(to - now)), note: note?.(at(to)), to }
  const until = (to: number | null, title: (at: string) => string, note?: string): CardClock | null =>
    to === null || now > to ? null : { title: title(at(to)), note, to }
  if (viewer !== 'poster' && viewer !== 'worker') return findJudgeRow(facts, { act, left })

  const isPoster = viewer === 'poster'
  const hasSpoken = isPoster ? dispute.posterSpoke : dispute.workerSpoke
  const other = isPoster ? names.worker : names.poster
  const evidence = act('submit-evidence', buttons.sendEvidence)
  const secondary = [...(evidence && hasSpoken ? [evidence] : []), settle]
  const row = { label: text.labels.stake, amount: computeGap(dispute), secondary }
  if (evidence && !hasSpoken) {
    return {
      ...row,
      state: 'evidence',
      isMine: true,
      sentence: sentences.evidence(other, (dispute.openedBy === 'poster') === isPoster),
      clock: left(dispute.evidenceEnd, clocks.left, clocks.evidence),
      button: evidence,
    }
  }
  switch (dispute.phase) {
    case 'OPEN': {
      const theirs = isPoster ? dispute.workerProposal : dispute.posterProposal
      const own = isPoster ? dispute.posterProposal : dispute.workerProposal
      const propose = find('propose-arbitrator')
      if (theirs && !isSameAddress(theirs, own) && propose) {
        return {
          ...row,
          state: 'judgeProposed',
          isMine: true,
          sentence: sentences.judgeProposed(other),
          clock: until(dispute.consentEnd, clocks.until),
          button: { do: 'step', label: buttons.agreeJudge, step: propose },
        }
      }
      if ((theirs ?? dispute.named) && (isSameAddress(theirs, own) || dispute.named)) {
        return {
          ...row,
          state: 'waitingJudge',
          sentence: sentences.waitingJudge(names.judge),
          clock: until(dispute.consentEnd, clocks.until, clocks.afterCourt),
          button: null,
        }
      }
      return {
        ...row,
        state: 'findJudge',
        sentence: sentences.findJudge,
        clock: until(dispute.consentEnd, clocks.until, clocks.afterCourt),
        button: null,
        secondary: [
          ...(propose ? [{ do: 'step' as const, label: buttons.proposeJudge, step: propose }] : []),
          ...secondary,
        ],
      }
    }
    case 'EVIDENCE':
      return {
        ...row,
        state: 'withJudge',
        sentence: sentences.withJudge(names.judge),
        clock: until(dispute.rulingEnd, clocks.decidedBy),
        button: null,
      }
    case 'RULED': {
      if ((dispute.ruledFor === 'poster') === isPoster) {
        return {
          ...row,
          state: 'ruledFor',
          sentence: sentences.ruledFor,
          clock: until(dispute.appealEnd, clocks.until),
          button: null,
        }
      }
      return {
        ...row,
        state: 'ruledAgainst',
        isMine: true,
        sentence: sentences.ruledAgainst,
        clock: left(dispute.appealEnd, clocks.appeal, clocks.appealNote),
        button: act('escalate', buttons.appeal),
      }
    }
    case 'COURT':
      return {
        ...row,
        state: 'noJudge',
        sentence: sentences.noJudge,
        clock: until(dispute.courtEnd, clocks.decidedBy),
        button: null,
      }
    default:
      return null
  }
}

interface Helpers {
  act: (action: string, label: string) => CardAct | null
  left: (to: number | null, title: (span: string) => string, note?: (at: string) => string) => CardClock | null
}

function findJudgeRow({ task, viewer, wallet }: CardFacts, { act, left }: Helpers): CardRow | null {
  const { dispute } = task
  if (!dispute) return null
  const row = { label: text.labels.stake, amount: computeGap(dispute) }
  const accept = act('propose-arbitrator', buttons.acceptCase)
  if (accept && isSameAddress(findAskedJudge(dispute), wallet)) {
    return {
      ...row,
      state: 'judgeAsked',
      isMine: true,
      sentence: sentences.judgeAsked,
      clock: left(dispute.consentEnd, clocks.judgeAccept, clocks.judgeAcceptNote),
      button: accept,
      secondary: [read(buttons.seeFirst)],
    }
  }
  const decide = act('decide-dispute', buttons.decide)
  if (decide) {
    return {
      ...row,
      state: 'court',
      isMine: true,
      sentence: sentences.court,
      clock: left(dispute.courtEnd, clocks.decide, clocks.courtNote),
      button: decide,
    }
  }
  if (viewer !== 'judge') return null
  const stepDown = act('step-down', buttons.stepDown)
  const secondary = stepDown ? [stepDown] : []
  const rule = act('resolve-dispute', buttons.rule)
  if (rule) {
    return {
      ...row,
      state: 'judge',
      isMine: true,
      sentence: sentences.judge,
      clock: left(dispute.rulingEnd, clocks.decide, clocks.decideNote),
      button: rule,
      secondary,
    }
  }
  const isHearing = dispute.phase === 'EVIDENCE'
  return {
    ...row,
    state: 'judgeReads',
    sentence: isHearing ? sentences.judgeReads : sentences.judgeDone,
    clock: isHearing ? left(dispute.evidenceEnd, clocks.evidenceEnds) : null,
    button: null,
    secondary: [read(buttons.read), ...secondary],
  }
}

/** What the two sides disagree about, in TOK wei. */
const computeGap = ({ amountTokWei, offerBps, askBps }: NonNullable<CardFacts['task']['dispute']>): bigint =>
  (BigInt(amountTokWei) * BigInt(Math.max(0, askBps - offerBps))) / 10_000n
