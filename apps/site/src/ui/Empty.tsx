import { Inbox, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyProps {
  children: ReactNode
  action?: ReactNode
  icon?: LucideIcon
}

/** What is shown where there is nothing: a sentence, and the next step. */
export function Empty({ children, action, icon: Icon = Inbox }: EmptyProps) {
  return (
    <div className="empty-state">
      <span className="empty-art" aria-hidden="true">
        <Icon size={30} />
      </span>
      <p>{children}</p>
      {action}
    </div>
  )
}
