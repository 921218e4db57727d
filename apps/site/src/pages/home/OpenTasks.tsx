import { ArrowRight } from 'lucide-react'
import { useApi } from '../../api.ts'
import { TaskList, TaskListLoading } from '../../parts/TaskList.tsx'
import { Link } from '../../router.tsx'
import { homeText as labels } from '../../text/home.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { useMarket } from '../../useMarket.ts'
import { openInput } from './lists.ts'

const shownTasks = 6

/** The newest open tasks of one market. */
export function OpenTasks({ heading }: { heading: string }) {
  const market = useMarket()
  const { body, error } = useApi('listOpenTasks', openInput(market))
  const tasks = body?.tasks.slice(0, shownTasks) ?? []
  return (
    <section className="stack open-tasks" aria-labelledby="open-tasks">
      <div className="row between">
        <h2 id="open-tasks">{heading}</h2>
        <Link href="/tasks" className="row see-all">
          {labels.seeAll} <ArrowRight size={16} aria-hidden="true" />
        </Link>
      </div>
      {!body && !error && <TaskListLoading rows={shownTasks} />}
      {tasks.length > 0 && <TaskList tasks={tasks} market={market} level="h3" />}
      {body?.tasks.length === 0 && (
        <div className="card">
          <Empty action={<ButtonLink href="/post">{labels.post}</ButtonLink>}>{labels.noTasks}</Empty>
        </div>
      )}
    </section>
  )
}
