import type { TaskDetailJson } from '@svc/client'
import { taskText } from '../../text/task.ts'
import { Address } from '../../ui/Address.tsx'
import { RecordLine } from './RecordLine.tsx'
import { useRecords } from './useRecords.ts'

const words = taskText.people

/** Poster, worker and judge, with what they have done before. */
export function PeopleCard({ task, you }: { task: TaskDetailJson; you: string | undefined }) {
  const { poster, worker, arbitrator, dispute, market } = task
  const find = useRecords(market, [poster, worker])
  const judge = dispute?.judge ?? null
  return (
    <section className="card pad stack people-card">
      <h2 className="card-title">{words.title}</h2>
      <ul className="people">
        <li>
          <span className="soft small">{words.poster}</span>
          <Address of={poster} you={you} copies />
          <span className="tiny">
            <RecordLine of={find(poster)} as="poster" />
          </span>
        </li>
        <li>
          <span className="soft small">{words.worker}</span>
          {worker ? (
            <>
              <Address of={worker} you={you} copies />
              <span className="tiny">
                <RecordLine of={find(worker)} as="worker" />
              </span>
            </>
          ) : (
            <span>{words.nobody}</span>
          )}
        </li>
        {(judge ?? arbitrator) && (
          <li>
            <span className="soft small">{judge ? words.judge : words.named}</span>
            <Address of={judge ?? arbitrator ?? ''} you={you} copies />
          </li>
        )}
      </ul>
    </section>
  )
}
