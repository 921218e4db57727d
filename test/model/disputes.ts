import { bps, panelSizes, slashAmount, taskReserve } from '../../packages/protocol/src/amounts.ts'
import { computeAppealBond, type DisputeEffect, type DisputeMove } from '../../packages/protocol/src/disputes.ts'
import { collect, computeDues } from './collect.ts'
import type { DisputeDraft } from './draft.ts'
import { addTo, least, recordMovement, reserve, reserveUpTo, unreserve } from './money.ts'
import { type Arbitrator, newDispute, type Task, type World } from './world.ts'

const listPanel = ({ dispute }: Task) => dispute.bench.slice(dispute.panelStart)

function change(world: World, wallet: string, patch: (arbitrator: Arbitrator) => Partial<Arbitrator>): void {
  const arbitrator = world.arbitrators[wallet]
  if (arbitrator) world.arbitrators = { ...world.arbitrators, [wallet]: { ...arbitrator, ...patch(arbitrator) } }
}

function seat({ world, task: { dispute } }: DisputeDraft, members: readonly string[]): void {
  for (const member of members) change(world, member, ({ openCases }) => ({ openCases: openCases + 1 }))
  dispute.panelStart = dispute.bench.length
  dispute.bench.push(...members.map((arbitrator) => ({ arbitrator, voted: false, workerBps: 0n })))
  dispute.sat.push(...members)
  dispute.posterProposal = null
  dispute.workerProposal = null
  dispute.evidenceEnd = world.now + world.params.evidenceWindow
  dispute.rulingEnd = dispute.evidenceEnd + world.params.rulingWindow
}

/** The middle vote, or the mean of the middle two. */
function median(votes: readonly bigint[]): bigint {
  const sorted = votes.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const low = sorted[(sorted.length - 1) >> 1] ?? 0n
  const high = sorted[sorted.length >> 1] ?? 0n
  return (low + high) / 2n
}

/** What each effect of the dispute table does. */
export const disputeEffects: Readonly<Record<DisputeEffect, (draft: DisputeDraft) => void>> = {
  'open case': ({ world, task, args }) => {
    const consentEnd = world.now + world.params.consentWindow
    task.dispute = {
      ...newDispute(),
      number: task.dispute.number + 1,
      phase: task.dispute.phase,
      posterSpoke: args.opener === task.poster,
      workerSpoke: args.opener === task.worker,
      consentEnd,
      seatEnd: consentEnd + world.params.evidenceWindow,
    }
  },
  'note proposal': ({ task, caller, s }) => {
    task.dispute[caller === task.poster ? 'posterProposal' : 'workerProposal'] = s.call.arbitrator
  },
  'seat arbitrator': (draft) => seat(draft, [draft.s.call.arbitrator ?? '']),
  'seat panel': (draft) => seat(draft, draft.s.call.panel ?? []),
  'note evidence': ({ task, caller }) => {
    task.dispute[caller === task.poster ? 'posterSpoke' : 'workerSpoke'] = true
  },
  'note vote': ({ world, task: { dispute }, caller, s }) => {
    const index = dispute.bench.findIndex((member, i) => i >= dispute.panelStart && member.arbitrator === caller)
    dispute.bench[index] = { arbitrator: caller, voted: true, workerBps: s.call.workerBps }
    change(world, caller, ({ openCases, resolved }) => ({ openCases: openCases - 1, resolved: resolved + 1 }))
  },
  rule: ({ world, task }) => {
    const { dispute } = task
    dispute.workerBps = median(listPanel(task).map((member) => member.workerBps))
    dispute.appealEnd = world.now + (dispute.tier === panelSizes.length - 1 ? 0 : world.params.appealWindow)
  },
  'rule by record': ({ task: { dispute } }) => {
    // Without a ruling on the appeal, the previous ruling stands.
    if (dispute.tier > 0) return
    const { posterSpoke, workerSpoke } = dispute
    dispute.workerBps = posterSpoke === workerSpoke ? bps / 2n : workerSpoke ? bps : 0n
  },
  appeal: ({ world, task: { dispute }, caller }) => {
    dispute.appeals.push({ appellant: caller, fromBps: dispute.workerBps, bond: computeAppealBond(dispute.tier) })
    dispute.tier += 1
    dispute.reseated = false
    dispute.posterSpoke = false
    dispute.workerSpoke = false
    dispute.consentEnd = world.now
    dispute.seatEnd = world.now + world.params.evidenceWindow
  },
  'remove silent': ({ task: { dispute } }) => {
    const { bench, panelStart } = dispute
    // From the end, with the last member filling each gap, to get the contract's order.
    for (let i = bench.length - 1; i >= panelStart; i--) {
      const last = bench.at(-1)
      if (bench[i]?.voted || !last) continue
      bench[i] = last
      bench.pop()
    }
  },
  'replace panel': ({ world, task: { dispute } }) => {
    dispute.reseated = true
    dispute.seatEnd = world.now + world.params.evidenceWindow
  },
  'free panel': ({ world, task }) => {
    for (const { arbitrator, voted } of listPanel(task)) {
      if (!voted) change(world, arbitrator, ({ openCases }) => ({ openCases: openCases - 1 }))
    }
  },
}

/** What each move of the dispute table does. */
export const disputeMoves: {
  readonly [M in DisputeMove['move']]: (draft: DisputeDraft, move: Extract<DisputeMove, { move: M }>) => void
} = {
  'refill reserves': ({ world, task, s }) => {
    reserveUpTo(world, task, s.dispute.poster, taskReserve)
    reserveUpTo(world, task, s.dispute.worker, taskReserve)
  },
  'reserve appeal bond': ({ world, task, before, caller }) => {
    reserve(world, task, caller, computeAppealBond(before.dispute.tier))
  },
  'slash silent': ({ world, before, s }) => {
    for (const { arbitrator, voted } of listPanel(before).toReversed()) {
      const bond = world.arbitrators[arbitrator]?.bond ?? 0n
      if (voted) continue
      const amount = least(bond, slashAmount)
      change(world, arbitrator, ({ slashed, timedOut, openCases }) => ({
        bond: bond - amount,
        slashed: slashed + amount,
        timedOut: timedOut + 1,
        openCases: openCases - 1,
      }))
      recordMovement(world, { kind: 'slashed', wallet: arbitrator, amount })
      addTo(world, 'withdrawable', s.dispute.poster, amount / 2n)
      addTo(world, 'withdrawable', s.dispute.worker, amount - amount / 2n)
    }
  },
  collect: ({ world, task }, move) => {
    const { poster, worker } = computeDues(task, move)
    collect(world, task, task.poster, poster)
    collect(world, task, task.worker ?? '', worker)
  },
  'free appeal bonds': ({ world, task, s }) => {
    if (task.dispute.appeals.length === 0) return
    unreserve(world, task, s.dispute.worker)
    reserveUpTo(world, task, s.dispute.worker, taskReserve)
  },
  'settle task': ({ task, perform }) => perform('settleDispute', 'arbitration', { workerBps: task.dispute.workerBps }),
}
