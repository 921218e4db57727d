import type { DisputeFacts } from './disputes.ts'
import type { AccountFacts, TaskFacts } from './guards.ts'
import type { TaskId } from './taskId.ts'

/** All that decides what may be done with a task, read at one block. Wallets are checksummed addresses. */
export interface Standing {
  taskId: TaskId
  task: TaskFacts
  /** Null for a task that was never disputed. */
  dispute: DisputeFacts | null
  entriesPaused: boolean
  account: (wallet: string) => AccountFacts
  /** Somebody who may sit in this dispute; null when there is nobody. */
  candidate: string | null
  /** Some arbitrator is bonded enough to be drawn, whether or not for this dispute. */
  somebodyBonded: boolean
  /** The draw of arbitrators: to be called, waiting for its block, ready to be read, or of nobody who may sit. */
  draw: 'none' | 'pending' | 'known' | 'empty'
}
