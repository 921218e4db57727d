import type { TaskJson } from '@svc/client'
import { formatTaskStatus } from '@svc/operations'

/** Where a task stands. */
export function StatePill({ of }: { of: Pick<TaskJson, 'phase' | 'state'> }) {
  const isGood = of.phase === 'OPEN_FOR_CLAIM' || of.state === 'COMPLETED'
  return <span className={isGood ? 'pill good' : 'pill'}>{formatTaskStatus(of)}</span>
}
