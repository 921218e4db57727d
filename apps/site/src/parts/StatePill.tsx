import type { TaskJson } from '@svc/client'
import { stateText } from '../text/states.ts'

type Stand = Pick<TaskJson, 'phase' | 'state'>

/** Where a task stands. */
export function StatePill({ of }: { of: Stand }) {
  const isGood = of.phase === 'OPEN_FOR_CLAIM' || of.state === 'COMPLETED'
  return <span className={isGood ? 'pill good' : 'pill'}>{describeState(of)}</span>
}

const describeState = ({ phase, state }: Stand): string =>
  state === 'COMPLETED' || state === 'CANCELLED' || state === 'EXPIRED' || state === 'RESOLVED'
    ? stateText.ends[state]
    : stateText.phases[phase]
