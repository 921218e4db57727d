import { noticeTime } from '@svc/protocol/internal/tasks'
import type { Dispute, Task, World } from '../world.ts'
import { nextJudge } from './adversary.ts'
import { type Scenario, taskId } from './scenarios.ts'

/**
 * The clocks a state can still read; all others are set again before anything reads them. Zero: not running.
 */
function listClocks({ params }: World, { state, terms, claimedAt, deadline, reviewEnd, dispute }: Task): number[] {
  const cutoff = terms.scope === 'OPEN' ? terms.claimDeadline - params.claimCutoff : 0
  switch (state) {
    case 'POSTED':
      return [cutoff]
    case 'CLAIMED':
      return [cutoff, claimedAt + params.vetWindow, claimedAt + params.fundingWindow]
    case 'ACTIVE':
      return [deadline, reviewEnd, reviewEnd === 0 || terms.store === null ? 0 : reviewEnd + noticeTime(terms, params)]
    case 'DISPUTED':
      return disputeClocks(dispute)
    default:
      return []
  }
}

function disputeClocks({ phase, ruled, consentEnd, evidenceEnd, rulingEnd, appealEnd, courtEnd }: Dispute): number[] {
  switch (phase) {
    case 'OPEN':
      return [consentEnd, evidenceEnd]
    case 'EVIDENCE':
      return [consentEnd, evidenceEnd, rulingEnd]
    case 'RULED':
      return [appealEnd]
    default:
      return [ruled ? 0 : evidenceEnd, courtEnd]
  }
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
 * - Arbitrators differ in nothing but their names, and every dispute has its own, so of the judge only counts whether it
 *   sits. Who proposed whom matters until somebody rules, for a judge may step down; and so does who spoke.
 * - Balances of rich wallets are left out, for no guard can ever fail on them (the check sees to it that none does), and
 *   what a step moves does not depend on them. Penniless wallets keep theirs.
 */
export function computeKey(world: World, { rich }: Scenario): string {
  const task = world.tasks[taskId]
  if (!task) return ''
  const { state, terms, dispute, reserves, exitDeposits, poster, worker } = task
  const key: unknown[] = [state, task.current, task.funded, task.released, task.refunded, worker, terms.store]
  for (const book of [reserves, exitDeposits]) {
    key.push(book[poster] ?? 0n, worker === null ? 0n : (book[worker] ?? 0n))
  }
  for (const clock of listClocks(world, task)) key.push(clock === 0 ? 'off' : Math.max(clock - world.now, -1))
  if (state === 'POSTED' || state === 'CLAIMED') key.push(terms.scope, terms.claimPolicy, task.allowedWorker)
  if (state === 'CLAIMED') key.push(task.fundedAtClaim)
  if (state === 'ACTIVE' || state === 'DISPUTED') key.push(task.receipted, task.underNotice)
  if (state === 'ACTIVE') key.push(Math.min(task.revisions, terms.maxRevisions))
  // What outlives its time is a defect; it must not hide behind a sound state.
  key.push(isJudgeBound(world))
  if (state === 'DISPUTED') key.push(...disputeKey(task))
  else key.push(dispute.phase === 'NONE' || dispute.phase === 'CLOSED', dispute.stake)
  if (!rich) {
    for (const wallet of [poster, 'worker']) key.push(world.tok[wallet], world.deposits[wallet], world.reserved[wallet])
  }
  return key.join()
}

const isJudgeBound = ({ arbitrators }: World): boolean => Object.values(arbitrators).some(({ locked }) => locked !== 0n)

function disputeKey(task: Task): unknown[] {
  const { phase, ruled, judge, offerBps, askBps, ...dispute } = task.dispute
  const shared = [phase, dispute.openedByPoster, offerBps, askBps, judge !== null, dispute.stake]
  if (ruled) return [...shared, dispute.forWorker]
  const spoken = [...shared, dispute.posterSpoke, dispute.workerSpoke]
  if (phase === 'COURT') return spoken
  const proposals = [dispute.posterProposal, dispute.workerProposal, dispute.named]
  return [...spoken, ...proposals.map((judge) => (judge === nextJudge(task) ? 'next' : judge))]
}
