import type { Market } from '@svc/protocol'
import { useApi } from '../../api.ts'
import { QueryView } from '../../parts/QueryView.tsx'
import { TaskList, TaskListLoading } from '../../parts/TaskList.tsx'
import { setQuery, useLocation } from '../../router.tsx'
import { exploreText as labels } from '../../text/explore.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'

/** Tasks of a market without a search, newest first: all, or those that can be claimed. The page is in the URL. */
export function NewestList({ market, isAll }: { market: Market; isAll: boolean }) {
  const cursor = useLocation().searchParams.get('cursor') ?? undefined
  const list = useApi(isAll ? 'listRecentTasks' : 'listOpenTasks', {
    market,
    limit: 50,
    texts: 'true',
    ...(cursor && { cursor }),
  })
  const tasks = list.body?.tasks ?? []
  return (
    <QueryView of={list} loading={<TaskListLoading />}>
      {({ meta }) => (
        <>
          <p className="explore-count small soft" role="status">
            {labels.found(tasks.length, meta.nextCursor !== null)}
          </p>
          {tasks.length > 0 ? (
            <TaskList tasks={tasks} market={market} withState={isAll} />
          ) : (
            <div className="card">
              <Empty action={<ButtonLink href="/post">{labels.post}</ButtonLink>}>
                {isAll ? labels.emptyAll : labels.emptyOpen}
              </Empty>
            </div>
          )}
          <nav className="explore-pages" aria-label={labels.pages}>
            {cursor && (
              <Button size="small" onClick={() => setQuery({ cursor: null })}>
                {labels.newest}
              </Button>
            )}
            {meta.nextCursor && (
              <Button size="small" onClick={() => setQuery({ cursor: meta.nextCursor })}>
                {labels.older}
              </Button>
            )}
          </nav>
        </>
      )}
    </QueryView>
  )
}
