import { CircleAlert, CircleCheck, Clock, Info } from 'lucide-react'
import type { ReactNode } from 'react'

const icons = { plain: Info, good: CircleCheck, turn: Clock, loss: CircleAlert } as const

/** A message in a box. `loss` is announced at once; renders nothing without content. */
export function Note({ tone = 'plain', children }: { tone?: keyof typeof icons; children: ReactNode }) {
  if (!children) return null
  const Icon = icons[tone]
  return (
    <div className={`note ${tone}`} role={tone === 'loss' ? 'alert' : 'status'}>
      <Icon size={18} aria-hidden="true" />
      <div className="stack tight">{children}</div>
    </div>
  )
}
