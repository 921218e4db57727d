import type { TaskJson } from '@svc/client'
import { marketParams, sanitizeText } from '@svc/protocol'
import { Link } from '../router.tsx'
import { text } from '../text/common.ts'
import { workText as labels } from '../text/work.ts'
import { Amount, Worth } from '../ui/Amount.tsx'
import { TimeLeft, useNow } from '../ui/Time.tsx'
import { AddressLink } from './AddressLink.tsx'
import { StatePill } from './StatePill.tsx'
import type { ListedTask } from './TaskList.tsx'
import '../style/workRows.css'

/** Tasks as rows of one card. `from` is whose tasks they are: the row shows the other party. */
export function WorkRows({ tasks, from }: { tasks: readonly ListedTask[]; from?: string | undefined }) {
  return (
    <ul className="card rows work-rows">
      {tasks.map((task) => (
        <WorkRow key={task.id} task={task} from={from} />
      ))}
    </ul>
  )
}

interface WorkRowProps {
  task: ListedTask
  from?: string | undefined
}

/** A task: title, state in words, the other party, money and clock. */
function WorkRow({ task, from }: WorkRowProps) {
  const { id, title, scope, phase, milestones, currentMilestone, poster, worker } = task
  const isPoster = from?.toLowerCase() === poster.toLowerCase()
  const other = isPoster ? worker : poster
  return (
    <li>
      <div className="stack tight">
        <h3 dir="auto">
          <Link className="row-link" href={`/tasks/${id}`}>
            {sanitizeText(title ?? '') || (scope === 'PRIVATE' ? text.privateTask : id)}
          </Link>
        </h3>
        <p className="row wrapping small soft work-facts">
          <StatePill of={task} />
          {other ? <AddressLink of={other} market={task.market} size={18} /> : <span>{labels.nobody}</span>}
          {milestones.length > 1 && phase !== 'SETTLED' && (
            <span>{labels.milestones(currentMilestone + 1, milestones.length)}</span>
          )}
        </p>
      </div>
      <div className="work-end">
        <p className="work-money">
          <Worth of={task.totalAmountTokWei} />
        </p>
        <TaskClock task={task} />
      </div>
    </li>
  )
}

/** The deadline that counts in the current state; for an ended task, what it paid. */
function TaskClock({ task }: { task: TaskJson }) {
  const now = useNow()
  const { phase, releasedTokWei } = task
  const to = findDeadline(task)
  const label = Object.entries(labels.clock).find(([name]) => name === phase)?.[1]
  if (phase === 'SETTLED') {
    if (BigInt(releasedTokWei) === 0n) return null
    return (
      <p className="small soft">
        <Amount of={releasedTokWei} /> {labels.paid}
      </p>
    )
  }
  if (to === null || !label) return null
  return (
    <p className="small soft">
      <TimeLeft to={to} over={labels.over} /> {to > now && label}
    </p>
  )
}

function findDeadline({ phase, market, claimableUntil, claimedAt, deadline, reviewEnd }: TaskJson): number | null {
  switch (phase) {
    case 'OPEN_FOR_CLAIM':
      return claimableUntil
    case 'AWAITING_FUNDS':
    case 'READY_TO_START':
      return claimedAt === null ? null : claimedAt + marketParams[market].fundingWindow
    case 'WORKING':
    case 'UNDER_NOTICE':
      return deadline
    case 'IN_REVIEW':
      return reviewEnd
    default:
      return null
  }
}
