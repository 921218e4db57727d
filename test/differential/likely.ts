import { type Args, finalCourt, type Task } from '@svc/simulation/model'
import type { Random } from '@svc/simulation/random'
import { judges, users } from './wallets.ts'

/** An operation, with caller and arguments where they matter. */
export interface Likely {
  operation: string
  caller?: string
  args?: Args
}

/** Lists plausible next operations on a task. Purely random calls hardly ever reach an appeal. */
export function likely(task: Task | null, { pick }: Random): Likely[] {
  if (!task) return [{ operation: 'post' }, { operation: 'create' }]
  const both = [task.poster, task.worker ?? task.poster]
  const poster = { caller: task.poster }
  const worker = { caller: task.worker ?? pick(users) }
  // Some posters never fund, so that claims lapse one after the other.
  const away = task.terms.scope === 'OPEN' && task.terms.maxRevisions === 2
  const allowance =
    task.allowedWorker === null
      ? { operation: 'allowWorker', ...poster }
      : { operation: 'claim', caller: task.allowedWorker, args: { permitted: false } }
  switch (task.state) {
    case 'POSTED':
      return [
        { operation: 'claim', args: { permitted: true } },
        ...(task.terms.claimPolicy === 'PERMIT' ? [allowance] : []),
        ...(away ? [] : [{ operation: 'fund', ...poster }]),
        { operation: 'expire' },
      ]
    case 'CLAIMED': {
      const exits = [
        { operation: 'expire' },
        pick([
          { operation: 'dismiss', ...poster },
          { operation: 'leaveTask', ...worker },
        ]),
      ]
      const missing = task.total - task.funded
      if (away && missing > 0n) return [{ operation: 'expire' }, { operation: 'leaveTask', ...worker }]
      const fund = { operation: 'fund', ...poster, args: { amount: missing } }
      if (missing > 0n) return [fund, fund, fund, fund, ...exits]
      const start = both.map((caller) => ({ operation: 'activate', caller }))
      return [...start, ...start, ...exits]
    }
    case 'ACTIVE':
      return likelyAtWork(task, poster, worker)
    default:
      return likelyInDispute(task, pick(both), pick)
  }
}

interface Caller {
  caller: string
}

function likelyAtWork({ terms, reviewEnd, receipted, underNotice }: Task, poster: Caller, worker: Caller): Likely[] {
  const receipt = { receipt: 'valid' as const }
  if (reviewEnd === 0) {
    const delivery = { operation: 'markDelivered', ...worker, args: terms.store === null ? {} : receipt }
    return [
      { operation: 'markDelivered', ...worker },
      delivery,
      delivery,
      delivery,
      underNotice ? { operation: 'expire', ...worker } : { operation: 'dismiss', ...poster },
      { operation: 'expire' },
    ]
  }
  const answers = [
    { operation: 'requestRevision', ...poster },
    { operation: 'release', ...poster },
    { operation: 'releaseLapsed' },
  ]
  if (terms.store === null || receipted) {
    return [{ operation: 'openDispute', ...poster }, { operation: 'openDispute', ...poster }, ...answers]
  }
  return [
    { operation: 'openDispute', ...worker },
    { operation: 'openDispute', ...worker },
    { operation: 'markDelivered', ...worker, args: receipt },
    { operation: 'leaveTask', ...worker },
    { operation: 'expire' },
    ...answers,
  ]
}

function likelyInDispute(task: Task, party: string, pick: Random['pick']): Likely[] {
  const { dispute, poster } = task
  const worker = task.worker ?? poster
  const evidence = { operation: 'submitEvidence', caller: party }
  switch (dispute.phase) {
    case 'OPEN': {
      // Both parties propose one of two, so that they often agree.
      const candidate = pick([...judges.slice(0, 2), dispute.named ?? judges[0]])
      const { posterProposal, workerProposal } = dispute
      const chosen = posterProposal !== null && posterProposal === workerProposal ? posterProposal : dispute.named
      const proposal = { operation: 'propose', caller: party, args: { arbitrator: candidate } }
      const acceptance = { operation: 'propose', caller: chosen ?? candidate, args: { arbitrator: chosen } }
      const next = chosen === null ? proposal : acceptance
      return [next, next, next, next, evidence, { operation: 'resolveTimedOut' }]
    }
    case 'EVIDENCE': {
      const judge = { caller: dispute.judge ?? party }
      const ruling = { operation: 'resolve', ...judge }
      const rest = [evidence, { operation: 'stepDown', ...judge }, { operation: 'resolveTimedOut' }]
      // Only a judge that has heard both rules: mostly whoever is silent stands firm.
      const { posterSpoke, workerSpoke, offerBps, askBps } = dispute
      const missing = posterSpoke ? { caller: worker, shareBps: askBps } : { caller: poster, shareBps: offerBps }
      const word = { operation: 'submitEvidence', caller: missing.caller, args: { shareBps: missing.shareBps } }
      const next = posterSpoke && workerSpoke ? ruling : word
      return [...Array.from({ length: 12 }, () => next), pick(rest)]
    }
    case 'RULED':
      return [
        { operation: 'escalate', caller: dispute.forWorker ? poster : party },
        { operation: 'escalate', caller: party },
        { operation: 'finalize' },
        { operation: 'finalize' },
        { operation: 'release', caller: poster },
      ]
    default:
      return [
        { operation: 'decide', caller: finalCourt },
        { operation: 'decide', caller: finalCourt },
        { operation: 'resolveTimedOut' },
        { operation: 'release', caller: poster },
        evidence,
      ]
  }
}
