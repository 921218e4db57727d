import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'

/** What is shown where there is nothing: a sentence, and what to do. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty-state">
      <Inbox size={28} aria-hidden="true" />
      <p>{children}</p>
      {action}
    </div>
  )
}
