import type { Dispute, Task, World } from '../world.ts'
import { type Scenario, taskId } from './scenarios.ts'

/**
 * The clocks a state can still read; all others are set again before anything reads them. Zero: not running.
 */
function listClocks({ params }: World, { state, terms, claimedAt, deadline, reviewEnd, dispute }: Task): number[] {
  const { vetWindow, fundingWindow } = params
  const cutoff = terms.scope === 'OPEN' ? terms.claimDeadline - params.claimCutoff : 0
  switch (state) {
    case 'POSTED':
      return [cutoff]
    case 'CLAIMED':
      return [cutoff, ...[vetWindow, fundingWindow, fundingWindow + vetWindow].map((window) => claimedAt + window)]
    case 'ACTIVE':
      return [deadline, reviewEnd]
    case 'DISPUTED':
      return disputeClocks(dispute)
    default:
      return []
  }
}

function disputeClocks({ phase, consentEnd, seatEnd, evidenceEnd, rulingEnd, appealEnd }: Dispute): number[] {
  if (phase === 'OPEN') return [consentEnd, seatEnd]
  return phase === 'EVIDENCE' ? [evidenceEnd, rulingEnd] : [appealEnd]
}

/** Whether time can still change what is possible. */
export function ticks(world: World): boolean {
  const task = world.tasks[taskId]
  return !!task && listClocks(world, task).some((clock) => clock >= world.now)
}

/**
 * What two worlds must share to have the same future, as text: worlds with one key are one state of the check.
 *
 * - Clocks count from now, and all that are past are equal: every guard compares a clock with now, and every new clock
 *   is now plus a constant, or the later of that and a running one.
 * - Scope and claim policy matter until the work begins. Of the revisions it matters how many are left. Neither they nor
 *   the deadline matter in a dispute: what follows is the end or the next milestone, where both are set again.
 * - Arbitrators differ in nothing but their names, and nobody who sat sits again, so of the bench only its size counts,
 *   and of the panel the votes.
 * - Balances of rich wallets are left out, for no guard can ever fail on them (the check sees to it that none does), and
 *   what a step moves does not depend on them. Penniless wallets keep theirs.
 */
export function computeKey(world: World, { rich }: Scenario): string {
  const task = world.tasks[taskId]
  if (!task) return ''
  const { state, terms, dispute, reserves, poster, worker } = task
  const key: unknown[] = [
    state,
    task.current,
    task.funded,
    task.released,
    task.refunded,
    worker,
    world.liveClaims.worker,
  ]
  key.push(reserves[poster] ?? 0n, worker === null ? 0n : (reserves[worker] ?? 0n))
  for (const clock of listClocks(world, task)) key.push(clock === 0 ? 'off' : Math.max(clock - world.now, -1))
  if (state === 'POSTED' || state === 'CLAIMED') key.push(terms.scope, terms.claimPolicy)
  if (state === 'ACTIVE') key.push(Math.min(task.revisions, terms.maxRevisions))
  if (state === 'DISPUTED') key.push(...disputeKey(dispute))
  // A case that outlives its task's dispute is a defect; it must not hide behind a sound state.
  else key.push(dispute.phase === 'NONE' || dispute.phase === 'CLOSED')
  if (!rich) {
    for (const wallet of [poster, 'worker']) key.push(world.tok[wallet], world.deposits[wallet], world.reserved[wallet])
  }
  return key.join()
}

function disputeKey(dispute: Dispute): unknown[] {
  const panel = dispute.bench.slice(dispute.panelStart).map((seat) => (seat.voted ? seat.workerBps : 'silent'))
  return [
    dispute.phase,
    dispute.tier,
    dispute.reseated,
    dispute.posterSpoke,
    dispute.workerSpoke,
    dispute.workerBps,
    dispute.posterProposal !== null,
    dispute.workerProposal !== null,
    dispute.panelStart,
    panel.sort().join('|'),
    dispute.appeals.map(({ appellant, fromBps }) => `${appellant} ${fromBps}`).join('|'),
  ]
}
