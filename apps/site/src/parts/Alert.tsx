import type { ReactNode } from 'react'

/** An error that screen readers announce immediately. Renders nothing without content. */
export function Alert({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <p className="problem" role="alert">
      {children}
    </p>
  )
}
