import { type DisputeEnding, taskReserve } from '@svc/protocol'
import {
  appealFee,
  bps,
  computeJudgeLock,
  computeLostStake,
  computeOpenerStake,
  courtShareBps,
  maxCourtShare,
  minJudgeLock,
  rulingFee,
  settlementBps,
} from '@svc/protocol/internal/money'
import type { DisputeEffect, DisputeMove } from '@svc/protocol/internal/tasks'
import type { DisputeDraft, Play } from './draft.ts'
import { burn, least, payOut, penalise, recordMovement, reserve, reserveUpTo, sendTok } from './money.ts'
import { type Arbitrator, amountOf, type Dispute, finalCourt, newDispute, type World } from './world.ts'

const shareOf = (amount: bigint, share: bigint): bigint => (amount * share) / bps

/** The part of the milestone between the two shares: what a ruling decides. */
const computeGap = ({ amount, askBps, offerBps }: Dispute): bigint => shareOf(amount, askBps - offerBps)

const lostStakeOf = (dispute: Dispute): bigint => computeLostStake({ ...dispute, gap: computeGap(dispute) })

function change(world: World, wallet: string, patch: (arbitrator: Arbitrator) => Partial<Arbitrator>): void {
  const arbitrator = world.arbitrators[wallet]
  if (arbitrator) world.arbitrators = { ...world.arbitrators, [wallet]: { ...arbitrator, ...patch(arbitrator) } }
}

function freeJudge(world: World, judge: string, amount: bigint): void {
  change(world, judge, ({ locked, openCases }) => ({
    locked: locked - computeJudgeLock(amount),
    openCases: openCases - 1,
  }))
}

function slash(world: World, judge: string, amount: bigint): void {
  change(world, judge, ({ bond, slashed }) => ({ bond: bond - amount, slashed: slashed + amount }))
  recordMovement(world, { kind: 'slashed', wallet: judge, amount })
  burn(world, amount)
}

/** Closes the case; a judge that still sits is free. */
function end({ world, task: { dispute } }: DisputeDraft, ending: DisputeEnding, workerBps: bigint): void {
  dispute.ending = ending
  dispute.workerBps = workerBps
  if (dispute.judge !== null) freeJudge(world, dispute.judge, dispute.amount)
}

/** Who wins: the final court's word, or the judge's if it had none. */
const isForWorker = ({ task: { dispute }, s }: DisputeDraft): boolean =>
  dispute.ending === 'DECIDED' ? s.call.forWorker : dispute.forWorker

const pickShare = ({ askBps, offerBps }: Dispute, forWorker: boolean): bigint => (forWorker ? askBps : offerBps)

/** The loser of the judge's ruling, who alone can appeal. */
const findAppellant = ({ s }: DisputeDraft): string => (s.dispute.forWorker ? s.dispute.poster : s.dispute.worker)

/** Who has the case: a judge, or the final court. */
const findSeated = ({ task, s }: DisputeDraft): string | null =>
  task.dispute.judge ?? (s.dispute.phase === 'COURT' ? finalCourt : null)

/** What each effect of the dispute table does. */
export const disputeEffects: Readonly<Record<DisputeEffect, (draft: DisputeDraft) => void>> = {
  'open case': ({ world, task, args }) => {
    const openedByPoster = args.opener === task.poster
    const share = args.shareBps ?? 0n
    task.dispute = {
      ...newDispute(),
      number: task.dispute.number + 1,
      phase: task.dispute.phase,
      openedByPoster,
      posterSpoke: openedByPoster,
      workerSpoke: !openedByPoster,
      // In an open task the poster alone wrote the terms: its judge is a proposal.
      named: task.terms.scope === 'PRIVATE' ? task.terms.arbitrator : null,
      posterProposal: task.terms.arbitrator,
      offerBps: openedByPoster ? share : 0n,
      askBps: openedByPoster ? bps : share,
      openedAt: world.now,
      consentEnd: world.now + world.params.consentWindow,
      evidenceEnd: world.now + world.params.evidenceWindow,
      amount: amountOf(task, task.current),
    }
  },
  'record proposal': ({ task, caller, s }) => {
    task.dispute[caller === task.poster ? 'posterProposal' : 'workerProposal'] = s.call.arbitrator
  },
  'seat judge': ({ world, task: { dispute }, caller }) => {
    dispute.judge = caller
    dispute.rulingEnd = dispute.evidenceEnd + world.params.rulingWindow
    change(world, caller, ({ locked, openCases }) => ({
      locked: locked + computeJudgeLock(dispute.amount),
      openCases: openCases + 1,
    }))
  },
  'record evidence': ({ task, caller, s }) => {
    const isPoster = caller === task.poster
    task.dispute[isPoster ? 'posterSpoke' : 'workerSpoke'] = true
    task.dispute[isPoster ? 'offerBps' : 'askBps'] = s.call.shareBps
  },
  rule: ({ world, task: { dispute }, caller, s }) => {
    dispute.ruled = true
    dispute.forWorker = s.call.forWorker
    dispute.appealEnd = world.now + world.params.appealWindow
    change(world, caller, ({ resolved }) => ({ resolved: resolved + 1 }))
  },
  appeal: ({ task: { dispute } }) => {
    dispute.appealed = true
  },
  'call court': ({ world, task: { dispute } }) => {
    dispute.courtEnd = world.now + world.params.courtWindow
  },
  'remove judge': ({ world, task: { dispute } }) => {
    if (dispute.judge === null) return
    freeJudge(world, dispute.judge, dispute.amount)
    dispute.judge = null
    dispute.rulingEnd = 0
  },
  'record silence': ({ world, task: { dispute } }) => {
    if (dispute.judge !== null) change(world, dispute.judge, ({ timedOut }) => ({ timedOut: timedOut + 1 }))
  },
  'end by ruling': (draft) => end(draft, 'RULED', pickShare(draft.task.dispute, draft.task.dispute.forWorker)),
  'end by decision': (draft) => end(draft, 'DECIDED', pickShare(draft.task.dispute, draft.s.call.forWorker)),
  'end by time': (draft) => end(draft, 'TIMED_OUT', pickShare(draft.task.dispute, draft.task.dispute.openedByPoster)),
  'end by settlement': (draft) => end(draft, 'SETTLED', draft.task.dispute.askBps),
  'end by concession': (draft) => {
    const { offerBps, askBps } = draft.task.dispute
    // A poster that releases the milestone gives all of it.
    end(draft, 'CONCEDED', offerBps === askBps ? askBps : bps)
  },
  'end by cancel': (draft) => end(draft, 'CANCELLED', draft.task.dispute.workerBps),
}

