import {
  appealFee,
  bps,
  computeJudgeLock,
  computeOpenerStake,
  courtShareBps,
  exitPenalty,
  judgeLockBps,
  judgeLossBps,
  junkPenalty,
  maxJudgeShare,
  minJudgeLock,
  openerStakeBps,
  rulingFee,
  settlementBps,
  taskReserve,
} from '../../packages/protocol/src/amounts.ts'
import type { DisputeEffect, DisputeMove } from '../../packages/protocol/src/disputes.ts'
import type { DisputeEnding } from '../../packages/protocol/src/states.ts'
import type { DisputeDraft } from './draft.ts'
import { charge, least, payOut, penalise, recordMovement, reserve, reserveUpTo, sendTok } from './money.ts'
import { type Arbitrator, amountOf, type Dispute, finalCourt, newDispute, type World } from './world.ts'

const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const shareOf = (amount: bigint, share: bigint): bigint => (amount * share) / bps

/** The part of the milestone between the two shares: what a ruling decides. */
const computeGap = ({ amount, askBps, offerBps }: Dispute): bigint => shareOf(amount, askBps - offerBps)

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
      named: task.terms.arbitrator,
      offerBps: openedByPoster ? share : 0n,
      askBps: openedByPoster ? bps : share,
      openedAt: world.now,
      consentEnd: world.now + world.params.consentWindow,
      evidenceEnd: world.now + world.params.evidenceWindow,
      amount: amountOf(task, task.current),
    }
  },
  'note proposal': ({ task, caller, s }) => {
    task.dispute[caller === task.poster ? 'posterProposal' : 'workerProposal'] = s.call.arbitrator
  },
  'seat judge': ({ world, task: { dispute }, caller, s }) => {
    const judge = s.call.drawn ?? caller
    dispute.judge = judge
    dispute.rulingEnd = dispute.evidenceEnd + world.params.rulingWindow
    change(world, judge, ({ locked, openCases }) => ({
      locked: locked + computeJudgeLock(dispute.amount),
      openCases: openCases + 1,
    }))
  },
  'note evidence': ({ task, caller, s }) => {
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
    change(world, dispute.judge, ({ timedOut }) => ({ timedOut: timedOut + 1 }))
    dispute.judge = null
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
  readonly [M in DisputeMove['move']]: (draft: DisputeDraft, move: Extract<DisputeMove, { move: M }>) => void
} = {
  'refill reserves': ({ world, task, s }) => {
    reserveUpTo(world, task, s.dispute.worker, taskReserve)
    reserveUpTo(world, task, s.dispute.poster, taskReserve)
  },
  'take stake': ({ world, task }) => {
    const { dispute, poster } = task
    if (!dispute.openedByPoster) return
    dispute.stake = computeOpenerStake(dispute.amount)
    recordMovement(world, { kind: 'staked', wallet: poster, amount: dispute.stake })
    sendTok(world, poster, 'arbitration', dispute.stake)
  },
  'reserve appeal fee': ({ world, task, caller }) => reserve(world, task, caller, appealFee),
  'pay appeal fee': (draft) => penalise(draft.world, draft.task, findAppellant(draft), finalCourt, appealFee),
  'slash silent judge': ({ world, before: { dispute }, s }) => {
    if (dispute.judge === null) return
    const lost = greatest(shareOf(dispute.amount, judgeLossBps), minJudgeLock)
    slash(world, dispute.judge, lost)
    payOut(world, s.dispute.poster, lost / 2n)
    payOut(world, s.dispute.worker, lost - lost / 2n)
  },
  'slash overturned judge': (draft) => {
    const { world, task, args } = draft
    const { judge } = task.dispute
    if (judge === null) return
    const gap = computeGap(task.dispute)
    const toAppellant = greatest(shareOf(gap, judgeLossBps), minJudgeLock)
    const lost = args.unfounded ? greatest(shareOf(gap, judgeLockBps), minJudgeLock) : toAppellant
    change(world, judge, ({ overturned }) => ({ overturned: overturned + 1 }))
    slash(world, judge, lost)
    payOut(world, findAppellant(draft), toAppellant)
    payOut(world, 'treasury', lost - toAppellant)
  },
  'loser pays': (draft, { feeTo }) => {
    const { world, task, s } = draft
    const { poster, worker } = s.dispute
    const [winner, loser] = isForWorker(draft) ? [worker, poster] : [poster, worker]
    const receiver = { judge: task.dispute.judge ?? '', court: finalCourt, appellant: findAppellant(draft) }[feeTo]
    penalise(world, task, loser, receiver, rulingFee)
    penalise(world, task, loser, winner, taskReserve - rulingFee)
    if (task.dispute.workerBps === 0n) charge(world, loser, 'treasury', junkPenalty)
  },
  'pay judge': ({ world, task, s }, { from }) => {
    const { judge } = task.dispute
    if (judge === null) return
    const half = rulingFee / 2n
    penalise(world, task, s.dispute.poster, judge, from === 'poster' ? rulingFee : half)
    if (from === 'both') penalise(world, task, s.dispute.worker, judge, half)
  },
  'worker gives up': ({ world, task, s }) => {
    const { poster, worker } = s.dispute
    penalise(world, task, worker, task.dispute.judge ?? 'treasury', rulingFee)
    penalise(world, task, worker, poster, taskReserve - rulingFee)
    charge(world, worker, 'treasury', exitPenalty)
  },
  'return stake': (draft, { less }) => {
    const { world, task, s } = draft
    const { stake, amount } = task.dispute
    const lost = isForWorker(draft) ? shareOf(computeGap(task.dispute), openerStakeBps) : 0n
    const due = { nothing: 0n, settlement: shareOf(amount, settlementBps), 'tenth of the gap': lost }[less]
    const toWorker = least(due, stake)
    task.dispute.stake = 0n
    payOut(world, s.dispute.worker, toWorker)
    payOut(world, s.dispute.poster, stake - toWorker)
  },
  'settle task': ({ task, perform }, { courtShareTo, forfeits }) => {
    const { workerBps, judge } = task.dispute
    const nothing = forfeits === 'whoever gets nothing'
    const share = shareOf(computeGap(task.dispute), courtShareBps)
    const courtShare = { court: share, judge: least(share, maxJudgeShare), nobody: 0n }[courtShareTo ?? 'nobody']
    perform('settleDispute', 'arbitration', {
      workerBps,
      settlement: {
        court: courtShareTo === 'court' ? finalCourt : courtShareTo === 'judge' ? judge : null,
        courtShare,
        posterForfeits: nothing && workerBps === bps,
        workerForfeits: forfeits === 'worker' || (nothing && workerBps === 0n),
      },
    })
  },
}
