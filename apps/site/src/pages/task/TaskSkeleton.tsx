import { text } from '../../text/common.ts'

/** The shape of the page while the task is being read. */
export function TaskSkeleton() {
  return (
    <div className="task-page loading" role="status" aria-label={text.loading}>
      <div className="task-head stack">
        <span className="skeleton skeleton-2" />
        <span className="skeleton skeleton-1 skeleton-title" />
        <span className="skeleton skeleton-2" />
      </div>
      <div className="task-rail">
        <div className="card pad stack status-card">
          <span className="skeleton skeleton-0" />
          <span className="skeleton skeleton-block" />
          <span className="skeleton skeleton-button" />
        </div>
        <div className="card pad stack money-card">
          <span className="skeleton skeleton-1" />
          <span className="skeleton skeleton-0" />
          <span className="skeleton skeleton-0" />
        </div>
      </div>
      <div className="task-body stack">
        <span className="skeleton skeleton-0" />
        <span className="skeleton skeleton-0" />
        <span className="skeleton skeleton-1" />
        <span className="skeleton skeleton-0" />
      </div>
    </div>
  )
}
