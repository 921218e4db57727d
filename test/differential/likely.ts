import type { Random } from '../../chaos/sim/random.ts'
import type { Args } from '../model/facts.ts'
import type { Task } from '../model/world.ts'
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
  switch (task.state) {
    case 'POSTED':
      return [
        { operation: 'claim', args: { permitted: true } },
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
      if (missing > 0n) return [{ operation: 'fund', ...poster, args: { amount: missing } }, ...exits]
      return [...both.map((caller) => ({ operation: 'activate', caller })), ...exits]
    }
    case 'ACTIVE':
      if (task.reviewEnd === 0) return [{ operation: 'markDelivered', ...worker }, { operation: 'expire' }]
      return [
        { operation: 'openDispute', caller: pick(both) },
        { operation: 'openDispute', caller: pick(both) },
        { operation: 'requestRevision', ...poster },
        { operation: 'release', ...poster },
        { operation: 'releaseLapsed' },
      ]
    default:
      return likelyInDispute(task, pick(both), pick)
  }
}

function likelyInDispute({ dispute, poster }: Task, party: string, pick: Random['pick']): Likely[] {
  const evidence = { operation: 'submitEvidence', caller: party }
  switch (dispute.phase) {
    case 'OPEN':
      return [
        { operation: 'propose', caller: party, args: { arbitrator: pick(judges.slice(0, 2)) } },
        { operation: 'seat' },
        { operation: 'seat' },
        evidence,
        { operation: 'resolveTimedOut' },
      ]
    case 'EVIDENCE': {
      const silent = dispute.bench.filter(({ voted }) => !voted).map(({ arbitrator }) => arbitrator)
      return [
        evidence,
        { operation: 'resolve', caller: pick(silent) },
        { operation: 'resolve', caller: pick(silent) },
        { operation: 'resolveTimedOut' },
      ]
    }
    default:
      return [
        { operation: 'escalate', caller: party },
        { operation: 'escalate', caller: party },
        { operation: 'finalize' },
        { operation: 'release', caller: poster },
      ]
  }
}
