import type { TaskDetailJson } from '@svc/client'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { taskText } from '../../text/task.ts'

const labels = taskText.people

/** The addresses of poster, worker and judge. */
export function People({ task, you }: { task: TaskDetailJson; you: string | undefined }) {
  const { poster, worker, arbitrator, dispute, market } = task
  const judge = dispute?.judge ?? null
  return (
    <ul className="people">
      <li>
        <span className="soft small">{labels.poster}</span>
        <AddressLink of={poster} market={market} you={you} copies />
      </li>
      <li>
        <span className="soft small">{labels.worker}</span>
        {worker ? <AddressLink of={worker} market={market} you={you} copies /> : <span>{labels.nobody}</span>}
      </li>
      {(judge ?? arbitrator) && (
        <li>
          <span className="soft small">{judge ? labels.judge : labels.named}</span>
          <AddressLink of={judge ?? arbitrator ?? ''} market={market} you={you} copies />
        </li>
      )}
    </ul>
  )
}