/** What each move of the dispute table does. */
export const disputeMoves: {
  readonly [M in DisputeMove['move']]: Play<DisputeDraft, Extract<DisputeMove, { move: M }>>
} = {
  'take stake': ({ world, task }) => {
    const { dispute, poster } = task
    if (!dispute.openedByPoster) return
    reserveUpTo(world, task, poster, taskReserve)
    dispute.stake = computeOpenerStake(dispute.amount)
    recordMovement(world, { kind: 'staked', wallet: poster, amount: dispute.stake })
    sendTok(world, poster, 'arbitration', dispute.stake)
  },
  'reserve appeal fee': ({ world, task, caller }) => reserve(world, task, caller, appealFee),
  'pay appeal fee': (draft) => penalise(draft.world, draft.task, findAppellant(draft), finalCourt, appealFee),
  'slash silent judge': ({ world, before: { dispute } }) => {
    if (dispute.judge !== null) slash(world, dispute.judge, minJudgeLock)
  },
  'slash overturned judge': ({ world, task: { dispute } }) => {
    if (dispute.judge === null) return
    change(world, dispute.judge, ({ overturned }) => ({ overturned: overturned + 1 }))
    const moved = computeGap(dispute) + lostStakeOf(dispute)
    slash(world, dispute.judge, computeJudgeLock(least(moved, dispute.amount)))
  },
  'loser pays': (draft, { feeTo }) => {
    const { world, task, s } = draft
    const { poster, worker } = s.dispute
    const [winner, loser] = isForWorker(draft) ? [worker, poster] : [poster, worker]
    const receiver = { judge: task.dispute.judge ?? '', court: finalCourt, appellant: findAppellant(draft) }[feeTo]
    penalise(world, task, loser, receiver, rulingFee)
    penalise(world, task, loser, winner, appealFee)
  },
  'pay seated': (draft, { from }) => {
    const { world, task, s } = draft
    const seated = findSeated(draft)
    if (seated === null) return
    const half = rulingFee / 2n
    penalise(world, task, s.dispute.poster, seated, from === 'poster' ? rulingFee : half)
    if (from === 'both') penalise(world, task, s.dispute.worker, seated, half)
  },
  'pay worker': ({ world, task, s }) => penalise(world, task, s.dispute.poster, s.dispute.worker, appealFee),
  'worker gives up': (draft) => {
    const { poster, worker } = draft.s.dispute
    penalise(draft.world, draft.task, worker, findSeated(draft) ?? poster, rulingFee)
  },
  'return stake': (draft, { less }) => {
    const { world, task, s } = draft
    const { stake, amount } = task.dispute
    const lost = lostStakeOf(task.dispute)
    const due = {
      nothing: 0n,
      settlement: shareOf(amount, settlementBps),
      'what a loser loses': lost,
      'what a ruling says': isForWorker(draft) ? lost : 0n,
    }[less]
    const toWorker = least(due, stake)
    task.dispute.stake = 0n
    payOut(world, s.dispute.worker, toWorker)
    payOut(world, s.dispute.poster, stake - toWorker)
  },
  'settle task': (draft, { courtShare, forfeits }) => {
    const { task, perform, s } = draft
    const { poster, worker } = s.dispute
    const share = least(shareOf(computeGap(task.dispute), courtShareBps), maxCourtShare)
    const loser = isForWorker(draft) ? poster : worker
    perform('settleDispute', 'arbitration', {
      workerBps: task.dispute.workerBps,
      settlement: {
        courtShare: courtShare ? share : 0n,
        loser: forfeits === null ? null : { loser, poster, worker }[forfeits],
      },
    })
  },
}
