import { bps } from '@svc/protocol/internal/money'
import type { Actor } from '../check/property.ts'
import { requireTask, taskId } from '../check/scenarios.ts'
import type { Args, Call } from '../facts.ts'
import { type Dispute, finalCourt, type Task, type World } from '../world.ts'

/** How everybody plays who does not belong to the owner. */
export interface HonestPlay {
  name: string
  /** The section of docs/economics.md that admits gains against it, and from which milestone on, in USD. */
  admitted: { section: string; from: number } | null
  /** How often the final court decides rightly; null: it never answers. */
  courtRight: number | null
  /** How often a party appeals that was wronged by a ruling. */
  appeals: number
  /** The judge sees other evidence than the court, and rules against the truth. */
  isJudgeMisled: boolean
  /** Acts in the last second instead of at once. */
  isSlow: boolean
  /** A party goes away for good at the worst moment for it: at any, or at any before the work is delivered. */
  goesAway: 'never' | 'before work' | 'at any moment'
  /** What an honest poster offers for junk. */
  offerBps: bigint
  /** The least offer for good work that an honest worker takes. */
  takesBps: bigint
  /** The poster takes good work for junk. */
  isPosterMistaken: boolean
  /** Everybody knows a decision of the court before it counts. */
  isDecisionSeen: boolean
}

const attentive: HonestPlay = {
  name: 'all are there, the court is right',
  admitted: null,
  courtRight: 1,
  appeals: 1,
  isJudgeMisled: false,
  isSlow: false,
  goesAway: 'never',
  offerBps: 0n,
  takesBps: bps,
  isPosterMistaken: false,
  isDecisionSeen: false,
}

const admit = (section: string, from = 0): Pick<HonestPlay, 'admitted'> => ({ admitted: { section, from } })
const errs = { ...attentive, ...admit('The final court', 800), courtRight: 0.98 }
const sleeps = { ...attentive, ...admit('People who sleep') }

export const honestPlays: readonly HonestPlay[] = [
  attentive,
  { ...attentive, name: 'all act in the last second', isSlow: true },
  { ...attentive, name: 'the judge is misled', isJudgeMisled: true },
  { ...errs, name: 'the court is right 98 %' },
  { ...errs, name: 'the court is right 98 %, half of the victims appeal', appeals: 0.5 },
  { ...errs, name: 'the court is right 98 %, its decision is seen', isDecisionSeen: true },
  { ...sleeps, name: 'nobody appeals', appeals: 0 },
  { ...sleeps, name: 'the other party goes away before the work', goesAway: 'before work' },
  { ...sleeps, name: 'the other party goes away', goesAway: 'at any moment' },
  { ...attentive, ...admit('The final court'), name: 'the court never answers', courtRight: null },
  { ...attentive, ...admit('Numbers'), name: 'the poster offers 1 bps for junk', offerBps: 1n },
  { ...attentive, ...admit('Numbers'), name: 'the worker takes 90 %', takesBps: 9_000n },
  // Only then have a judge and a court anything to do that no party of the owner brought about.
  { ...attentive, ...admit('What judging brings'), name: 'the poster is mistaken', isPosterMistaken: true },
]

/** A moment of the search: the world, and what the tables do not know. */
export interface Position {
  world: World
  /** Which share of the current milestone the worker has really delivered, in basis points. */
  work: bigint
  /** The honest party that no longer does anything. */
  away: 'poster' | 'worker' | null
  /** For whom the court will decide, as far as it has said so. */
  announced: 'poster' | 'worker' | null
}

/** What an honest wallet does next. With `chance` it is `call`, otherwise the other call, or nothing. */
export interface Reply {
  actor: Actor
  call: Call
  chance: number
  otherwise: Call | 'silence'
}

const isSilencePaying = ({ terms, receipted }: Task): boolean => terms.store === null || receipted

/** Whether the worker's share is closer to what it has delivered than the poster's. */
function isWorkerRight({ offerBps, askBps }: Dispute, work: bigint): boolean {
  const distance = (share: bigint): bigint => (share > work ? share - work : work - share)
  return distance(askBps) < distance(offerBps)
}

/** Lists what honest wallets would do now, the most urgent first. A call that the tables refuse is not one. */
export function listReplies(
  { world, work, away, announced }: Position,
  play: HonestPlay,
  actors: readonly Actor[],
  storeSigns: boolean,
): Reply[] {
  const task = requireTask(world)
  const replies: Reply[] = []
  const add = (actor: Actor, caller: string, operation: string, args: Args = {}, rest: Partial<Reply> = {}): void => {
    if (actor === away || (actor !== 'stranger' && actors.includes(actor))) return
    const call = { operation, caller, taskId, args }
    replies.push({ actor, call, chance: 1, otherwise: call, ...rest })
  }
  const seen = play.isPosterMistaken ? 0n : work
  const isGood = seen === bps
  const isInReview = task.state === 'ACTIVE' && task.reviewEnd !== 0
  const { dispute } = task
  const isUndecided = task.state === 'DISPUTED' && !dispute.ruled

  if (task.state === 'CLAIMED') {
    add('poster', 'poster', 'fund', { amount: task.total - task.funded })
    add('poster', 'poster', 'activate')
    add('worker', 'worker', 'activate')
  }
  if (task.state === 'POSTED') add('worker', 'worker', 'claim', { permitted: true })
  if (task.state === 'ACTIVE' && !isInReview) {
    add('worker', 'worker', 'markDelivered', task.terms.store !== null && storeSigns ? { receipt: 'valid' } : {})
  }
  if (isInReview) {
    if (isGood) add('poster', 'poster', 'release')
    else if (isSilencePaying(task)) add('poster', 'poster', 'openDispute', { shareBps: play.offerBps })
    if (!isSilencePaying(task)) add('worker', 'worker', 'openDispute', { shareBps: bps })
  }
  if (isUndecided) {
    if (isGood) add('poster', 'poster', 'release')
    else if (dispute.askBps <= seen) add('poster', 'poster', 'submitEvidence', { shareBps: dispute.askBps })
    else if (!dispute.posterSpoke) add('poster', 'poster', 'submitEvidence')
    if (dispute.offerBps >= play.takesBps) add('worker', 'worker', 'submitEvidence', { shareBps: dispute.offerBps })
    else if (!dispute.workerSpoke) add('worker', 'worker', 'submitEvidence')
    const judge = dispute.named ?? (dispute.posterProposal === dispute.workerProposal ? dispute.posterProposal : null)
    if (judge !== null) add('arbitrator', judge, 'propose', { arbitrator: judge })
  }
  const forWorker = isWorkerRight(dispute, work)
  if (dispute.phase === 'EVIDENCE' && dispute.judge !== null) {
    add('arbitrator', dispute.judge, 'resolve', { forWorker: forWorker !== play.isJudgeMisled })
  }
  if (dispute.phase === 'RULED' && dispute.forWorker !== forWorker) {
    const loser = dispute.forWorker ? 'poster' : 'worker'
    add(loser, loser, 'escalate', {}, { chance: play.appeals, otherwise: 'silence' })
  }
  if (dispute.phase === 'COURT' && play.courtRight !== null) {
    const said = announced === null ? forWorker : announced === 'worker'
    const other: Call = { operation: 'decide', caller: finalCourt, taskId, args: { forWorker: !said } }
    const chance = announced === null ? play.courtRight : 1
    add('court', finalCourt, 'decide', { forWorker: said }, { chance, otherwise: other })
  }
  for (const operation of ['releaseLapsed', 'expire', 'finalize', 'resolveTimedOut'])
    add('stranger', 'stranger', operation)
  return replies
}
